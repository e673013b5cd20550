// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program behind `mpirun ... sendwright calibrate -o MACHINE`: finds out who shares a node,
// measures within and between nodes and with many senders, and writes the machine file. It is a
// separate program because the command `sendwright` does not use MPI. The total time of all
// measurements is limited, so that the program ends within a minute.

#include "analysis/calibration/CalibratedMachine.h"
#include "analysis/file/FormatError.h"
#include "analysis/file/OutputFile.h"
#include "runtime/calibration/CalibrationTable.h"
#include "runtime/calibration/CollectiveTimes.h"
#include "runtime/calibration/Measurements.h"
#include "runtime/calibration/NodePort.h"
#include "runtime/calibration/Placement.h"
#include "runtime/calibration/ProgressLine.h"

#include <CLI/CLI.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <string>

namespace sendwright {

namespace {

struct CalibrateOptions {
  std::string output, name;
  double seconds = 40; // for all measurements
};

/// "Open MPI v4.1.4": the text up to the first comma or bracket, or the end of the line or
/// sentence.
std::string mpiName() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(text, &length);
  std::string name(text, text + length);
  name.resize(std::min({name.find_first_of(",(\n\r"), name.find(". "), name.size()}));
  std::replace(name.begin(), name.end(), '\t', ' ');
  return name;
}

/// Where ranks share processors, the measurements include the scheduler. Ranks that take no part
/// sleep; but with more ranks than processors, those that take part may still share one processor.
void markOversubscribed(const Placement &placement, CalibratedMachine &machine) {
  if (placement.processors == 0 || placement.ranksPerNode <= placement.processors)
    return;
  const std::string reason = std::to_string(placement.ranksPerNode) + " ranks on " +
                             std::to_string(placement.processors) +
                             (placement.processors == 1 ? " processor" : " processors");
  for (std::optional<CalibratedLink> *link : {&machine.between, &machine.within})
    if (*link)
      for (const auto &[name, figure] : namedFigures((*link)->figures))
        markUnstable(*figure, reason);
  if (machine.nodePort) {
    markUnstable(machine.nodePort->g, reason);
    markUnstable(machine.nodePort->G, reason);
  }
  for (CalibratedIncast &row : machine.incast)
    markUnstable(row.factor, reason);
  for (CalibratedCollective &row : machine.collectives)
    markUnstable(row.seconds, reason);
}

/// What programs rebuilt with a plan do in MPI_Init: the median over several repetitions of the
/// slowest rank's time. Collective.
double measureDuplication(MPI_Comm communicator) {
  std::vector<double> times;
  for (int round = 0; round < 5; ++round) {
    MPI_Comm duplicate = MPI_COMM_NULL;
    MPI_Barrier(communicator);
    const double start = MPI_Wtime();
    MPI_Comm_dup(communicator, &duplicate);
    double own = MPI_Wtime() - start, longest = 0;
    MPI_Allreduce(&own, &longest, 1, MPI_DOUBLE, MPI_MAX, communicator);
    MPI_Comm_free(&duplicate);
    times.push_back(longest);
  }
  std::nth_element(times.begin(), times.begin() + 2, times.end());
  return times[2];
}

/// What all ranks measure together, before one rank directs the others.
struct MeasuredTogether {
  double started = 0; // by this rank's clock
  double duplication = 0;
  MeasuredNodePort nodePort;
  std::vector<CalibratedCollective> collectives;
};

CalibratedMachine measure(const CalibrateOptions &options, const Placement &placement,
                          MeasuredTogether together, Director &director, ProgressLine &progress) {
  const double start = MPI_Wtime();
  CalibratedMachine machine;
  machine.duplication = together.duplication;
  machine.collectives = std::move(together.collectives);
  machine.mpi = mpiName();
  machine.ranks = static_cast<int>(placement.worldRanks.size());
  machine.nodes = placement.nodes;
  machine.ranksPerNode = placement.ranksPerNode;
  machine.processorsPerNode = placement.processors;
  machine.name = !options.name.empty()
                     ? options.name
                     : "measured with " + machine.mpi + ", " + std::to_string(machine.ranks) +
                           " ranks on " + std::to_string(machine.nodes) +
                           (machine.nodes == 1 ? " node" : " nodes");
  if (!placement.within.empty()) {
    progress.begin("messages within a node");
    machine.within = measureLink(director, placement.within, placement.worldRanks,
                                 options.seconds / 4, progress);
  }
  if (!placement.between.empty()) {
    progress.begin("messages between nodes");
    machine.between = measureLink(director, placement.between, placement.worldRanks,
                                  options.seconds / 3, progress);
  }
  if (machine.between && together.nodePort.pairs > 1)
    machine.nodePort =
        fitNodePort(together.nodePort.rounds, together.nodePort.pairs, machine.between->figures);
  const std::vector<int> &senders = machine.between ? placement.between : placement.within;
  if (senders.size() > 1) {
    progress.begin("many senders to one receiver");
    machine.incast = measureIncast(
        director, senders, (machine.between ? machine.between : machine.within)->figures,
        std::max(options.seconds - (MPI_Wtime() - start), options.seconds / 4), progress);
  }
  markOversubscribed(placement, machine);
  machine.seconds = MPI_Wtime() - together.started;
  return machine;
}

void printPlacement(const CalibratedMachine &machine, const Placement &placement) {
  std::printf("%s: %d ranks on %d node%s", machine.mpi.c_str(), machine.ranks, machine.nodes,
              machine.nodes == 1 ? "" : "s");
  if (placement.processors > 0)
    std::printf(", %d processor%s for up to %d ranks of a node", placement.processors,
                placement.processors == 1 ? "" : "s", placement.ranksPerNode);
  std::printf("\n");
  if (!placement.nodeAfterNode)
    std::printf("the ranks of a node are not consecutive, but predictions assume that they are\n");
}

/// The director's part. Returns the exit status.
int direct(const CalibrateOptions &options, const Placement &placement, MeasuredTogether together,
           ProgressLine &progress) {
  Director director(placement.communicator);
  try {
    OutputFile file(options.output); // opened before the measurements, which a failure would lose
    const CalibratedMachine machine =
        measure(options, placement, std::move(together), director, progress);
    progress.erase();
    file.write(machineFileOf(machine));
    file.commit();
    if (options.output != "-") {
      printPlacement(machine, placement);
      printCalibration(machine);
    }
  } catch (const FormatError &error) {
    progress.erase();
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}

/// Prints a message on one rank only, and returns the exit status for all.
int sayOnce(int rank, int status, const std::string &text) {
  if (rank == 0)
    std::fputs(text.c_str(), status == 0 ? stdout : stderr);
  return status;
}

int run(int argc, char **argv) {
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  CalibrateOptions options;
  CLI::App app{"Measures the LogGP parameters of this machine, within and between nodes, and what "
               "many senders to one receiver cost. Start it with mpirun, on 2 ranks or more",
               "sendwright calibrate"};
  app.add_option("-o,--output", options.output,
                 "Machine file to write, - for standard output instead of tables")
      ->required();
  app.add_option("--name", options.name, "Name of the machine in the file");
  app.add_option("--seconds", options.seconds,
                 "Approximate time of all measurements together, in seconds")
      ->check(CLI::Range(1.0, 3600.0))
      ->capture_default_str();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    std::ostringstream text;
    const int status = app.exit(error, text, text) == 0 ? 0 : 2;
    return sayOnce(rank, status, text.str());
  }
  if (ranks < 2)
    return sayOnce(rank, 2,
                   "sendwright: calibrate runs on one rank, expected at least 2: mpirun -np 2 "
                   "sendwright calibrate -o machine.json\n");
  Placement placement = findPlacement();
  int status = 0;
  int place = 0;
  MPI_Comm_rank(placement.communicator, &place);
  ProgressLine progress(options.seconds, place == 0);
  MeasuredTogether together;
  together.started = MPI_Wtime();
  together.duplication = measureDuplication(placement.communicator);
  progress.begin("ports of nodes");
  together.nodePort = measureNodePort(placement, options.seconds / 20);
  progress.begin("collective operations");
  together.collectives = measureCollectives(placement.communicator, options.seconds / 6);
  if (place == 0)
    status = direct(options, placement, std::move(together), progress);
  else
    follow(placement.communicator);
  MPI_Bcast(&status, 1, MPI_INT, 0, placement.communicator);
  MPI_Comm_free(&placement.communicator);
  return status;
}

} // namespace

} // namespace sendwright

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int status = sendwright::run(argc, argv);
  MPI_Finalize();
  return status;
}
