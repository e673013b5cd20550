// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Irregular collectives in the plan file: what ranks follow, and what people read about it.

#include "analysis/file/Container.h"
#include "analysis/irregular/IrregularCollectives.h"
#include "analysis/irregular/IrregularRefusal.h"
#include "analysis/transformation/PlanSections.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

namespace sendwright {

namespace {

constexpr std::uint32_t irregularTag = 13, irregularDecisionsTag = 14, irregularRoutesTag = 15;

bool replacesIrregular(const RankCountPlan &plan) {
  return !plan.of<IrregularCollectives>().replaced.empty();
}

bool decidesIrregular(const RankCountPlan &plan) {
  return !plan.of<IrregularCollectives>().decisions.empty();
}

std::optional<std::string> encodeReplaced(const RankCountPlan &plan, std::size_t /*rank*/) {
  ByteWriter out;
  encodeIrregular(out, plan.of<IrregularCollectives>().replaced);
  return out.take();
}

void decodeReplaced(ByteReader &in, RankCountPlan &plan, int rankCount, int /*rank*/) {
  plan.of<IrregularCollectives>().replaced = decodeIrregular(in, rankCount);
}

std::optional<std::string> encodeIrregularReasons(const RankCountPlan &plan, std::size_t /*rank*/) {
  ByteWriter out;
  encodeIrregularDecisions(out, plan.of<IrregularCollectives>().decisions);
  return out.take();
}

void decodeIrregularReasons(ByteReader &in, RankCountPlan &plan, int rankCount, int /*rank*/) {
  plan.of<IrregularCollectives>().decisions = decodeIrregularDecisions(in, rankCount);
}

bool routesIrregular(const RankCountPlan &plan) {
  return std::ranges::any_of(plan.of<IrregularCollectives>().replaced,
                             [](const ReplacedIrregular &one) { return one.stages > 0; });
}

std::optional<std::string> encodeRoutesOfIrregular(const RankCountPlan &plan, std::size_t rank) {
  ByteWriter out;
  encodeParts(out, plan.of<IrregularCollectives>().routes.at(rank));
  return out.take();
}

void decodeRoutesOfIrregular(ByteReader &in, RankCountPlan &plan, int rankCount, int rank) {
  IrregularCollectives &own = plan.of<IrregularCollectives>();
  own.routes.push_back(readWhole(in, [&](ByteReader &whole) {
    return decodeIrregularRoutes(whole, rankCount, rank, own.replaced);
  }));
}

/// What one rank sends and another receives, as each says it: sender, receiver, stage, and the
/// messages by source and destination.
using ToldTransfer = std::tuple<int, int, std::size_t, std::vector<std::pair<int, int>>>;

void addTransfers(const RankExchange &part, int rank, bool sent, std::vector<ToldTransfer> &told) {
  for (std::size_t stage = 0; stage < part.stages.size(); ++stage)
    for (const Transfer &transfer : sent ? part.stages[stage].sends : part.stages[stage].receives) {
      std::vector<std::pair<int, int>> messages;
      messages.reserve(transfer.messages.size());
      for (const std::uint32_t message : transfer.messages)
        messages.emplace_back(part.messages[message].source, part.messages[message].destination);
      told.emplace_back(sent ? rank : transfer.peer, sent ? transfer.peer : rank, stage, messages);
    }
}

/// What a part shows by itself, if something is wrong.
std::optional<std::string> problemOf(const RankExchange &part, int rank,
                                     const ReplacedIrregular &replaced) {
  const std::vector<int> &members = replaced.calls.communicator.members;
  if (std::ranges::find(members, rank) == members.end())
    return "an irregular collective's route through rank " + std::to_string(rank) +
           ", which is not in its communicator";
  if (!hasRoom(part, replaced))
    return "a combined message of an irregular collective that is too large";
  return {};
}

/// The first function that is replaced twice on one communicator, or null.
const ReplacedIrregular *replacedTwice(const std::vector<ReplacedIrregular> &all) {
  for (auto one = all.begin(); one != all.end(); ++one)
    if (std::ranges::find(all.begin(), one, one->calls, &ReplacedIrregular::calls) != one)
      return &*one;
  return nullptr;
}

ByteWriter describe(std::uint32_t number, const ToldTransfer &told) {
  const auto &[from, to, stage, messages] = told;
  ByteWriter out;
  out.text("combined message of an irregular collective");
  for (const std::uint64_t one : {std::uint64_t(number), std::uint64_t(stage)})
    out.number(one);
  for (const int rank : {from, to})
    out.signedNumber(rank);
  for (const auto &[source, destination] : messages) {
    out.signedNumber(source);
    out.signedNumber(destination);
  }
  return out;
}

/// Ranks wait for combined messages: everything that one rank awaits another must send.
std::optional<std::string> contradictionInRoutes(const IrregularCollectives &own, int rankCount) {
  if (own.routes.size() != static_cast<std::size_t>(rankCount))
    return "ranks without a part of an irregular collective's routes";
  for (std::uint32_t number = 0; number < own.replaced.size(); ++number) {
    std::vector<ToldTransfer> sent, received;
    for (int rank = 0; rank < rankCount; ++rank)
      for (const RankExchange &part : own.routes[static_cast<std::size_t>(rank)]) {
        if (part.exchange != number)
          continue;
        if (std::optional<std::string> problem = problemOf(part, rank, own.replaced[number]))
          return problem;
        addTransfers(part, rank, true, sent);
        addTransfers(part, rank, false, received);
      }
    std::ranges::sort(sent);
    std::ranges::sort(received);
    if (sent != received)
      return "a combined message of an irregular collective that only one of its ranks knows";
  }
  return {};
}

class IrregularInPlan final : public PlanSections {
public:
  std::string_view stem() const override { return irregularStem; }

