// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/fuzz/ProfileMutations.h"

#include "test/fuzz/Scratch.h"

#include <algorithm>
#include <limits>

namespace sendwright::fuzz {

namespace {

void mutateMatch(WildcardMatch &match, std::size_t ranks, Draw &draw) {
  switch (draw.below(4)) {
  case 0:
    return draw.change(match.request);
  case 1:
    return draw.changeIndex(match.source, ranks);
  case 2:
    return draw.change(match.tag);
  default:
    draw.change(match.bytes);
  }
}

void mutateMoved(MovedMessage &moved, std::size_t ranks, Draw &draw) {
  switch (draw.below(4)) {
  case 0:
    return draw.changeIndex(moved.peer, ranks);
  case 1:
    return draw.change(moved.received);
  case 2:
    return draw.change(moved.bytes);
  default:
    draw.change(moved.chunkBytes);
  }
}

/// An event's lists: half of the changes are to their elements.
void mutateLists(Event &event, std::size_t ranks, Draw &draw) {
  switch (draw.below(6)) {
  case 0:
    event.requests.push_back(static_cast<int>(draw.below(4)));
    return;
  case 1:
    return draw.rearrange(event.requests);
  case 2:
    event.matches.emplace_back().source = static_cast<int>(draw.below(ranks));
    return;
  case 3:
    if (!event.matches.empty())
      mutateMatch(*draw.pick(event.matches), ranks, draw);
    return;
  case 4:
    event.moved.push_back({static_cast<int>(draw.below(ranks)), draw.oneIn(2), 1 + draw.below(64),
                           1 + draw.below(64)});
    return;
  default:
    if (!event.moved.empty())
      mutateMoved(*draw.pick(event.moved), ranks, draw);
  }
}

void mutateEvent(Event &event, const Profile &profile, const RankProfile &rank, Draw &draw) {
  const std::size_t ranks = profile.ranks.size();
  switch (draw.below(15)) {
  case 0:
    event.kind = static_cast<EventKind>(draw.below(5));
    return;
  case 1:
  case 2:
    event.function = static_cast<MpiFunctionId>(draw.below(mpiFunctionCount()));
    return;
  case 3:
    event.peer = static_cast<int>(draw.below(ranks + 3)) - 3;
    return;
  case 4:
    event.tag = draw.oneIn(4) ? anyTag : static_cast<int>(draw.below(4));
    return;
  case 5:
    return draw.changeIndex(event.communicator, rank.communicators.size());
  case 6:
    return draw.change(event.bytes);
  case 7:
    return draw.changeIndex(event.site, profile.sites.size());
  case 8:
    return draw.changeIndex(event.call, profile.callSites.size());
  case 9:
    event.receivePeer = static_cast<int>(draw.below(ranks + 3)) - 3;
    return;
  case 10:
    return draw.oneIn(2) ? draw.change(event.receiveTag) : draw.change(event.receiveBytes);
  case 11:
    return draw.changeIndex(event.address, rank.callers.size() + 1);
  case 12:
    return draw.oneIn(2) ? draw.change(event.seconds) : draw.change(event.time);
  default:
    mutateLists(event, ranks, draw);
  }
}

/// Adds a new kind of event: an existing event with a change, at some place of the sequence.
void addEvent(const Profile &profile, RankProfile &rank, Draw &draw) {
  const RankProfile &other = profile.ranks[draw.below(profile.ranks.size())];
  Event event = other.events.empty() ? Event() : other.events[draw.below(other.events.size())];
  mutateEvent(event, profile, rank, draw);
  rank.events.push_back(event);
  if (!rank.statistics.empty())
    rank.statistics.push_back(EventStatistics(rank.statistics[draw.below(rank.statistics.size())]));
  if (rank.sequence.rules.empty())
    rank.sequence.rules.emplace_back();
  std::vector<GrammarItem> &rule = *draw.pick(rank.sequence.rules);
  rule.insert(rule.begin() + static_cast<std::ptrdiff_t>(draw.below(rule.size() + 1)),
              {static_cast<std::uint32_t>(rank.events.size() - 1), false, 1});
}

void mutateStatistics(EventStatistics &statistics, Draw &draw) {
  switch (draw.below(5)) {
  case 0:
    return draw.change(statistics.count);
  case 1:
    return draw.change(statistics.before);
  case 2:
    return draw.change(statistics.beforeMinimum);
  case 3:
    return draw.change(statistics.beforeMaximum);
  default:
    draw.change(statistics.inside);
  }
}

void mutateCommunicators(Profile &profile, RankProfile &rank, Draw &draw) {
  if (rank.communicators.empty() || draw.oneIn(4)) {
    rank.communicators.emplace_back();
    if (rank.communicators.size() > 1)
      rank.communicators.back() = rank.communicators[draw.below(rank.communicators.size() - 1)];
  } else if (draw.oneIn(8)) {
    draw.rearrange(rank.communicators);
  } else {
    mutateCommunicator(*draw.pick(rank.communicators), profile.ranks.size(), draw);
  }
}

void mutateLoad(RecordedLoad &load, Draw &draw) {
  switch (draw.below(8)) {
  case 0:
    return mutateSite(load.site, draw);
  case 1:
    return draw.change(load.array);
  case 2:
    return draw.oneIn(2) ? draw.change(load.rows) : draw.change(load.rowBytes);
  case 3:
    return draw.change(load.processors);
  case 4:
    return draw.oneIn(2) ? draw.change(load.executions) : draw.change(load.executionsEach);
  case 5:
    return draw.rearrange(load.periods);
  default:
    break;
  }
  if (load.periods.empty())
    return;
  LoadPeriod &period = *draw.pick(load.periods);
  if (period.rows.empty() || draw.oneIn(4))
    return draw.oneIn(2) ? draw.change(period.moved) : draw.rearrange(period.rows);
  RowsLoad &part = *draw.pick(period.rows);
  if (draw.oneIn(2))
    return draw.change(part.seconds);
  draw.oneIn(2) ? draw.change(part.begin) : draw.change(part.end);
}

void mutateLeftOut(Profile &profile, RankProfile &rank, Draw &draw) {
  if (rank.leftOut.empty())
    rank.leftOut.push_back({noSite, 0, 9, 3, 24});
  LeftOutCalls &calls = *draw.pick(rank.leftOut);
  switch (draw.below(5)) {
  case 0:
    return draw.changeIndex(calls.site, profile.sites.size());
  case 1:
    return draw.changeIndex(calls.address, rank.callers.size() + 1);
  case 2:
    return draw.change(calls.calls);
  case 3:
    return draw.change(calls.uncounted);
  default:
    draw.change(calls.bytes);
  }
}

void mutateRank(Profile &profile, RankProfile &rank, Draw &draw) {
  switch (draw.below(17)) {
  case 0:
    return mutateCommunicators(profile, rank, draw);
  case 1:
    return draw.change(rank.seconds);
  case 2:
    return draw.change(rank.truncated);
  case 3:
    rank.callers.emplace_back("program+0x10");
    return draw.change(rank.callers[draw.below(rank.callers.size())]);
  case 4:
    return draw.change(rank.host);
  case 5:
    if (!rank.loads.empty() && draw.oneIn(2))
      mutateLoad(*draw.pick(rank.loads), draw);
    else if (!rank.redistributions.empty())
      mutateRedistribution(*draw.pick(rank.redistributions), draw);
    return;
  case 6:
  case 7:
    return addEvent(profile, rank, draw);
  case 8:
    if (!rank.statistics.empty())
      mutateStatistics(*draw.pick(rank.statistics), draw);
    else
      rank.statistics.resize(rank.events.size(), {1, 1e-6, 1e-6, 1e-6, 1e-6});
    return;
  case 9:
  case 10:
  case 11:
    return mutateLeftOut(profile, rank, draw);
  case 12:
    return mutateGrammar(rank.sequence, rank.events.size(), draw);
  default:
    if (!rank.events.empty())
      mutateEvent(*draw.pick(rank.events), profile, rank, draw);
  }
}

/// What units say about their functions is text or bytes for another reader.
void mutateUnits(Profile &profile, Draw &draw) {
  if (profile.units.empty())
    profile.units.push_back({"unit.c", ""});
  ProfiledUnit &unit = *draw.pick(profile.units);
  std::string &text = draw.oneIn(4) ? unit.file : unit.functions;
  draw.change(text);
}

} // namespace

void mutateSite(SiteIdentity &site, Draw &draw) {
  switch (draw.below(6)) {
  case 0:
    return draw.change(site.file);
  case 1:
    return draw.change(site.function);
  case 2:
    return draw.change(site.line);
  case 3:
    return draw.change(site.ordinal);
  case 4:
    return draw.change(site.hash);
  default:
    draw.change(site.instantiation);
  }
}

void mutateCommunicator(Communicator &communicator, std::size_t ranks, Draw &draw) {
  std::vector<int> members = communicator.members;
  switch (draw.below(6)) {
  case 0:
    return draw.change(communicator.instance);
  case 1:
    return draw.change(communicator.intercommunicator);
  case 2:
    members.push_back(static_cast<int>(draw.below(ranks)));
    break;
  case 3:
    if (!members.empty())
      *draw.pick(members) = static_cast<int>(draw.below(ranks));
    break;
  default:
    draw.rearrange(members);
  }
  communicator.members = std::move(members);
}

void mutateGrammar(Grammar &grammar, std::size_t numbers, Draw &draw) {
  if (grammar.rules.empty() || draw.oneIn(16))
    grammar.rules.emplace_back();
  std::vector<GrammarItem> &rule = *draw.pick(grammar.rules);
  if (rule.empty() || draw.oneIn(4)) {
    const bool isRule = draw.oneIn(4);
    rule.push_back({static_cast<std::uint32_t>(draw.below(isRule ? grammar.rules.size() : numbers)),
                    isRule, 1 + draw.below(3)});
  }
  GrammarItem &item = *draw.pick(rule);
  switch (draw.below(4)) {
  case 0:
    return draw.change(item.repetitions);
  case 1:
    return draw.changeIndex(item.symbol, item.isRule ? grammar.rules.size() : numbers);
  case 2:
    return draw.rearrange(rule);
  default:
    draw.rearrange(*draw.pick(grammar.rules));
  }
}

void mutateRedistribution(RecordedRedistribution &recorded, Draw &draw) {
  if (draw.oneIn(4))
    return mutateSite(recorded.site, draw);
  if (draw.oneIn(4))
    return draw.change(recorded.count);
  std::vector<std::int64_t> &sizes = draw.oneIn(2) ? recorded.before : recorded.after;
  if (sizes.empty())
    return;
  // Elements move from one block to another, so that the sums stay equal.
  std::int64_t &from = *draw.pick(sizes), &to = *draw.pick(sizes);
  const auto moved = static_cast<std::int64_t>(draw.below(static_cast<std::size_t>(from) + 1));
  from -= moved;
  to += moved;
  if (draw.oneIn(16))
    draw.change(from);
}

void mutateProfile(Profile &profile, Draw &draw) {
  if (profile.ranks.empty())
    profile.ranks.emplace_back();
  switch (draw.below(24)) {
  case 0:
    return draw.rearrange(profile.ranks);
  case 1:
    profile.sites.emplace_back();
    return mutateSite(*draw.pick(profile.sites), draw);
  case 2:
    profile.callSites.emplace_back();
    return mutateSite(*draw.pick(profile.callSites), draw);
  case 3:
    return mutateUnits(profile, draw);
  case 4:
    return draw.change(profile.program);
  default:
    mutateRank(profile, *draw.pick(profile.ranks), draw);
  }
}

void limitGrammar(Grammar &grammar, std::uint64_t most) {
  if (!grammar.valid(std::numeric_limits<std::uint32_t>::max()))
    return;
  for (std::uint64_t limit = most; grammar.length() > most; limit /= 4) {
    for (std::vector<GrammarItem> &rule : grammar.rules)
      for (GrammarItem &item : rule)
        item.repetitions = std::min(item.repetitions, std::max<std::uint64_t>(limit, 1));
    if (limit == 0)
      break;
  }
}

void limitEvents(Profile &profile, std::uint64_t most) {
  for (RankProfile &rank : profile.ranks)
    limitGrammar(rank.sequence, most / profile.ranks.size());
}

std::uint64_t eventsOf(const Profile &profile) {
  std::uint64_t events = 0;
  for (const RankProfile &rank : profile.ranks) {
    const std::uint64_t length = rank.sequence.length();
    events = length > ~events ? ~std::uint64_t{0} : events + length;
  }
  return events;
}

std::string bytesOf(const Profile &profile) {
  const std::string name = scratchFile("encoded.prof");
  // The writer would look up sites beyond the profile's.
  Profile writable = profile;
  const auto limit = [](int &site, const std::vector<SiteIdentity> &sites) {
    site = std::clamp(site, noSite, static_cast<int>(sites.size()) - 1);
  };
  for (RankProfile &rank : writable.ranks)
    for (Event &event : rank.events) {
      limit(event.site, profile.sites);
      limit(event.call, profile.callSites);
    }
  for (RankProfile &rank : writable.ranks)
    for (LeftOutCalls &calls : rank.leftOut)
      limit(calls.site, profile.sites);
  writeProfile(writable, name);
  return readScratch(name);
}

} // namespace sendwright::fuzz
