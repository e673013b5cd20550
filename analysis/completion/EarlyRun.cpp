// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A simulated run with early completion. A send belongs to the innermost loop around it that the
// plan rewrites, as at run time. A rank remembers its copies until they have left; a send that no
// longer fits beside them waits for its receiver.

#include "analysis/completion/EarlyRun.h"

#include "analysis/completion/EarlyCompletion.h"
#include "analysis/completion/WaitingSends.h"

#include <algorithm>

namespace sendwright {

namespace {

/// Seconds for each byte that is copied: 5 GB/s, as one core copies memory.
constexpr double copySecondsPerByte = 2e-10;

/// The positions of one rank at which the innermost planned loop completes its sends early.
class EarlyPositions {
public:
  EarlyPositions(const SimulatedPlan &run, const RankTimeline &events) : run(run) {
    covered.reserve(events.size());
    for (std::size_t position = 0; position < events.size(); ++position) {
      const Event &event = events.at(position);
      if (event.kind == EventKind::SiteEnter)
        open.push_back(event.site);
      else if (event.kind == EventKind::SiteLeave)
        leave(event.site);
      covered.push_back(isEarly(event) ? 1 : 0);
    }
  }

  bool contains(std::size_t position) const { return covered[position] != 0; }

private:
  /// Leaves the loop of this site, and inner loops whose end was not recorded.
  void leave(int site) {
    const auto found = std::find(open.rbegin(), open.rend(), site);
    if (found != open.rend())
      open.erase(found.base() - 1, open.end());
  }

  bool isEarly(const Event &event) const {
    for (auto site = open.rbegin(); site != open.rend(); ++site)
      if (run.planned.contains(*site))
        return completesEarly(*site);
    return completesEarly(event.site); // text traces do not mark where loops begin
  }

  bool completesEarly(int site) const {
    const auto planned = run.planned.find(site);
    const std::vector<std::uint32_t> &sites = run.plan.of<EarlyCompletions>().sites;
    return planned != run.planned.end() &&
           std::binary_search(sites.begin(), sites.end(), planned->second);
  }

  const SimulatedPlan &run;
  std::vector<int> open; // sites of the loops around the event, outermost first
  std::vector<char> covered;
};

class EarlyRun final : public RunBehaviour {
public:
  explicit EarlyRun(const SimulatedPlan &run)
      : simulation(run.simulation), least(run.plan.of<EarlyCompletions>().least),
        most(run.plan.of<EarlyCompletions>().most), copies(run.timeline.ranks.size()) {
    for (const RankTimeline &rank : run.timeline.ranks)
      positions.emplace_back(run, rank);
  }

  std::optional<double> copySeconds(std::uint32_t rank, std::size_t position, std::uint32_t message,
                                    const Event &event) override {
    if (event.bytes < least || event.bytes > most ||
        !isStandardSend(mpiFunction(event.function).role) || !positions[rank].contains(position))
      return {};
    std::vector<Copy> &own = copies[rank];
    std::erase_if(own, [&](const Copy &copy) {
      return simulation.leaves(copy.message) <= simulation.clock[rank];
    });
    std::uint64_t bytes = event.bytes;
    for (const Copy &copy : own)
      bytes += copy.bytes;
    if (bytes > most)
      return {};
    own.push_back({message, event.bytes});
    return copySecondsPerByte * static_cast<double>(event.bytes);
  }

private:
  struct Copy {
    std::uint32_t message;
    std::uint64_t bytes;
  };

  const MessageSimulation &simulation;
  std::uint64_t least, most;
  std::vector<EarlyPositions> positions; // by rank
  std::vector<std::vector<Copy>> copies; // likewise: under way
};

} // namespace

std::unique_ptr<RunBehaviour> earlyRun(const SimulatedPlan &run) {
  if (run.plan.of<EarlyCompletions>().sites.empty())
    return nullptr;
  return std::make_unique<EarlyRun>(run);
}

} // namespace sendwright
