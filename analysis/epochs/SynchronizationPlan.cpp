// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/epochs/SynchronizationPlan.h"

#include <algorithm>
#include <map>

namespace sendwright {

namespace {

constexpr std::uint64_t maximumEvents = std::uint64_t{1} << 48;

/// The ranks that wait for one another: per component, or per super epoch.
class Groups {
public:
  Groups(const EpochAnalysis &analysis, SynchronizationKind kind) : kind(kind) {
    const SuperEpochs &superEpochs = analysis.superEpochs;
    members.resize(kind == SynchronizationKind::Component ? superEpochs.componentSizes.size()
                   : kind == SynchronizationKind::Partial ? superEpochs.count
                                                          : 1);
    if (kind == SynchronizationKind::Full)
      for (std::uint32_t rank = 0; rank < analysis.graph.ranks(); ++rank)
        members[0].push_back(rank);
    else
      for (std::uint32_t rank = 0; rank < analysis.graph.ranks(); ++rank)
        for (const RankSuperEpoch &part : superEpochs.ranks[rank])
          members[number(part)].push_back(rank);
    shareEqual();
  }

  /// The same for equal groups.
  std::uint32_t of(const RankSuperEpoch &part) const { return canonical[number(part)]; }
  const std::vector<std::uint32_t> &list(std::uint32_t group) const { return members[group]; }

private:
  std::uint32_t number(const RankSuperEpoch &part) const {
    return kind == SynchronizationKind::Component ? part.component
           : kind == SynchronizationKind::Partial ? part.superEpoch
                                                  : 0;
  }

  void shareEqual() {
    std::map<std::vector<std::uint32_t>, std::uint32_t> known;
    for (std::uint32_t group = 0; group < members.size(); ++group) {
      auto [place, isNew] = known.try_emplace(members[group], group);
      canonical.push_back(place->second);
      if (!isNew)
        std::vector<std::uint32_t>().swap(members[group]);
    }
  }

  SynchronizationKind kind;
  std::vector<std::vector<std::uint32_t>> members;
  std::vector<std::uint32_t> canonical;
};

/// Communication events of a node (see the header).
std::uint64_t eventsOf(const CommunicationGraph &graph, Node node) {
  const NodeType &type = graph.types[graph.type[node]];
  if (type.kind == NodeKind::Start || (type.exchange && type.kind == NodeKind::Wait))
    return 0;
  if (type.kind != NodeKind::Wait)
    return 1;
  std::uint64_t requests = 0;
  graph.forEachCompleted(node, [&](Node) { ++requests; });
  return requests;
}

class RankPlanner {
public:
  RankPlanner(const Profile &profile, const EpochAnalysis &analysis, const Groups &groups,
              SynchronizationKind kind, std::uint32_t rank)
      : profile(profile), analysis(analysis), graph(analysis.graph), groups(groups), kind(kind),
        rank(rank), node(graph.begin[rank]) {}

  RankSynchronization plan() {
    const std::vector<RankSuperEpoch> &parts = analysis.superEpochs.ranks[rank];
    std::uint32_t next = 0; // the super epoch before which to synchronise next
    std::uint32_t end = 0;
    for (const RankSuperEpoch &part : parts) {
      if (kind == SynchronizationKind::Full)
        for (next = std::max(next, 1U); next <= part.superEpoch; ++next)
          step(end, part);
      else if (part.superEpoch > 0 && groups.list(groups.of(part)).size() > 1)
        step(end, part);
      end = part.end;
    }
    if (kind == SynchronizationKind::Full)
      for (next = std::max(next, 1U); next < analysis.superEpochs.count; ++next)
        step(end, {});
    advance(graph.begin[rank + 1] - graph.begin[rank] - 1);
    result.events = events;
    result.buffers = analysis.buffers[rank];
    result.sequence = builder.grammar();
    finishPlaces();
    return std::move(result);
  }

private:
  void advance(std::uint32_t end) {
    for (; node - graph.begin[rank] <= end && node < graph.begin[rank + 1]; ++node)
      events += eventsOf(graph, node);
  }

  void step(std::uint32_t end, const RankSuperEpoch &part) {
    advance(end);
    const std::uint32_t group = groups.of(part);
    auto [place, isNewGroup] =
        groupNumbers.try_emplace(group, static_cast<std::uint32_t>(result.groups.size()));
    if (isNewGroup)
      result.groups.push_back(groups.list(group));
    const SynchronizationStep step{events - eventsBefore, place->second};
    eventsBefore = events;
    auto [number, isNew] =
        stepNumbers.try_emplace(step, static_cast<std::uint32_t>(result.steps.size()));
    if (isNew)
      result.steps.push_back(step);
    builder.append(number->second);
    if (end > 0)
      ++countsByType[graph.type[graph.begin[rank] + end]];
  }

  void finishPlaces() {
    std::map<std::pair<int, std::string>, std::uint64_t> counts;
    for (const auto &[type, count] : countsByType) {
      const Event &event = profile.ranks[rank].events[graph.types[type].event];
      counts[{event.site, event.site >= 0 ? "" : callPlace(profile, profile.ranks[rank], event)}] +=
          count;
    }
    for (const auto &[place, count] : counts)
      result.places.push_back({place.first, place.second, count});
    std::stable_sort(result.places.begin(), result.places.end(),
                     [](const SynchronizationPlace &first, const SynchronizationPlace &second) {
                       return first.count > second.count;
                     });
  }

