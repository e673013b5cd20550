// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/EpochReport.h"

#include "analysis/file/Escaping.h"
#include "tool/command/NumberListOption.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace sendwright {

namespace {

constexpr std::size_t shownPlaces = 10;

/// Consecutive ranks with the same needs share a line.
void printBuffers(std::FILE *out, const EpochAnalysis &result) {
  std::fprintf(out, "\n%-16s %22s %22s\n", "buffers of rank", "without synchronising", "with");
  const std::vector<std::uint32_t> &before = result.figures.wholeProgramBuffers,
                                   &after = result.buffers;
  std::uint64_t totalBefore = 0, totalAfter = 0;
  for (std::size_t first = 0; first < before.size();) {
    std::size_t end = first;
    for (; end < before.size() && before[end] == before[first] && after[end] == after[first];
         ++end) {
      totalBefore += before[end];
      totalAfter += after[end];
    }
    const std::string ranks =
        std::to_string(first) + (end - first > 1 ? " to " + std::to_string(end - 1) : "");
    std::fprintf(out, "  %-14s %22u %22u\n", ranks.c_str(), before[first], after[first]);
    first = end;
  }
  std::fprintf(out, "  %-14s %22llu %22llu\n", "all", static_cast<unsigned long long>(totalBefore),
               static_cast<unsigned long long>(totalAfter));
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
