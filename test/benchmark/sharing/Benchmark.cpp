// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sharing-benchmark tables FOLDER: the columns of Tables 6.2 to 6.4 of M. Duymus's thesis, for the
// patterns in FOLDER, beside its geometric means. Its fifteen matrices are not among them.
//
// sharing-benchmark selected FOLDER MACHINE: the selected method against each other method, with
// the load of the busiest rank. Exit status 1 if a selected method is slower than another, or loads
// a rank more than both phases do, or does not deliver.
//
// sharing-benchmark speed FOLDER: processor time of the whole analysis.
//
// sharing-benchmark routes MATRIX MACHINE ITEM_BYTES FOLDER: routes of each method, as words for
// write-plan, for on-smpi.

#include "analysis/calibration/MachineFile.h"
#include "analysis/sharing/routes/SharedPattern.h"
#include "analysis/sharing/search/Sharing.h"
#include "test/benchmark/sharing/RandomPatterns.h"
#include "test/benchmark/sharing/RouteWords.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

namespace sendwright {

namespace {

constexpr int rankCounts[] = {64, 128, 512};
constexpr const char *matrices[] = {"bcsstk29", "fe_body", "email-Enron"};

ExchangePattern readPattern(const std::string &folder, const std::string &matrix, int ranks) {
  return patternOf(readMatrix(folder + "/" + matrix + "." + std::to_string(ranks) + ".txt"));
}

class GeometricMean {
public:
  void add(double value) {
    sum += std::log(value);
    ++count;
  }
  double value() const { return count == 0 ? 0 : std::exp(sum / count); }

private:
  double sum = 0;
  int count = 0;
};

struct MessageCounts {
  double average;
  double most;
};

/// The columns of Tables 6.2 and 6.3: before sharing, store-and-forward with the smallest maximum,
/// after Phase I, after Phase II.
struct TableColumns {
  MessageCounts columns[4];
  double overhead; ///< of Phase I: destinations that the counters leave out, per rank
};

TableColumns columnsOf(const ExchangePattern &pattern) {
  // The machine and the size of items affect only predicted times, which are not shown here.
  const SharingAnalysis analysis = analyzeSharing(pattern, defaultMachine(), 8);
  const auto grid = std::min_element(
      analysis.storeAndForward.begin(), analysis.storeAndForward.end(),
      [](const auto &a, const auto &b) { return a.figures.maxSends < b.figures.maxSends; });
  const PhaseCounters &one = analysis.phaseOneCounters, &two = analysis.phaseTwoCounters;
  const auto countsOf = [](const SharingFigures &figures) {
    return MessageCounts{figures.averageSends, static_cast<double>(figures.maxSends)};
  };
  return {{countsOf(analysis.direct.figures),
           countsOf(grid->figures),
           {one.counterAverage, static_cast<double>(one.counterMax)},
           {two.counterAverage, static_cast<double>(two.counterMax)}},
          one.unionAverage - one.counterAverage};
}

void printColumns(const std::string &name, const TableColumns &columns) {
  std::printf("%-18s", name.c_str());
  for (const MessageCounts &counts : columns.columns)
    std::printf(" %9.2f", counts.average);
  std::printf(" ");
  for (const MessageCounts &counts : columns.columns)
    std::printf(" %9.1f", counts.most);
  std::printf("  %8.2f\n", columns.overhead);
}

int printTables(const std::string &folder) {
  std::printf("Messages that a rank sends, as the thesis counts them (Tables 6.2, 6.3, 6.4)\n\n"
              "%-18s %39s  %39s\n%-18s",
              "", "average", "busiest rank", "");
  for (int half = 0; half < 2; ++half)
    std::printf(" %9s %9s %9s %9s ", "initial", "grid", "Phase I", "Phase II");
  std::printf(" %8s\n", "overhead");
  for (int ranks : rankCounts) {
    GeometricMean averages[4], maxima[4];
    double overhead = 0;
    for (const char *matrix : matrices) {
      const TableColumns columns = columnsOf(readPattern(folder, matrix, ranks));
      printColumns(std::string(matrix) + ", " + std::to_string(ranks), columns);
      for (int column = 0; column < 4; ++column) {
        averages[column].add(columns.columns[column].average);
        maxima[column].add(columns.columns[column].most);
      }
      overhead += columns.overhead / std::size(matrices);
    }
    TableColumns means{{}, overhead};
    for (int column = 0; column < 4; ++column)
      means.columns[column] = {averages[column].value(), maxima[column].value()};
    printColumns("geometric means", means);
  }
  printColumns("the thesis, 512", {{{65.7, 187.6}, {28.0, 41.6}, {25.7, 87.0}, {26.3, 30.8}}, 0.8});
  std::printf(
      "\nThe thesis's 15 matrices are not among these three. Its \"initial\" is far denser, "
      "and its grid is that of\nits baseline. Overhead: ranks that a rank sends to without "
      "this being counted; the mean is arithmetic\nhere, geometric in the thesis.\n");
  return 0;
}

/// Prints one pattern's line. Returns whether the selected method keeps its promises.
bool compareSelected(const std::string &name, const ExchangePattern &pattern,
                     const Machine &machine, double bytesPerItem, GeometricMean &loads) {
  const SharingAnalysis analysis = analyzeSharing(pattern, machine, bytesPerItem);
  const SharedRoutes &selected = analysis.selected();
  const auto grid =
      std::min_element(analysis.storeAndForward.begin(), analysis.storeAndForward.end(),
                       [](const auto &a, const auto &b) { return a.seconds < b.seconds; });
  const std::int64_t load = selected.figures.maxLoad, phases = analysis.phaseTwo.figures.maxLoad;
  std::printf("%-20s %5.0f %9.1f %9.1f %9.1f %9.1f %9.1f %9.1f  %5lld %5lld  %s\n", name.c_str(),
              bytesPerItem, analysis.direct.seconds * 1e6, analysis.phaseOne.seconds * 1e6,
              analysis.phaseTwo.seconds * 1e6, grid->seconds * 1e6, selected.seconds * 1e6,
              analysis.bounds.seconds * 1e6, static_cast<long long>(phases),
              static_cast<long long>(load), selected.method.c_str());
  bool good = selected.verified && analysis.phaseOne.verified && analysis.phaseTwo.verified;
  for (const SharedRoutes &routes : analysis.storeAndForward)
    good = good && routes.verified && selected.seconds <= routes.seconds;
  good = good && selected.seconds <= analysis.direct.seconds &&
         selected.seconds <= analysis.phaseOne.seconds &&
         selected.seconds <= analysis.phaseTwo.seconds;
  if (selected.table.stages > 1) {
    loads.add(static_cast<double>(load) / static_cast<double>(phases));
    good = good && load <= phases;
  }
  return good;
}

int printSelected(const std::string &folder, const Machine &machine) {
  std::printf(
      "Predicted microseconds, and sends plus receives of the busiest rank (machine: %s)\n\n"
      "%-20s %5s %9s %9s %9s %9s %9s %9s  %5s %5s\n",
      machine.name.c_str(), "", "bytes", "direct", "Phase I", "I and II", "best grid", "selected",
      "bound", "I+II", "sel.");
  bool good = true;
  for (int ranks : rankCounts) {
    GeometricMean loads;
    for (const char *matrix : matrices)
      for (double bytesPerItem : {8.0, 64.0})
        good = compareSelected(std::string(matrix) + ", " + std::to_string(ranks),
                               readPattern(folder, matrix, ranks), machine, bytesPerItem, loads) &&
               good;
    if (ranks == 512)
      good = compareSelected("power law, 512", powerLaw(512, 61, 400), machine, 64, loads) && good;
    std::printf("%-20s load of the busiest rank, selected over Phases I and II: %.3f\n",
                "geometric mean", loads.value());
  }
  return good ? 0 : 1;
}

void printTime(const char *name, const ExchangePattern &pattern) {
  const std::clock_t start = std::clock();
  const SharingAnalysis analysis = analyzeSharing(pattern, defaultMachine(), 8);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  std::printf("%-34s %6d %9zu %9.1f %9.2f  %s\n", name, pattern.ranks, pattern.messages.size(),
              static_cast<double>(pattern.messages.size()) / pattern.ranks, seconds,
              analysis.selected().method.c_str());
}

int printSpeed(const std::string &folder) {
  std::printf("%-34s %6s %9s %9s %9s\n", "processor time of the analysis", "ranks", "messages",
              "per rank", "seconds");
  for (const char *matrix : matrices)
    printTime(matrix, readPattern(folder, matrix, 512));
  printTime("power law", powerLaw(512, 61, 400));
  printTime("half near, half anywhere", randomNeighbours(512, 60));
  printTime("half near, half anywhere", randomNeighbours(4096, 60));
  printTime("power law", powerLaw(4096, 60, 1000));
  return 0;
}

int writeRoutes(const std::string &matrix, const Machine &machine, double bytesPerItem,
                const std::string &folder) {
  const ExchangePattern pattern = patternOf(readMatrix(matrix));
  return writeRouteWords(pattern, analyzeSharing(pattern, machine, bytesPerItem), folder);
}

int runBenchmark(const std::vector<std::string> &arguments) {
  if (arguments.size() == 2 && arguments[0] == "tables")
    return printTables(arguments[1]);
  if (arguments.size() == 3 && arguments[0] == "selected")
    return printSelected(arguments[1], readMachine(arguments[2]));
  if (arguments.size() == 2 && arguments[0] == "speed")
    return printSpeed(arguments[1]);
  if (arguments.size() == 5 && arguments[0] == "routes")
    return writeRoutes(arguments[1], readMachine(arguments[2]), std::stod(arguments[3]),
                       arguments[4]);
  std::fprintf(stderr, "usage: sharing-benchmark tables FOLDER | selected FOLDER MACHINE | speed "
                       "FOLDER | routes MATRIX MACHINE ITEM_BYTES FOLDER\n");
  return 2;
}

} // namespace

} // namespace sendwright

int main(int argc, char **argv) { return sendwright::runBenchmark({argv + 1, argv + argc}); }
