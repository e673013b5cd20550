// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans: a plan that is read is shown, encoded again, and taken apart for each rank as a running
// program does; a run on as many ranks is simulated under it, and with every fourth plan reported.

#include "analysis/collectives/CollectivesInPlan.h"
#include "analysis/epochs/steps/SynchronizationInPlan.h"
#include "analysis/file/FormatError.h"
#include "analysis/sharing/ExchangesInPlan.h"
#include "test/fuzz/Commands.h"
#include "test/fuzz/Containers.h"
#include "test/fuzz/Mutator.h"
#include "test/fuzz/PlanMutations.h"
#include "test/fuzz/Scratch.h"

#include <functional>
#include <optional>

using namespace sendwright;
using namespace sendwright::fuzz;

namespace {

std::optional<Plan> decoded(std::string_view bytes) {
  try {
    return decodePlan(bytes.data(), bytes.size(), "input.plan");
  } catch (const FormatError &) {
    return std::nullopt;
  }
}

void checkEncoding(const Plan &plan) {
  const std::string once = bytesOf(plan);
  const std::optional<Plan> again = decoded(once);
  if (!again)
    finding("what was encoded cannot be decoded");
  if (bytesOf(*again) != once)
    finding("a plan changes when it is encoded and decoded");
}

/// A rank reads only its own sections, so it may not see why a whole plan is refused.
void readAsRanks(std::string_view bytes, int ranks) {
  sharesMessages(bytes.data(), bytes.size(), ranks);
  plansCollectives(bytes.data(), bytes.size(), ranks);
  const bool synchronizes = synchronizesRun(bytes.data(), bytes.size(), ranks);
  for (int rank = 0; rank < ranks; ++rank)
    try {
      decodeRankPlan(bytes.data(), bytes.size(), "input.plan", ranks, rank);
      if (synchronizes)
        synchronizationsOf(decodeRankSteps(bytes.data(), bytes.size(), "input.plan", ranks, rank));
    } catch (const FormatError &) {
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const std::string_view bytes = viewOf(data, size);
  readAsRanks(bytes, 4);
  const std::string file = writeScratch("input.plan", bytes);
  const std::optional<Plan> plan = decoded(bytes);
  if (!plan)
    return run({"show", file}) ? (finding("shown, but not read"), 0) : 0;
  for (const auto &[ranks, part] : plan->rankCounts)
    readAsRanks(bytes, ranks);
  checkEncoding(*plan);
  run({"show", file});
  run({"show", file, "--json"});
  const bool isReported = std::hash<std::string_view>()(bytes) % 4 == 0;
  for (const char *profile : {"exchanges.trace", "collectives.trace"}) {
    run({"simulate", inputFile(profile), "--plan", file});
    if (isReported)
      report({inputFile(profile), "--plan", file});
  }
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t *data, std::size_t size,
                                               std::size_t mostSize, unsigned seed) {
  Draw draw(seed);
  const std::string_view bytes = viewOf(data, size);
  if (draw.oneIn(64))
    return LLVMFuzzerMutate(data, size, mostSize);
  if (std::optional<Plan> plan = draw.oneIn(8) ? std::nullopt : decoded(bytes)) {
    for (std::size_t changes = 1 + draw.below(3); changes > 0; --changes)
      mutatePlan(*plan, draw);
    if (const std::string changed = bytesOf(*plan); !changed.empty())
      return handOver(changed, data, size, mostSize);
  }
  std::optional<OpenContainer> container = takeApart(bytes);
  if (!container)
    return LLVMFuzzerMutate(data, size, mostSize);
  changeSections(*container, draw, mutateBytes);
  return handOver(putTogether(*container), data, size, mostSize);
}
