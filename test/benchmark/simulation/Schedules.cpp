// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// schedule-benchmark MACHINE RANKS BYTES FOLDER: writes the schedule of every collective algorithm
// to a file of its own, for execute.c, and prints a line for each: file, operation, algorithm and
// the seconds that the model predicts.
//
// A file has a line for each thing that a rank does, in its order: RANK s|r PEER BYTES MESSAGE.

#include "analysis/calibration/MachineFile.h"
#include "analysis/schedules/Collectives.h"
#include "analysis/schedules/Crossovers.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

namespace sendwright {

namespace {

void writeSchedule(const Schedule &schedule, const std::string &file) {
  std::ofstream out(file);
  for (std::size_t rank = 0; rank < schedule.ranks.size(); ++rank)
    for (const ScheduledOperation &operation : schedule.ranks[rank]) {
      const ScheduledMessage &message = schedule.messages[operation.message];
      out << rank << (operation.isSend ? " s " : " r ")
          << (operation.isSend ? message.to : message.from) << ' ' << message.bytes << ' '
          << operation.message << '\n';
    }
}

void writeAll(const Machine &machine, const CollectiveTask &task, const std::string &folder) {
  int number = 0;
  for (Collective operation : allCollectives())
    for (const CollectiveAlgorithm &algorithm : algorithmsOf(operation)) {
      const LinkParameters &link = linkOfGroup(machine, task.ranks);
      const Schedule schedule = algorithm.schedule(task, link, SlotsKept::No);
      const std::string file = folder + "/schedule" + std::to_string(number++);
      writeSchedule(schedule, file);
      const std::vector<double> done = simulateSchedule(schedule, machine);
      std::printf("%s\t%s\t%s\t%.12g\n", file.c_str(), std::string(nameOf(operation)).c_str(),
                  std::string(algorithm.name).c_str(), *std::max_element(done.begin(), done.end()));
    }
}

} // namespace

} // namespace sendwright

int main(int argc, char **argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: schedule-benchmark MACHINE RANKS BYTES FOLDER\n");
    return 2;
  }
  sendwright::CollectiveTask task;
  task.ranks = static_cast<std::uint32_t>(std::atoi(argv[2]));
  task.bytes = static_cast<std::uint64_t>(std::atoll(argv[3]));
  sendwright::writeAll(sendwright::readMachine(argv[1]), task, argv[4]);
  return 0;
}
