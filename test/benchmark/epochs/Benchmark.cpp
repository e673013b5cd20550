// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// epoch-benchmark tables: the tables of J. Sampson, Buffer allocation in message passing systems
// (UNLV 2007), beside what the analysis finds. Exit status 1 where a figure differs.
//
// epoch-benchmark speed APPLICATION RANKS ROUNDS: processor seconds to read the run's profile and
// expand all of its calls, and then to analyse it. Each process measures one application, so that
// its memory is known.
//
// epoch-benchmark profile APPLICATION RANKS ROUNDS FILE: writes a profile.

#include "analysis/epochs/EpochAnalysis.h"
#include "test/benchmark/epochs/Applications.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <numeric>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

namespace sendwright {

namespace {

Profile application(const std::string &name, int ranks, int rounds) {
  return name == "MM"    ? matrixMultiplication(ranks)
         : name == "FFT" ? fourierTransform(ranks, rounds ? rounds : 2250)
         : name == "HG"  ? heatGrid(ranks, rounds ? rounds : 1000)
         : name == "NBP" ? bodyRing(ranks, rounds ? rounds : 10)
                         : equationString(ranks, rounds ? rounds : 1000);
}

EpochAnalysis analyze(const Profile &profile, std::vector<std::uint32_t> buffers = {},
                      EpochDetail detail = EpochDetail::Totals) {
  return analyzeEpochs(profile, TraceLocation("benchmark", profile), std::move(buffers), detail);
}

struct Row {
  const char *name;
  int ranks;
  std::uint64_t epochs, superEpochs, partial, full; // according to the thesis
};

constexpr Row rows[] = {{"MM", 17, 112, 5, 65, 68},
                        {"MM", 26, 200, 6, 126, 130},
                        {"MM", 65, 704, 9, 513, 520},
                        {"MM", 101, 1300, 11, 1001, 1010},
                        {"MM", 257, 4864, 17, 4097, 4112},
                        {"FFT", 16, 105750, 9000, 143984, 143984},
                        {"FFT", 32, 249750, 11250, 359968, 359968},
                        {"FFT", 64, 573750, 13500, 863936, 863936},
                        {"FFT", 128, 1293750, 15750, 2015872, 2015872},
                        {"HG", 17, 2128, 2001, 32001, 34000},
                        {"HG", 33, 2256, 2001, 64001, 66000},
                        {"HG", 65, 2512, 2001, 128001, 130000},
                        {"HG", 129, 3024, 2001, 256001, 258000},
                        {"NBP", 16, 450, 151, 2400, 2400},
                        {"NBP", 32, 930, 311, 9920, 9920},
                        {"NBP", 64, 1890, 631, 40320, 40320},
                        {"NBP", 128, 3810, 1271, 162560, 162560},
                        {"DES", 17, 1016, 1001, 16001, 17000},
                        {"DES", 33, 1032, 1001, 32001, 33000},
                        {"DES", 65, 1064, 1001, 64001, 65000},
                        {"DES", 129, 1128, 1001, 128001, 129000}};

struct LargerRow {
  const char *name;
  int ranks;
  std::uint32_t buffers; // of each rank; 0: as few as possible
  std::uint64_t superEpochs;
};

constexpr LargerRow largerRows[] = {
    {"MM", 257, 0, 17},    {"MM", 257, 5, 7},    {"MM", 257, 10, 5}, {"FFT", 128, 0, 15750},
    {"FFT", 128, 5, 3375}, {"HG", 129, 0, 2001}, {"HG", 129, 4, 2}};

std::string shape(const std::vector<std::uint32_t> &buffers) {
  std::string text = "(";
  for (std::size_t i : {std::size_t{0}, std::size_t{1}, std::size_t{2}})
    text += std::to_string(buffers[i]) + ", ";
  return text + "..., " + std::to_string(buffers.back()) + ")";
}

bool printRow(const Row &row, std::string &allocations) {
  const EpochAnalysis result = analyze(application(row.name, row.ranks, 0));
  const bool equal =
      result.figures.epochs == row.epochs && result.superEpochs.count == row.superEpochs &&
      result.superEpochs.partial == row.partial && result.superEpochs.full == row.full;
  std::printf("%-5s %4d %9llu %9llu %7u %7llu %9llu %9llu %9llu %9llu %9llu  %s\n", row.name,
              row.ranks, static_cast<unsigned long long>(result.figures.epochs),
              static_cast<unsigned long long>(row.epochs), result.superEpochs.count,
              static_cast<unsigned long long>(row.superEpochs),
              static_cast<unsigned long long>(result.superEpochs.partial),
              static_cast<unsigned long long>(row.partial),
              static_cast<unsigned long long>(result.superEpochs.full),
              static_cast<unsigned long long>(row.full),
              static_cast<unsigned long long>(result.superEpochs.component),
              equal ? "" : "differs");
  const std::vector<std::uint32_t> &whole = result.figures.wholeProgramBuffers;
  char line[256];
  std::snprintf(line, sizeof line, "%-5s %4d  %-22s %6llu  %-26s %6llu\n", row.name, row.ranks,
                shape(result.figures.buffers).c_str(),
                std::accumulate(result.figures.buffers.begin(), result.figures.buffers.end(), 0ULL),
                shape(whole).c_str(), std::accumulate(whole.begin(), whole.end(), 0ULL));
  allocations += line;
  return equal;
}

int printTables() {
  bool equal = true;
  std::string allocations;
  std::printf("Tables 2 and 5, each figure beside the thesis's\n%-5s %4s %9s %9s %7s %7s %9s %9s "
              "%9s %9s %9s\n",
              "", "n", "epochs", "", "super", "", "partial", "", "full", "", "component");
  for (const Row &row : rows)
    equal &= printRow(row, allocations);
  std::printf("\nTable 1. The thesis has, for n ranks\n"
              "  MM   (0, 1, ..., 1)           (n, O(sqrt n), ...)\n"
              "  FFT  (1, ..., 1)              O(log n)\n"
              "  HG   (0, 1, 2, ..., 2, 1)     (3(n-1), 6, 7, ..., 7, 6), 10n-9 in all: the sum of "
              "the vector is 10n-12\n"
              "  NBP  (1, ..., 1)              (n, ..., n)\n"
              "  DES  (0, 1, 2, ..., 2, 1)     (n-1, 2, 4, ..., 4, 2), 5n-9 in all\n"
              "and this analysis per rank and in all, with and without synchronising\n%s",
              allocations.c_str());
  std::printf("\nTable 6, super epochs beside the thesis's\n");
  for (const LargerRow &row : largerRows) {
    const EpochAnalysis result = analyze(application(row.name, row.ranks, 0),
                                         row.buffers ? std::vector<std::uint32_t>{row.buffers}
                                                     : std::vector<std::uint32_t>{});
    equal &= result.superEpochs.count == row.superEpochs;
    std::printf("%-5s %4d  %-22s %7u %7llu\n", row.name, row.ranks, shape(result.buffers).c_str(),
                result.superEpochs.count, static_cast<unsigned long long>(row.superEpochs));
  }
  return equal ? 0 : 1;
}

double processorSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// The run as read from its file. `seconds`: the time to read it and to visit all of its calls.
Profile load(const Profile &written, double &seconds) {
  const std::string file =
      (std::filesystem::temp_directory_path() / ("epochs-" + std::to_string(getpid()) + ".prof"))
          .string();
  writeProfile(written, file);
  const double begin = processorSeconds();
  Profile profile = readProfile(file);
  std::uint64_t calls = 0;
  for (const RankProfile &rank : profile.ranks)
    rank.sequence.forEach([&](std::uint32_t event) {
      calls += rank.events[event].kind == EventKind::Call;
      return true;
    });
  seconds = processorSeconds() - begin;
  std::filesystem::remove(file);
  if (calls == 0)
    std::puts("no calls");
  return profile;
}

int measure(const std::string &name, int ranks, int rounds) {
  double loading = 0;
  const Profile profile = load(application(name, ranks, rounds), loading);
  const double begin = processorSeconds();
  const EpochAnalysis result = analyze(profile);
  const double seconds = processorSeconds() - begin;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf(
      "%-4s %5d ranks %11llu events %9llu epochs %8u super epochs, loaded in %6.3f s, %7.3f "
      "s %6.1f M events/s %6ld MB\n",
      name.c_str(), ranks, static_cast<unsigned long long>(result.events()),
      static_cast<unsigned long long>(result.figures.epochs), result.superEpochs.count, loading,
      seconds, static_cast<double>(result.events()) / seconds / 1e6, usage.ru_maxrss / 1024);
  return 0;
}

} // namespace

} // namespace sendwright

int main(int argc, char **argv) {
  const std::vector<std::string> words(argv, argv + argc);
  if (argc == 2 && words[1] == "tables")
    return sendwright::printTables();
  if (argc == 5 && words[1] == "speed")
    return sendwright::measure(words[2], std::atoi(argv[3]), std::atoi(argv[4]));
  if (argc == 6 && words[1] == "profile") {
    sendwright::writeProfile(
        sendwright::application(words[2], std::atoi(argv[3]), std::atoi(argv[4])), words[5]);
    return 0;
  }
  std::fprintf(stderr, "usage: epoch-benchmark tables | speed APPLICATION RANKS ROUNDS | profile "
                       "APPLICATION RANKS ROUNDS FILE\n");
  return 2;
}
