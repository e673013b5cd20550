// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most fields of most events have their default value: a mask says which fields do not, and only
// these follow.

#include "analysis/trace/ProfileCodec.h"

#include "analysis/file/Limits.h"
#include "analysis/trace/LoadFields.h"
#include "analysis/trace/ProfileFields.h"

#include <algorithm>
#include <climits>
#include <cmath>

namespace sendwright {

namespace {

/// Limits for what the numbers in a rank's events refer to.
struct Ranges {
  std::int64_t ranks = 0, sites = 0, callSites = 0, communicators = 0;
  std::uint64_t callers = 0;
};

template <typename Fields>
void describePeer(Fields fields, Described<Fields, int> &peer, const Ranges &ranges) {
  fields.signedNumber(peer, noPeer, ranges.ranks - 1, "peer");
}

template <typename Fields> void describeTag(Fields fields, Described<Fields, int> &tag) {
  fields.signedNumber(tag, anyTag, INT_MAX, "tag");
}

/// At most longestSeconds, so that sums of times are finite.
template <typename Fields>
void describeSeconds(Fields fields, Described<Fields, double> &seconds, double least) {
  fields.finite(seconds, "a time");
  fields.expect(seconds >= least,
                [] { return "a time is negative, expected times from the start on"; });
  fields.expect(seconds <= longestSeconds,
                [] { return "a time of more than 10^12 s, expected less"; });
}

/// Seconds that were measured, whatever the clock said.
template <typename Fields>
void describeMeasured(Fields fields, Described<Fields, double> &seconds) {
  if constexpr (Fields::reads)
    describeSeconds(fields, seconds, 0);
  else
    fields.finite(std::isfinite(seconds) ? std::clamp(seconds, 0.0, longestSeconds) : 0, "a time");
}

template <typename Fields>
void describeMatches(Fields fields, Described<Fields, std::vector<WildcardMatch>> &matches,
                     const Ranges &ranges) {
  fields.length(matches, 4);
  for (auto &match : matches) {
    fields.signedNumber(match.request, -1, INT_MAX, "request");
    fields.signedNumber(match.source, nullRank, ranges.ranks - 1, "source");
    describeTag(fields, match.tag);
    fields.number(match.bytes);
  }
}

template <typename Fields>
void describeMoved(Fields fields, Described<Fields, std::vector<MovedMessage>> &moved,
                   const Ranges &ranges) {
  fields.length(moved, 4);
  for (auto &message : moved) {
    fields.signedNumber(message.peer, 0, ranges.ranks - 1, "peer");
    fields.flag(message.received);
    fields.number(message.bytes);
    fields.number(message.chunkBytes);
    fields.expect(message.bytes > 0 && message.chunkBytes > 0, [] {
      return "an empty message or chunk of a redistribution, expected at least 1 byte";
    });
  }
}

template <typename Fields>
void describeRelativeTags(Fields fields, Described<Fields, Event> &event) {
  if constexpr (Fields::reads)
    event.relativeTag = true;
  for (auto *tag : {&event.tag, &event.receiveTag})
    fields.signedNumber(*tag, INT_MIN, INT_MAX, "relative tag");
}

/// Fields in the order of their bits in an event's mask: `visit` gets whether the event's differs
/// from the default, and what describes it.
template <typename Fields, typename Visit>
void visitMaskedFields(Fields fields, Described<Fields, Event> &event, const Ranges &ranges,
                       Visit visit) {
  static const Event plain;
  visit(event.tag != plain.tag && !event.relativeTag, [&] { describeTag(fields, event.tag); });
  visit(event.communicator != plain.communicator,
        [&] { fields.signedNumber(event.communicator, 0, INT_MAX, "communicator"); });
  visit(event.bytes != plain.bytes, [&] { fields.number(event.bytes); });
  visit(event.site != plain.site,
        [&] { fields.signedNumber(event.site, noSite, ranges.sites - 1, "site"); });
  visit(!event.requests.empty(), [&] {
    fields.length(event.requests);
    for (auto &request : event.requests)
      fields.signedNumber(request, 0, INT_MAX, "request");
  });
  visit(!event.matches.empty(), [&] { describeMatches(fields, event.matches, ranges); });
  visit(event.receivePeer != plain.receivePeer || event.receiveTag != plain.receiveTag ||
            event.receiveBytes != plain.receiveBytes,
        [&] {
          int zero = 0;
          describePeer(fields, event.receivePeer, ranges);
          describeTag(fields, event.relativeTag ? zero : event.receiveTag);
          fields.number(event.receiveBytes);
        });
  visit(event.address != plain.address,
        [&] { fields.number(event.address, ranges.callers, "caller"); });
  visit(event.seconds != plain.seconds, [&] { describeSeconds(fields, event.seconds, 0); });
  visit(event.time != plain.time, [&] { describeSeconds(fields, event.time, -1); });
  visit(event.call != plain.call,
        [&] { fields.signedNumber(event.call, noSite, ranges.callSites - 1, "marked call"); });
  visit(!event.moved.empty(), [&] { describeMoved(fields, event.moved, ranges); });
  visit(event.relativeTag, [&] { describeRelativeTags(fields, event); });
}

template <typename Fields>
void describeEvent(Fields fields, Described<Fields, Event> &event, const Ranges &ranges) {
  fields.number(event.kind, 5, "kind of event");
  fields.number(event.function, mpiFunctionCount() - 1, "function");
  describePeer(fields, event.peer, ranges);
  std::uint64_t mask = 0, bit = 1;
  visitMaskedFields(fields, event, ranges, [&](bool differs, const auto &) {
    mask |= differs ? bit : 0;
    bit <<= 1;
  });
  fields.number(mask, bit - 1, "mask of fields");
  bit = 1;
  visitMaskedFields(fields, event, ranges, [&](bool, const auto &describe) {
    if (mask & bit)
      describe();
    bit <<= 1;
  });
  fields.expect(event.communicator < ranges.communicators, [&] {
    return "communicator " + std::to_string(event.communicator) + ", expected one of " +
           std::to_string(ranges.communicators);
  });
  const bool isMark = event.kind == EventKind::SiteEnter || event.kind == EventKind::SiteLeave ||
                      event.kind == EventKind::SiteSkip;
  fields.expect(!isMark || event.site >= 0, [&] {
    return "a mark without its loop, expected one of " + std::to_string(ranges.sites) + " sites";
  });
}

template <typename Fields>
void describeStatistics(Fields fields, Described<Fields, std::vector<EventStatistics>> &statistics,
                        std::size_t events) {
  fields.length(statistics, 33);
  fields.expect(statistics.empty() || statistics.size() == events, [&] {
    return std::to_string(statistics.size()) + " statistics, expected one for each of " +
           std::to_string(events) + " events";
  });
  for (auto &entry : statistics) {
    fields.number(entry.count);
    for (auto *seconds : {&entry.before, &entry.beforeMinimum, &entry.beforeMaximum, &entry.inside})
      describeMeasured(fields, *seconds);
  }
}

template <typename Fields>
void describeRedistributions(Fields fields,
                             Described<Fields, std::vector<RecordedRedistribution>> &list,
                             std::size_t rankCount) {
  fields.length(list, leastSiteBytes + 2);
  for (auto &recorded : list) {
    describeSite(fields, recorded.site);
    fields.number(recorded.count);
    fields.length(recorded.before, 2);
    const std::size_t blocks = recorded.before.size();
    fields.expect(blocks > 0 && blocks <= rankCount, [&] {
      return "a redistribution over " + std::to_string(blocks) + " ranks, expected 1 to " +
             std::to_string(rankCount);
    });
    if constexpr (Fields::reads)
      recorded.after.resize(blocks);
    std::int64_t left[] = {INT64_MAX, INT64_MAX}; // the sums fit into an int64
    for (const bool isAfter : {false, true})
      for (auto &size : isAfter ? recorded.after : recorded.before) {
        fields.number(size, static_cast<std::uint64_t>(left[isAfter]), "number of elements");
        left[isAfter] -= size;
      }
    fields.expect(left[0] == left[1], [] {
      return "a redistribution that loses elements, expected as many after as before";
    });
  }
}

/// What a rank's section holds behind its communicators; of `ranges` all but the callers are known.
/// `describeEvents` gets all ranges, and returns how many events there are.
template <typename Fields, typename DescribeEvents>
void describeRank(Fields fields, Described<Fields, RankProfile> &rank, Ranges ranges,
                  DescribeEvents describeEvents) {
  fields.length(rank.callers);
  for (auto &caller : rank.callers)
    fields.text(caller);
  ranges.callers = rank.callers.size();
  const std::size_t events = describeEvents(ranges);
  describeStatistics(fields, rank.statistics, events);
  describeGrammar(fields, rank.sequence, events);
  fields.text(rank.host);
  describeMeasured(fields, rank.seconds);
  fields.flag(rank.truncated);
  describeRedistributions(fields, rank.redistributions, static_cast<std::size_t>(ranges.ranks));
}

/// Profiles without loads end before them, as those of before there were loads.
void decodeLoads(ByteReader &in, RankProfile &rank, std::size_t rankCount) {
  if (in.remaining() > 0)
    describeLoads(FieldReader(in), rank.loads, rankCount);
}

template <typename Fields>
void describeLeftOut(Fields fields, Described<Fields, std::vector<LeftOutCalls>> &leftOut,
                     const Ranges &ranges) {
  fields.length(leftOut, 5);
  for (auto &calls : leftOut) {
    fields.signedNumber(calls.site, noSite, ranges.sites - 1, "site");
    fields.number(calls.address, ranges.callers, "caller");
    fields.number(calls.calls);
    fields.number(calls.uncounted);
    fields.number(calls.bytes);
    fields.expect(calls.uncounted <= calls.calls, [] {
      return "more calls without statistics than calls that were left out, expected at most as "
             "many";
    });
  }
}

/// The identity as a look-up key; equal for sites that are sameAs() each other.
std::string siteKey(const SiteIdentity &site) {
  const bool ofTextTrace = site.function.empty() && site.hash == 0;
  const char zero = '\0';
  std::string key = ofTextTrace ? site.file : site.file.substr(site.file.rfind('/') + 1);
  key +=
      zero + site.function + zero + site.instantiation + zero + std::to_string(site.ordinal) + zero;
  return key + (ofTextTrace ? "line " + std::to_string(site.line) : std::to_string(site.hash));
}

/// The index of a site in a list that holds each site once.
int indexIn(std::vector<SiteIdentity> &list, std::unordered_map<std::string, int> &indices,
            const SiteIdentity &site) {
  const auto [place, isNew] = indices.try_emplace(siteKey(site), static_cast<int>(list.size()));
  if (isNew)
    list.push_back(site);
  return place->second;
}

} // namespace

void encodeEvent(ByteWriter &out, const Event &event) {
  describeEvent(FieldWriter(out), event, {});
}

void encodeSite(ByteWriter &out, const SiteIdentity &site) { describeSite(FieldWriter(out), site); }

SiteIdentity decodeSite(ByteReader &in) {
  SiteIdentity site;
  describeSite(FieldReader(in), site);
  return site;
}

void encodeRedistributions(ByteWriter &out, const std::vector<RecordedRedistribution> &list) {
  describeRedistributions(FieldWriter(out), list, 0);
}

std::vector<RecordedRedistribution> decodeRedistributions(ByteReader &in, std::size_t rankCount) {
  std::vector<RecordedRedistribution> list;
  describeRedistributions(FieldReader(in), list, rankCount);
  return list;
}

EventSource eventsOf(const RankProfile &rank) {
  return {rank.events.size(),
          [&rank](std::size_t number, Event &event) { event = rank.events[number]; }};
}

std::vector<SharedMembers> encodeRankContent(ByteWriter &out, const RankProfile &rank,
                                             const EventSource &events,
                                             const std::vector<SiteIdentity> &sites,
                                             const std::vector<SiteIdentity> &callSites,
                                             const std::vector<ProfiledUnit> &units,
                                             MemberWriter &lists) {
  for (const std::vector<SiteIdentity> *list : {&sites, &callSites}) {
    out.number(list->size());
    for (const SiteIdentity &site : *list)
      encodeSite(out, site);
  }
  out.number(units.size());
  for (const ProfiledUnit &unit : units) {
    out.text(unit.file);
    out.text(unit.functions);
  }
  out.number(rank.communicators.size());
  for (const Communicator &communicator : rank.communicators) {
    out.number(communicator.instance);
    out.number(communicator.intercommunicator);
    lists.write(out, communicator.members);
  }
  describeRank(FieldWriter(out), rank, {}, [&](const Ranges &ranges) {
    out.number(events.count);
    Event event;
    for (std::size_t number = 0; number < events.count; ++number) {
      events.read(number, event);
      describeEvent(FieldWriter(out), event, ranges);
    }
    return events.count;
  });
  describeLeftOut(FieldWriter(out), rank.leftOut, {});
  if (!rank.loads.empty())
    describeLoads(FieldWriter(out), rank.loads, 0);
  return lists.takeShared();
}

/// Ranks mostly list the same communicators: then one list of members serves all of them.
void ProfileAssembler::shareMembers(std::vector<Communicator> &communicators,
                                    const ByteReader &in) {
  static const std::vector<Communicator> none;
  const std::vector<Communicator> &before =
      profile.ranks.empty() ? none : profile.ranks.back().communicators;
  for (std::size_t index = 0; index < communicators.size(); ++index)
    if (index < before.size() && communicators[index].members == before[index].members)
      communicators[index].members = before[index].members;
    else
      lists.count(communicators[index].members.size(), in);
}

void ProfileAssembler::readCommunicators(std::vector<Communicator> &communicators, ByteReader &in,
                                         std::size_t rankCount) {
  in.resize(communicators, 4);
  for (Communicator &communicator : communicators) {
    communicator.instance = static_cast<unsigned>(in.number(UINT_MAX, "instance"));
    communicator.intercommunicator = in.flag();
    communicator.members = lists.read(in, rankCount);
  }
}

void ProfileAssembler::add(ByteReader in, std::size_t rankCount, std::uint32_t version) {
  RankProfile rank;
  std::vector<int> sites(in.countOf<int>(leastSiteBytes));
  for (int &site : sites)
    site = siteIndex(decodeSite(in));
  std::vector<int> callSites(in.countOf<int>(leastSiteBytes));
  for (int &site : callSites)
    site = callSiteIndex(decodeSite(in));
  for (std::size_t units = in.count(2); units > 0; --units) {
    ProfiledUnit unit;
    unit.file = in.text();
    unit.functions = in.text();
    addUnit(std::move(unit));
  }
  if (version > versionWithAllMembers) {
    readCommunicators(rank.communicators, in, rankCount);
  } else {
    describeCommunicators(FieldReader(in), rank.communicators, rankCount);
    shareMembers(rank.communicators, in);
  }
  Ranges ranges{static_cast<std::int64_t>(rankCount), static_cast<std::int64_t>(sites.size()),
                static_cast<std::int64_t>(callSites.size()),
                static_cast<std::int64_t>(rank.communicators.size()), 0};
  describeRank(FieldReader(in), rank, ranges, [&](const Ranges &all) {
    in.resize(rank.events, 4);
    for (Event &event : rank.events)
      describeEvent(FieldReader(in), event, all);
    return rank.events.size();
  });
  ranges.callers = rank.callers.size();
  if (version > versionWithAllMembers)
    describeLeftOut(FieldReader(in), rank.leftOut, ranges);
  decodeLoads(in, rank, rankCount);
  in.expectEnd();
  for (Event &event : rank.events) {
    if (event.site != noSite)
      event.site = sites[static_cast<std::size_t>(event.site)];
    if (event.call != noSite)
      event.call = callSites[static_cast<std::size_t>(event.call)];
  }
  for (LeftOutCalls &calls : rank.leftOut)
    if (calls.site != noSite)
      calls.site = sites[static_cast<std::size_t>(calls.site)];
  profile.ranks.push_back(std::move(rank));
}

int ProfileAssembler::siteIndex(const SiteIdentity &site) {
  return indexIn(profile.sites, siteIndices, site);
}

int ProfileAssembler::callSiteIndex(const SiteIdentity &site) {
  return indexIn(profile.callSites, callSiteIndices, site);
}

void ProfileAssembler::addUnit(ProfiledUnit unit) {
  if (knownUnits.try_emplace(unit.file + '\0' + unit.functions, true).second)
    profile.units.push_back(std::move(unit));
}

} // namespace sendwright
