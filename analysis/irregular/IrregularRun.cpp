// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/irregular/IrregularRun.h"

#include "analysis/irregular/IrregularCalls.h"

#include <algorithm>

namespace sendwright {

namespace {

/// Blocking calls that MPI does by a message for each block: of neighbours, for which no collective
/// algorithm stands; and those with a root, since no other rank knows the sizes that a tree needs.
bool isOfMessages(MpiFunctionId function) {
  return mpiFunction(function).role == MpiRole::NeighborCollective ||
         (canReplace(function) && isRooted(function));
}

class IrregularRun final : public RunBehaviour {
public:
  IrregularRun(const Timeline &timeline, const IrregularCollectives &planned)
      : timeline(timeline), places(timeline), entries(timeline.ranks.size()),
        replacesCalls(!planned.replaced.empty()) {
    for (std::uint32_t number = 0; number < places.all().size(); ++number) {
      const IrregularCalls &calls = places.all()[number];
      const auto replaced =
          std::ranges::find(planned.replaced, calls.calls, &ReplacedIrregular::calls);
      if (replaced != planned.replaced.end())
        add(number, partsOfMembers(planned, *replaced), *replaced);
      else if (isOfMessages(calls.calls.function))
        add(number, std::vector<const RankExchange *>(calls.members().size()), {});
    }
  }

  bool startsTogether() const override { return replacesCalls; }

  bool models(std::uint32_t rank, std::uint32_t event) const override {
    const std::uint32_t number = places.of(rank, event);
    return number != IrregularPlaces::none && isOfMessages(places.all()[number].calls.function) &&
           std::ranges::all_of(places.all()[number].patterns, &IrregularPattern::known);
  }

  std::optional<ScheduledLoop> entered(std::uint32_t rank, std::size_t position) const override {
    const std::vector<Entry> &own = entries[rank];
    const auto found = std::ranges::lower_bound(own, position, {}, &Entry::position);
    if (found == own.end() || found->position != position)
      return {};
    ScheduledLoop loop;
    loop.instance = found->instance;
    loop.schedule = found->pattern->schedule;
    loop.members = found->pattern->members;
    return loop;
  }

private:
  struct Pattern {
    std::shared_ptr<const Schedule> schedule;
    const std::vector<int> *members;
  };
  struct Entry {
    std::size_t position;
    std::uint32_t instance;
    std::shared_ptr<const Pattern> pattern;
  };

  /// Operations whose blocks are not known stay as written.
  void add(std::uint32_t number, const std::vector<const RankExchange *> &parts,
           const ReplacedIrregular &replaced) {
    const IrregularCalls &calls = places.all()[number];
    std::vector<std::shared_ptr<const Pattern>> patterns;
    patterns.reserve(calls.patterns.size());
    for (const IrregularPattern &pattern : calls.patterns)
      patterns.push_back(!pattern.known ? nullptr
                                        : std::make_shared<const Pattern>(Pattern{
                                              std::make_shared<const Schedule>(routedSchedule(
                                                  pattern, calls.members(), parts, replaced)),
                                              &calls.members()}));
    for (const int rank : calls.members())
      addRank(static_cast<std::size_t>(rank), number, patterns);
    instances += static_cast<std::uint32_t>(calls.operations.size());
  }

  void addRank(std::size_t rank, std::uint32_t number,
               const std::vector<std::shared_ptr<const Pattern>> &patterns) {
    const std::vector<std::uint32_t> &operations = places.all()[number].operations;
    const std::vector<std::uint32_t> &events = timeline.ranks[rank].numbers;
    std::uint32_t operation = 0;
    for (std::size_t position = 0; position < events.size() && operation < operations.size();
         ++position) {
      if (places.of(rank, events[position]) != number)
        continue;
      if (const auto &pattern = patterns[operations[operation]])
        entries[rank].push_back({position, instances + operation, pattern});
      ++operation;
    }
    std::ranges::sort(entries[rank], {}, &Entry::position);
  }

  const Timeline &timeline;
  IrregularPlaces places;
  std::vector<std::vector<Entry>> entries; // by rank
  const bool replacesCalls;
  std::uint32_t instances = 0;
};

bool hasCallsOfMessages(const Timeline &timeline) {
  return std::ranges::any_of(timeline.ranks, [](const RankTimeline &rank) {
    return std::ranges::any_of(rank.profile->events, [](const Event &event) {
      return event.kind == EventKind::Call && isOfMessages(event.function);
    });
  });
}

} // namespace

std::unique_ptr<RunBehaviour> irregularRun(const SimulatedPlan &run) {
  const IrregularCollectives &planned = run.plan.of<IrregularCollectives>();
  if (planned.replaced.empty() && !hasCallsOfMessages(run.timeline))
    return nullptr;
  return std::make_unique<IrregularRun>(run.timeline, planned);
}

std::unique_ptr<RunBehaviour> irregularRunAsWritten(const Timeline &timeline) {
  if (!hasCallsOfMessages(timeline))
    return nullptr;
  return std::make_unique<IrregularRun>(timeline, IrregularCollectives());
}

} // namespace sendwright