  const Profile &profile;
  const EpochAnalysis &analysis;
  const CommunicationGraph &graph;
  const Groups &groups;
  SynchronizationKind kind;
  std::uint32_t rank;
  Node node;
  RankSynchronization result;
  GrammarBuilder builder;
  std::uint64_t events = 0, eventsBefore = 0;
  std::map<std::uint32_t, std::uint32_t> groupNumbers;
  std::map<SynchronizationStep, std::uint32_t> stepNumbers;
  std::map<std::uint32_t, std::uint64_t> countsByType;
};

void encodeGrammar(ByteWriter &out, const Grammar &grammar) {
  out.number(grammar.rules.size());
  for (const std::vector<GrammarItem> &rule : grammar.rules) {
    out.number(rule.size());
    for (const GrammarItem &item : rule) {
      out.number(std::uint64_t{item.symbol} << 1 | item.isRule);
      out.number(item.repetitions);
    }
  }
}

Grammar decodeGrammar(ByteReader &in, std::uint32_t numbers) {
  Grammar grammar;
  grammar.rules.resize(in.count());
  for (std::vector<GrammarItem> &rule : grammar.rules) {
    rule.resize(in.count(2));
    for (GrammarItem &item : rule) {
      const std::uint64_t symbol =
          in.number((std::uint64_t{UINT32_MAX} << 1) + 1, "symbol of a grammar");
      item.symbol = static_cast<std::uint32_t>(symbol >> 1);
      item.isRule = (symbol & 1) != 0;
      item.repetitions = in.number();
    }
  }
  if (!grammar.valid(numbers))
    in.fail("a grammar that is not well-formed");
  return grammar;
}

} // namespace

bool RankSynchronization::operator==(const RankSynchronization &other) const {
  return events == other.events && buffers == other.buffers && groups == other.groups &&
         steps == other.steps && sequence.rules == other.sequence.rules && places == other.places;
}

SynchronizationPlan makeSynchronizationPlan(const Profile &profile, const EpochAnalysis &analysis,
                                            SynchronizationKind kind) {
  SynchronizationPlan plan;
  plan.kind = kind;
  plan.superEpochs = analysis.superEpochs.count;
  const Groups groups(analysis, kind);
  for (std::uint32_t rank = 0; rank < analysis.graph.ranks(); ++rank)
    plan.ranks.push_back(RankPlanner(profile, analysis, groups, kind, rank).plan());
  return plan;
}

void encodeRankSynchronization(ByteWriter &out, const RankSynchronization &rank) {
  out.number(rank.events);
  out.number(rank.buffers);
  out.number(rank.groups.size());
  for (const std::vector<std::uint32_t> &group : rank.groups) {
    out.number(group.size());
    std::uint32_t before = 0;
    for (std::uint32_t member : group) {
      out.number(member - before);
      before = member;
    }
  }
  out.number(rank.steps.size());
  for (const SynchronizationStep &step : rank.steps) {
    out.number(step.events);
    out.number(step.group);
  }
  encodeGrammar(out, rank.sequence);
  out.number(rank.places.size());
  for (const SynchronizationPlace &place : rank.places) {
    out.signedNumber(place.site);
    out.text(place.caller);
    out.number(place.count);
  }
}

RankSynchronization decodeRankSynchronization(ByteReader &in, std::uint32_t ranks,
                                              std::uint32_t sites) {
  RankSynchronization rank;
  rank.events = in.number(maximumEvents, "number of events");
  rank.buffers = static_cast<std::uint32_t>(in.number(UINT32_MAX, "number of buffers"));
  rank.groups.resize(in.count());
  for (std::vector<std::uint32_t> &group : rank.groups) {
    group.resize(in.count());
    std::uint64_t member = 0;
    for (std::size_t i = 0; i < group.size(); ++i) {
      const std::uint64_t step = in.number(ranks, "rank of a group");
      member += step;
      if (member >= ranks || (i > 0 && step == 0))
        in.fail("a group whose ranks do not ascend, or do not exist");
      group[i] = static_cast<std::uint32_t>(member);
    }
  }
  rank.steps.resize(in.count(2));
  for (SynchronizationStep &step : rank.steps) {
    step.events = in.number(maximumEvents, "number of events");
    step.group = static_cast<std::uint32_t>(in.number(UINT32_MAX, "group"));
    if (step.group >= rank.groups.size())
      in.fail("a step of a group that does not exist");
  }
  rank.sequence = decodeGrammar(in, static_cast<std::uint32_t>(rank.steps.size()));
  rank.places.resize(in.count(3));
  for (SynchronizationPlace &place : rank.places) {
    place.site = static_cast<int>(in.signedNumber(noSite, std::int64_t{sites} - 1, "site"));
    place.caller = in.text();
    place.count = in.number();
  }
  return rank;
}

} // namespace sendwright
