// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most fields of most events have their default value: a mask says which fields do not, and only
// these follow.

#include "analysis/trace/ProfileCodec.h"

#include "analysis/file/Limits.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <numeric>

namespace sendwright {

namespace {

// Bits of an event's mask, in the order in which the fields follow.
enum EventField : std::uint64_t {
  hasTag = 1,
  hasCommunicator = 2,
  hasBytes = 4,
  hasSite = 8,
  hasRequests = 16,
  hasMatches = 32,
  hasReceive = 64,
  hasAddress = 128,
  hasSeconds = 256,
  hasTime = 512,
  hasCall = 1024,
  hasMoved = 2048,
  allFields = 4095
};

std::uint64_t maskOf(const Event &event) {
  const Event plain;
  std::uint64_t mask = 0;
  auto add = [&](bool differs, EventField bit) {
    if (differs)
      mask |= bit;
  };
  add(event.tag != plain.tag, hasTag);
  add(event.communicator != plain.communicator, hasCommunicator);
  add(event.bytes != plain.bytes, hasBytes);
  add(event.site != plain.site, hasSite);
  add(!event.requests.empty(), hasRequests);
  add(!event.matches.empty(), hasMatches);
  add(event.receivePeer != plain.receivePeer || event.receiveTag != plain.receiveTag ||
          event.receiveBytes != plain.receiveBytes,
      hasReceive);
  add(event.address != plain.address, hasAddress);
  add(event.seconds != plain.seconds, hasSeconds);
  add(event.time != plain.time, hasTime);
  add(event.call != plain.call, hasCall);
  add(!event.moved.empty(), hasMoved);
  return mask;
}

void encodeMatches(ByteWriter &out, const std::vector<WildcardMatch> &matches) {
  out.number(matches.size());
  for (const WildcardMatch &match : matches) {
    out.signedNumber(match.request);
    out.signedNumber(match.source);
    out.signedNumber(match.tag);
    out.number(match.bytes);
  }
}

void encodeMoved(ByteWriter &out, const std::vector<MovedMessage> &moved) {
  out.number(moved.size());
  for (const MovedMessage &message : moved) {
    out.signedNumber(message.peer);
    out.byte(message.received);
    out.number(message.bytes);
    out.number(message.chunkBytes);
  }
}

/// Limits for what the numbers in a rank's events refer to.
struct Ranges {
  std::int64_t ranks, sites, callSites, communicators;
  std::uint64_t callers;
};

int decodePeer(ByteReader &in, const Ranges &ranges) {
  return static_cast<int>(in.signedNumber(noPeer, ranges.ranks - 1, "peer"));
}

int decodeTag(ByteReader &in) { return static_cast<int>(in.signedNumber(anyTag, INT_MAX, "tag")); }

/// At most longestSeconds, so that sums of times are finite.
double decodeSeconds(ByteReader &in, double least) {
  double seconds = in.finite("a time");
  if (seconds < least)
    in.fail("a time is negative, expected none before the start");
  if (seconds > longestSeconds)
    in.fail("a time of more than 10^12 s, expected less");
  return seconds;
}

void decodeMatches(ByteReader &in, std::vector<WildcardMatch> &matches, const Ranges &ranges) {
  in.resize(matches, 4);
  for (WildcardMatch &match : matches) {
    match.request = static_cast<int>(in.signedNumber(-1, INT_MAX, "request"));
    match.source = static_cast<int>(in.signedNumber(nullRank, ranges.ranks - 1, "source"));
    match.tag = decodeTag(in);
    match.bytes = in.number();
  }
}

void decodeMoved(ByteReader &in, std::vector<MovedMessage> &moved, const Ranges &ranges) {
  in.resize(moved, 4);
  for (MovedMessage &message : moved) {
    message.peer = static_cast<int>(in.signedNumber(0, ranges.ranks - 1, "peer"));
    message.received = in.flag();
    message.bytes = in.number();
    message.chunkBytes = in.number();
    if (message.bytes == 0 || message.chunkBytes == 0)
      in.fail("an empty message of a redistribution, expected none, and chunks of 1 byte or more");
  }
}

void decodeEvent(ByteReader &in, Event &event, const Ranges &ranges) {
  event.kind = static_cast<EventKind>(in.number(4, "kind of event"));
  event.function = static_cast<MpiFunctionId>(in.number(mpiFunctionCount() - 1, "function"));
  event.peer = decodePeer(in, ranges);
  const std::uint64_t mask = in.number(allFields, "mask of fields");
  if (mask & hasTag)
    event.tag = decodeTag(in);
  if (mask & hasCommunicator)
    event.communicator = static_cast<int>(in.signedNumber(0, INT_MAX, "communicator"));
  if (event.communicator >= ranges.communicators)
    in.fail("communicator " + std::to_string(event.communicator) + ", expected one of " +
            std::to_string(ranges.communicators));
  if (mask & hasBytes)
    event.bytes = in.number();
  if (mask & hasSite)
    event.site = static_cast<int>(in.signedNumber(noSite, ranges.sites - 1, "site"));
  if ((event.kind == EventKind::SiteEnter || event.kind == EventKind::SiteLeave) && event.site < 0)
    in.fail("a mark without its loop, expected one of " + std::to_string(ranges.sites) + " sites");
  if (mask & hasRequests) {
    in.resize(event.requests);
    for (int &request : event.requests)
      request = static_cast<int>(in.signedNumber(0, INT_MAX, "request"));
  }
  if (mask & hasMatches)
    decodeMatches(in, event.matches, ranges);
  if (mask & hasReceive) {
    event.receivePeer = decodePeer(in, ranges);
    event.receiveTag = decodeTag(in);
    event.receiveBytes = in.number();
  }
  if (mask & hasAddress)
    event.address = in.number(ranges.callers, "caller");
  if (mask & hasSeconds)
    event.seconds = decodeSeconds(in, 0);
  if (mask & hasTime)
    event.time = decodeSeconds(in, -1);
  if (mask & hasCall)
    event.call = static_cast<int>(in.signedNumber(noSite, ranges.callSites - 1, "marked call"));
  if (mask & hasMoved)
    decodeMoved(in, event.moved, ranges);
}

void encodeStatistics(ByteWriter &out, const std::vector<EventStatistics> &statistics) {
  out.number(statistics.size());
  for (const EventStatistics &entry : statistics) {
    out.number(entry.count);
    for (double value : {entry.before, entry.beforeMinimum, entry.beforeMaximum, entry.inside})
      out.real(std::isfinite(value) ? std::clamp(value, 0.0, longestSeconds) : 0);
  }
}

void decodeStatistics(ByteReader &in, std::vector<EventStatistics> &statistics,
                      std::size_t events) {
  in.resize(statistics, 33);
  if (!statistics.empty() && statistics.size() != events)
    in.fail(std::to_string(statistics.size()) + " statistics, expected one for each of " +
            std::to_string(events) + " events");
  for (EventStatistics &entry : statistics) {
    entry.count = in.number();
    for (double *value : {&entry.before, &entry.beforeMinimum, &entry.beforeMaximum, &entry.inside})
      *value = decodeSeconds(in, 0);
  }
}

/// The elements of blocks, whose sum fits into an int64.
std::vector<std::int64_t> decodeSizes(ByteReader &in, std::size_t blocks) {
  std::vector<std::int64_t> sizes(blocks);
  std::int64_t left = INT64_MAX;
  for (std::int64_t &size : sizes) {
    size = static_cast<std::int64_t>(
        in.number(static_cast<std::uint64_t>(left), "number of elements"));
    left -= size;
  }
  return sizes;
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

void encodeCommunicators(ByteWriter &out, const std::vector<Communicator> &communicators) {
  out.number(communicators.size());
  for (const Communicator &communicator : communicators) {
    out.number(communicator.instance);
    out.number(communicator.intercommunicator);
    out.number(communicator.members.size());
    int previous = -1;
    for (int member : communicator.members) {
      out.signedNumber(std::int64_t{member} - previous - 1); // consecutive ranks are zeros
      previous = member;
    }
  }
}

void decodeCommunicators(ByteReader &in, std::vector<Communicator> &communicators,
                         std::size_t rankCount) {
  in.resize(communicators, 3);
  for (Communicator &communicator : communicators) {
    communicator.instance = static_cast<unsigned>(in.number(UINT_MAX, "instance"));
    communicator.intercommunicator = in.flag();
    std::vector<int> members(in.count()); // ranks share lists, so ProfileAssembler counts the
                                          // memory
    std::int64_t next = 0;
    for (int &member : members) {
      next += in.signedNumber(-next, static_cast<std::int64_t>(rankCount) - 1 - next,
                              "member of a communicator, relative,");
      member = static_cast<int>(next++);
    }
    communicator.members = std::move(members);
  }
}

void encodeGrammar(ByteWriter &out, const Grammar &grammar) {
  out.number(grammar.rules.size());
  for (const std::vector<GrammarItem> &rule : grammar.rules) {
    out.number(rule.size());
    for (const GrammarItem &item : rule) {
      out.number(std::uint64_t{item.symbol} << 1 | (item.isRule ? 1 : 0));
      out.number(item.repetitions);
    }
  }
}

void decodeGrammar(ByteReader &in, Grammar &grammar, std::size_t events) {
  in.resize(grammar.rules);
  for (std::vector<GrammarItem> &rule : grammar.rules) {
    in.resize(rule, 2);
    for (GrammarItem &item : rule) {
      const std::uint64_t symbol = in.number((std::uint64_t{1} << 33) - 1, "symbol");
      item.symbol = static_cast<std::uint32_t>(symbol >> 1);
      item.isRule = symbol & 1;
      item.repetitions = in.number();
    }
  }
  if (!grammar.valid(static_cast<std::uint32_t>(events)))
    in.fail("a sequence that is none, expected a grammar over the rank's events");
}

void encodeEvent(ByteWriter &out, const Event &event) {
  const std::uint64_t mask = maskOf(event);
  out.byte(static_cast<std::uint8_t>(event.kind));
  out.number(static_cast<std::uint64_t>(event.function));
  out.signedNumber(event.peer);
  out.number(mask);
  if (mask & hasTag)
    out.signedNumber(event.tag);
  if (mask & hasCommunicator)
    out.signedNumber(event.communicator);
  if (mask & hasBytes)
    out.number(event.bytes);
  if (mask & hasSite)
    out.signedNumber(event.site);
  if (mask & hasRequests) {
    out.number(event.requests.size());
    for (int request : event.requests)
      out.signedNumber(request);
  }
  if (mask & hasMatches)
    encodeMatches(out, event.matches);
  if (mask & hasReceive) {
    out.signedNumber(event.receivePeer);
    out.signedNumber(event.receiveTag);
    out.number(event.receiveBytes);
  }
  if (mask & hasAddress)
    out.number(event.address);
  if (mask & hasSeconds)
    out.real(event.seconds);
  if (mask & hasTime)
    out.real(event.time);
  if (mask & hasCall)
    out.signedNumber(event.call);
  if (mask & hasMoved)
    encodeMoved(out, event.moved);
}

void encodeSite(ByteWriter &out, const SiteIdentity &site) {
  out.text(site.file);
  out.text(site.function);
  out.number(site.line);
  out.number(site.ordinal);
  out.fixed64(site.hash);
  out.text(site.instantiation);
}

SiteIdentity decodeSite(ByteReader &in) {
  SiteIdentity site;
  site.file = in.text();
  site.function = in.text();
  site.line = static_cast<unsigned>(in.number(UINT_MAX, "line"));
  site.ordinal = static_cast<unsigned>(in.number(UINT_MAX, "ordinal"));
  site.hash = in.fixed64();
  site.instantiation = in.text();
  return site;
}

void encodeRedistributions(ByteWriter &out, const std::vector<RecordedRedistribution> &list) {
  out.number(list.size());
  for (const RecordedRedistribution &recorded : list) {
    encodeSite(out, recorded.site);
    out.number(recorded.count);
    out.number(recorded.before.size());
    for (const std::vector<std::int64_t> *sizes : {&recorded.before, &recorded.after})
      for (const std::int64_t size : *sizes)
        out.number(static_cast<std::uint64_t>(size));
  }
}

std::vector<RecordedRedistribution> decodeRedistributions(ByteReader &in, std::size_t rankCount) {
  std::vector<RecordedRedistribution> list(in.countOf<RecordedRedistribution>(leastSiteBytes + 2));
  for (RecordedRedistribution &recorded : list) {
    recorded.site = decodeSite(in);
    recorded.count = in.number();
    const std::size_t blocks = in.count(2);
    if (blocks == 0 || blocks > rankCount)
      in.fail("a redistribution over " + std::to_string(blocks) + " ranks, expected 1 to " +
              std::to_string(rankCount));
    recorded.before = decodeSizes(in, blocks);
    recorded.after = decodeSizes(in, blocks);
    if (std::reduce(recorded.before.begin(), recorded.before.end()) !=
        std::reduce(recorded.after.begin(), recorded.after.end()))
      in.fail("a redistribution that loses elements, expected as many after as before");
  }
  return list;
}

std::string encodeRankContent(const RankProfile &rank, const std::vector<SiteIdentity> &sites,
                              const std::vector<SiteIdentity> &callSites,
                              const std::vector<ProfiledUnit> &units) {
  ByteWriter out;
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
  encodeCommunicators(out, rank.communicators);
  out.number(rank.callers.size());
  for (const std::string &caller : rank.callers)
    out.text(caller);
  out.number(rank.events.size());
  for (const Event &event : rank.events)
    encodeEvent(out, event);
  encodeStatistics(out, rank.statistics);
  encodeGrammar(out, rank.sequence);
  out.text(rank.host);
  out.real(std::isfinite(rank.seconds) ? std::clamp(rank.seconds, 0.0, longestSeconds) : 0);
  out.number(rank.truncated);
  encodeRedistributions(out, rank.redistributions);
  return out.take();
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
      members += communicators[index].members.size();
  if (members > limits::members)
    in.fail("more than " + std::to_string(limits::members) +
            " members of communicators that differ, expected fewer");
}

void ProfileAssembler::add(ByteReader in, std::size_t rankCount) {
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
  decodeCommunicators(in, rank.communicators, rankCount);
  shareMembers(rank.communicators, in);
  in.resize(rank.callers);
  for (std::string &caller : rank.callers)
    caller = in.text();
  const Ranges ranges{static_cast<std::int64_t>(rankCount), static_cast<std::int64_t>(sites.size()),
                      static_cast<std::int64_t>(callSites.size()),
                      static_cast<std::int64_t>(rank.communicators.size()), rank.callers.size()};
  in.resize(rank.events, 4);
  for (Event &event : rank.events) {
    decodeEvent(in, event, ranges);
    if (event.site != noSite)
      event.site = sites[static_cast<std::size_t>(event.site)];
    if (event.call != noSite)
      event.call = callSites[static_cast<std::size_t>(event.call)];
  }
  decodeStatistics(in, rank.statistics, rank.events.size());
  decodeGrammar(in, rank.sequence, rank.events.size());
  rank.host = in.text();
  rank.seconds = decodeSeconds(in, 0);
  rank.truncated = in.flag();
  rank.redistributions = decodeRedistributions(in, rankCount);
  in.expectEnd();
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
