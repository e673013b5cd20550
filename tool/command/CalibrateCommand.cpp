// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mpirun ... sendwright calibrate -o MACHINE: replaces itself by the measuring program, which is
// built for each MPI and lies beside that MPI's runtime. The options belong to the measuring
// program; this command itself does not use MPI.

#include "tool/command/Commands.h"

#include "analysis/file/Escaping.h"

#include <CLI/CLI.hpp>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

namespace sendwright {

namespace {

/// The MPI whose mpirun started this process, told by its environment variables; else the first MPI
/// that Sendwright was built for.
std::string startingMpi() {
  if (std::getenv("OMPI_COMM_WORLD_SIZE"))
    return "openmpi";
  if (std::getenv("PMI_SIZE"))
    return "mpich";
  return SENDWRIGHT_DEFAULT_MPI;
}

/// The measuring program: in lib/ beside bin/, or in a subfolder for every MPI but the first.
std::filesystem::path measuringProgram() {
  const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe");
  const std::filesystem::path lib = own.parent_path().parent_path() / "lib";
  const std::string name = "sendwright-calibrate", mpi = startingMpi();
  const std::filesystem::path other = lib / mpi / name;
  return mpi != SENDWRIGHT_DEFAULT_MPI && std::filesystem::exists(other) ? other : lib / name;
}

void becomeMeasuringProgram(std::vector<std::string> arguments) {
  const std::string program = measuringProgram();
  arguments.insert(arguments.begin(), program);
  std::vector<char *> pointers;
  for (std::string &argument : arguments)
    pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  execv(program.c_str(), pointers.data());
  std::fprintf(stderr, "sendwright: %s cannot be started: %s\n", printable(program).c_str(),
               std::strerror(errno));
  throw CLI::RuntimeError(1);
}

} // namespace

void addCalibrateCommand(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "calibrate", "Measure the machine (mpirun -np 2 ... sendwright calibrate -o MACHINE)");
  command->prefix_command(); // everything else is passed on, even --help and --color
  command->fallthrough(false);
  command->set_help_flag();
  command->callback([command] { becomeMeasuringProgram(command->remaining()); });
}

} // namespace sendwright
