// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/show/EpochReport.h"

#include "analysis/file/Escaping.h"
#include "tool/command/base/NumberListOption.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace sendwright {

namespace {

constexpr std::size_t shownPlaces = 10;

/// Ranks with the same needs.
struct BuffersRow {
  std::string ranks;
  std::uint32_t before = 0, after = 0;
};

constexpr std::size_t mostRowsOfRanks = 12;

/// Consecutive ranks share a row.
std::vector<BuffersRow> rowsOfRanks(const std::vector<std::uint32_t> &before,
                                    const std::vector<std::uint32_t> &after) {
  std::vector<BuffersRow> rows;
  for (std::size_t first = 0; first < before.size();) {
    std::size_t end = first;
    while (end < before.size() && before[end] == before[first] && after[end] == after[first])
      ++end;
    rows.push_back(
        {std::to_string(first) + (end - first > 1 ? " to " + std::to_string(end - 1) : ""),
         before[first], after[first]});
    first = end;
  }
  return rows;
}

/// All ranks with the same needs share a row; the greatest needs come first, and the ranks with the
/// least needs share the last row, where there would be too many.
std::vector<BuffersRow> rowsOfNeeds(const std::vector<std::uint32_t> &before,
                                    const std::vector<std::uint32_t> &after) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t, std::greater<>> counts;
  for (std::size_t rank = 0; rank < before.size(); ++rank)
    ++counts[{before[rank], after[rank]}];
  std::vector<BuffersRow> rows;
  std::size_t left = before.size();
  for (const auto &[needs, count] : counts) {
    const bool isLast = rows.size() + 1 == mostRowsOfRanks && count < left;
    rows.push_back({std::to_string(isLast ? left : count) + (left == 1 ? " rank" : " ranks") +
                        (isLast ? ", at most" : ""),
                    needs.first, needs.second});
    left -= count;
    if (isLast)
      break;
  }
  return rows;
}

void printBuffers(std::FILE *out, const EpochAnalysis &result) {
  const std::vector<std::uint32_t> &before = result.figures.wholeProgramBuffers,
                                   &after = result.buffers;
  std::vector<BuffersRow> rows = rowsOfRanks(before, after);
  const bool byRank = rows.size() <= mostRowsOfRanks;
  if (!byRank)
    rows = rowsOfNeeds(before, after);
  std::fprintf(out, "\n%-16s %22s %22s\n", byRank ? "buffers of rank" : "buffers of each",
               "without synchronising", "with");
  for (const BuffersRow &row : rows)
    std::fprintf(out, "  %-20s %16u %22u\n", row.ranks.c_str(), row.before, row.after);
  const auto sum = [](const std::vector<std::uint32_t> &numbers) {
    return static_cast<unsigned long long>(
        std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0}));
  };
  std::fprintf(out, "  %-20s %16llu %22llu\n", "all", sum(before), sum(after));
}

void printSynchronizations(std::FILE *out, const SuperEpochs &superEpochs) {
  std::fprintf(out, "\n%u super epochs. Synchronisations, counted at every rank that takes part:\n",
               superEpochs.count);
  const std::pair<const char *, std::uint64_t> rows[] = {
      {"full (all ranks)", superEpochs.full},
      {"partial (ranks active in the super epoch)", superEpochs.partial},
      {"component (ranks that exchange messages)", superEpochs.component}};
  for (const auto &[name, count] : rows)
    std::fprintf(out, "  %-42s %12llu\n", name, static_cast<unsigned long long>(count));
}

void printPlaces(std::FILE *out, const Profile &profile, const EpochAnalysis &result) {
  const std::vector<PlaceCount> places = placesInNeed(profile, result);
  if (places.empty())
    return;
  std::fprintf(out, "\nmessages that need a buffer are sent at\n");
  for (std::size_t i = 0; i < std::min(places.size(), shownPlaces); ++i)
    std::fprintf(out, "  %-42s %12llu\n",
                 places[i].name.empty() ? "(unknown)" : printable(places[i].name).c_str(),
                 static_cast<unsigned long long>(places[i].count));
  if (places.size() > shownPlaces)
    std::fprintf(out, "  and %zu more places\n", places.size() - shownPlaces);
}

} // namespace

void addBuffersOption(CLI::App &command, std::string &buffers, const std::string &description) {
  addNumberListOption(command, "--buffers", buffers, description,
                      {"N|LIST|@FILE", "numbers of buffers", UINT32_MAX});
}

void printEpochReport(std::FILE *out, const Profile &profile, const EpochAnalysis &result) {
  std::fprintf(out, "%u ranks, %llu messages, %llu epochs, %llu of them complex\n\n",
               result.graph.ranks(), static_cast<unsigned long long>(result.graph.messages),
               static_cast<unsigned long long>(result.figures.epochs),
               static_cast<unsigned long long>(result.figures.complexEpochs));
  std::fprintf(
      out, result.safeWithoutBuffers()
               ? "Safe without buffers: no send of this run ever needs one.\n"
               : "Not safe without buffers: where MPI buffers no messages, this run deadlocks.\n");
  if (result.graph.wildcardReceives > 0)
    std::fprintf(
        out,
        "This depends on which messages %llu receives from any source took in the recorded run.\n",
        static_cast<unsigned long long>(result.graph.wildcardReceives));
  printBuffers(out, result);
  printSynchronizations(out, result.superEpochs);
  printPlaces(out, profile, result);
}

} // namespace sendwright