  std::vector<PlanSection> sections() const override {
    return {{.tag = irregularTag,
             .duringRuns = true,
             .optional = true,
             .isDue = replacesIrregular,
             .encode = encodeReplaced,
             .decode = decodeReplaced},
            {.tag = irregularDecisionsTag,
             .optional = true,
             .isDue = decidesIrregular,
             .encode = encodeIrregularReasons,
             .decode = decodeIrregularReasons},
            {.tag = irregularRoutesTag,
             .ofEachRank = true,
             .duringRuns = true,
             .isDue = routesIrregular,
             .encode = encodeRoutesOfIrregular,
             .decode = decodeRoutesOfIrregular}};
  }

  bool isFollowedTogether() const override { return true; }

  std::optional<std::string> contradictionAmongRanks(const RankCountPlan &plan,
                                                     int rankCount) const override {
    const IrregularCollectives &all = plan.of<IrregularCollectives>();
    if (const ReplacedIrregular *twice = replacedTwice(all.replaced))
      return std::string(mpiFunction(twice->calls.function).name) + " on one communicator twice";
    return routesIrregular(plan) ? contradictionInRoutes(all, rankCount) : std::nullopt;
  }

  bool isCheckedBySum() const override { return true; }
  void addToSum(const RankCountPlan &own, int /*rankCount*/, int rank,
                JointSum &sum) const override {
    const IrregularCollectives &all = own.of<IrregularCollectives>();
    if (replacedTwice(all.replaced))
      return sum.spoil();
    for (const RankExchange &part : ownEntry(all.routes)) {
      if (problemOf(part, rank, all.replaced[part.exchange]))
        return sum.spoil();
      std::vector<ToldTransfer> sent, received;
      addTransfers(part, rank, true, sent);
      addTransfers(part, rank, false, received);
      for (const ToldTransfer &told : sent)
        sum.add(describe(part.exchange, told));
      for (const ToldTransfer &told : received)
        sum.subtract(describe(part.exchange, told));
    }
  }

  bool concernsWholeRun(const RankCountPlan &plan) const override {
    return replacesIrregular(plan);
  }

  std::vector<std::string> otherFiles(const RankCountPlan &plan) const override {
    std::vector<std::string> files;
    for (const IrregularDecision &decision : plan.of<IrregularCollectives>().decisions)
      for (const SiteIdentity &site : decision.sites)
        files.push_back(site.file);
    return files;
  }

  /// The calls are steps of the run that is synchronised.
  void leaveSites(RankCountPlan &plan) const override {
    IrregularCollectives &own = plan.of<IrregularCollectives>();
    own.replaced.clear();
    own.routes.clear();
    for (IrregularDecision &decision : own.decisions)
      if (std::exchange(decision.replaced, false))
        decision.reason = textOf(IrregularRefusal{.obstacle = IrregularObstacle::BuffersPlanned});
  }
};

} // namespace

const PlanSections &sectionsOfIrregularCollectives();
const PlanSections &sectionsOfIrregularCollectives() {
  static const IrregularInPlan content;
  return content;
}

bool plansIrregularCollectives(const void *data, std::size_t size, int rankCount) noexcept {
  return listsSection({static_cast<const char *>(data), size},
                      {irregularTag, static_cast<std::uint32_t>(rankCount), 0});
}

} // namespace sendwright
