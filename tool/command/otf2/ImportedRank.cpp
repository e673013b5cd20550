// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/otf2/ImportedRank.h"

#include "analysis/trace/TextTrace.h"

#include <algorithm>
#include <climits>
#include <optional>
#include <utility>

namespace sendwright {

namespace {

struct NamedOperation {
  OTF2_CollectiveOp operation;
  MpiFunctionId blocking, nonblocking;
};

constexpr NamedOperation namedOperations[] = {
    {OTF2_COLLECTIVE_OP_BARRIER, MpiFunctionId::Barrier, MpiFunctionId::Ibarrier},
    {OTF2_COLLECTIVE_OP_BCAST, MpiFunctionId::Bcast, MpiFunctionId::Ibcast},
    {OTF2_COLLECTIVE_OP_GATHER, MpiFunctionId::Gather, MpiFunctionId::Igather},
    {OTF2_COLLECTIVE_OP_GATHERV, MpiFunctionId::Gatherv, MpiFunctionId::Igatherv},
    {OTF2_COLLECTIVE_OP_SCATTER, MpiFunctionId::Scatter, MpiFunctionId::Iscatter},
    {OTF2_COLLECTIVE_OP_SCATTERV, MpiFunctionId::Scatterv, MpiFunctionId::Iscatterv},
    {OTF2_COLLECTIVE_OP_ALLGATHER, MpiFunctionId::Allgather, MpiFunctionId::Iallgather},
    {OTF2_COLLECTIVE_OP_ALLGATHERV, MpiFunctionId::Allgatherv, MpiFunctionId::Iallgatherv},
    {OTF2_COLLECTIVE_OP_ALLTOALL, MpiFunctionId::Alltoall, MpiFunctionId::Ialltoall},
    {OTF2_COLLECTIVE_OP_ALLTOALLV, MpiFunctionId::Alltoallv, MpiFunctionId::Ialltoallv},
    {OTF2_COLLECTIVE_OP_ALLTOALLW, MpiFunctionId::Alltoallw, MpiFunctionId::Ialltoallw},
    {OTF2_COLLECTIVE_OP_ALLREDUCE, MpiFunctionId::Allreduce, MpiFunctionId::Iallreduce},
    {OTF2_COLLECTIVE_OP_REDUCE, MpiFunctionId::Reduce, MpiFunctionId::Ireduce},
    {OTF2_COLLECTIVE_OP_REDUCE_SCATTER, MpiFunctionId::Reduce_scatter,
     MpiFunctionId::Ireduce_scatter},
    {OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK, MpiFunctionId::Reduce_scatter_block,
     MpiFunctionId::Ireduce_scatter_block},
    {OTF2_COLLECTIVE_OP_SCAN, MpiFunctionId::Scan, MpiFunctionId::Iscan},
    {OTF2_COLLECTIVE_OP_EXSCAN, MpiFunctionId::Exscan, MpiFunctionId::Iexscan}};

/// The function that is known to do an operation; null for what makes or frees a handle.
const MpiFunction *functionOf(OTF2_CollectiveOp operation, bool hasRequest) {
  for (const NamedOperation &each : namedOperations)
    if (each.operation == operation)
      return &mpiFunction(hasRequest ? each.nonblocking : each.blocking);
  return nullptr;
}

} // namespace

ImportedRank::ImportedRank(const Otf2ReadDefinitions &definitions, const Otf2Library &library,
                           std::size_t rank, RankProfile &profile, SiteIndex siteIndex)
    : definitions(definitions), library(library), rank(rank), profile(profile),
      siteIndex(std::move(siteIndex)), numbers(profile) {
  profile.host = definitions.hostOf(rank);
  profile.communicators.push_back(definitions.world());
}

void ImportedRank::fail(const std::string &problem) const {
  library.fail("rank " + std::to_string(rank) + ": " + problem);
}

double ImportedRank::seconds(OTF2_TimeStamp time) {
  const double now = definitions.secondsAt(time);
  if (!hasBegun)
    first = last = callEnd = now;
  hasBegun = true;
  return last = std::max(last, now);
}

// Regions.

void ImportedRank::enter(OTF2_TimeStamp time, OTF2_RegionRef reference) {
  const double now = seconds(time);
  const Otf2ReadDefinitions::Region *const region = definitions.region(reference);
  if (!region)
    fail("region " + std::to_string(reference) + " is entered, expected one that is defined");
  OpenRegion open{reference, regions.empty() ? noSite : regions.back().site};
  if (region->line > 0 && !region->file.empty()) {
    SiteIdentity site;
    site.file = region->file;
    site.line = region->line;
    open.site = siteIndex(site);
  }
  regions.push_back(open);
  if (!region->isMpi || call.depth > 0)
    return;
  call = {};
  call.function = findMpiFunction(region->name);
  call.depth = regions.size();
  call.begin = now;
}

void ImportedRank::leave(OTF2_TimeStamp time) {
  const double now = seconds(time);
  if (regions.empty())
    fail("a region is left, expected one that was entered");
  if (call.depth == regions.size())
    finishCall(now);
  regions.pop_back();
}

void ImportedRank::finishCall(double end) {
  Call done = std::exchange(call, {});
  const auto addCompletion = [&](MpiFunctionId function, const std::vector<int> &list) {
    if (list.empty())
      return;
    PendingEvent pendingEvent;
    pendingEvent.event = eventOf(mpiFunction(function));
    pendingEvent.event.requests = list;
    done.events.push_back(std::move(pendingEvent));
  };
  addCompletion(MpiFunctionId::Cancel, done.cancelled);
  const bool completes = done.function && done.function->role == MpiRole::Completion;
  addCompletion(completes                    ? done.function->id
                : done.completed.size() == 1 ? MpiFunctionId::Wait
                                             : MpiFunctionId::Waitall,
                done.completed);
  if (!done.events.empty()) {
    done.events[0].before = std::max(done.begin - callEnd, 0.0);
    done.events[0].inside = std::max(end - done.begin, 0.0);
  }
  callEnd = end;
  for (PendingEvent &each : done.events)
    append(std::move(each));
}

// Events.

Event ImportedRank::eventOf(const MpiFunction &function) const {
  Event event;
  event.function = function.id;
  event.site = regions.empty() ? noSite : regions.back().site;
  return event;
}

/// A record outside of any call is a call of its own.
template <typename Act> void ImportedRank::record(OTF2_TimeStamp time, Act &&act) {
  const double now = seconds(time);
  ++records;
  const bool isAlone = call.depth == 0;
  if (isAlone)
    call.begin = now;
  act();
  if (isAlone)
    finishCall(now);
}

void ImportedRank::append(PendingEvent event) {
  pending.push_back(std::move(event));
  flush(false);
}

void ImportedRank::flush(bool all) {
  for (; !pending.empty() && (all || pending.front().isComplete); pending.pop_front(), ++flushed) {
    const PendingEvent &next = pending.front();
    const std::uint32_t number = numbers.of(next.event);
    profile.statistics.resize(profile.events.size());
    EventStatistics &statistics = profile.statistics[number];
    statistics.beforeMinimum =
        statistics.count == 0 ? next.before : std::min(statistics.beforeMinimum, next.before);
    statistics.beforeMaximum = std::max(statistics.beforeMaximum, next.before);
    statistics.before += next.before;
    statistics.inside += next.inside;
    ++statistics.count;
    sequence.append(number);
  }
}

void ImportedRank::finish() {
  if (call.depth > 0)
    finishCall(last);
  flush(true);
  profile.sequence = sequence.grammar();
  profile.seconds = last - first;
}

int ImportedRank::communicatorIndex(OTF2_CommRef reference) {
  const auto [place, isNew] = communicators.try_emplace(reference, 0);
  if (!isNew)
    return place->second;
  Otf2ReadDefinitions::SeenCommunicator seen = definitions.communicator(reference, rank);
  partners[reference] = seen.partners;
  if (seen.communicator == profile.communicators[0])
    return 0;
  if (profile.communicators.size() == mostTraceCommunicators)
    fail("one communicator more than " + std::to_string(mostTraceCommunicators) +
         ", expected no more on one rank");
  profile.communicators.push_back(std::move(seen.communicator));
  return place->second = static_cast<int>(profile.communicators.size() - 1);
}

/// The world rank of a communicator's member; the communicator must have an index.
int ImportedRank::partner(OTF2_CommRef reference, std::uint32_t member) const {
  const RankList &list = partners.at(reference);
  if (member >= list.size())
    fail("a message with member " + std::to_string(member) + " of communicator " +
         std::to_string(reference) + ", expected one of its " + std::to_string(list.size()));
  return list[member];
}

int ImportedRank::tagOf(std::uint32_t tag) const {
  if (tag > INT_MAX)
    fail("tag " + std::to_string(tag) + ", expected at most " + std::to_string(INT_MAX));
  return static_cast<int>(tag);
}

// Messages.

/// The event of the call, if it has this role and makes a request or not; otherwise of `otherwise`.
Event ImportedRank::eventOfCall(bool (*hasRole)(MpiRole), bool hasRequest,
                                MpiFunctionId otherwise) const {
  const bool fits =
      call.function && hasRole(call.function->role) && (call.function->request >= 0) == hasRequest;
  return eventOf(fits ? *call.function : mpiFunction(otherwise));
}

void ImportedRank::describeMessage(Event &event, const RecordedMessage &message) {
  event.communicator = communicatorIndex(message.communicator);
  event.peer = partner(message.communicator, message.partner);
  event.tag = tagOf(message.tag);
  event.bytes = message.bytes;
}

void ImportedRank::send(OTF2_TimeStamp time, const RecordedMessage &message) {
  record(time, [&] {
    const bool exchanges = call.function && call.function->role == MpiRole::SendReceive;
    Event event =
        exchanges ? eventOf(*call.function) : eventOfCall(isSend, false, MpiFunctionId::Send);
    describeMessage(event, message);
    if (exchanges)
      event.receivePeer = nullRank;
    call.events.push_back({std::move(event)});
  });
}

void ImportedRank::receive(OTF2_TimeStamp time, const RecordedMessage &message) {
  record(time, [&] {
    Event event = eventOfCall(isReceive, false, MpiFunctionId::Recv);
    describeMessage(event, message);
    if (!call.function || call.function->role != MpiRole::SendReceive) {
      call.events.push_back({std::move(event)});
      return;
    }
    if (call.events.empty()) { // it sends to nobody
      call.events.push_back({eventOf(*call.function)});
      call.events.back().event.peer = nullRank;
    }
    Event &exchange = call.events.back().event;
    exchange.communicator = event.communicator;
    exchange.receivePeer = event.peer;
    exchange.receiveTag = event.tag;
    exchange.receiveBytes = event.bytes;
  });
}

// Requests.

void ImportedRank::open(Event event, std::uint64_t request, bool isComplete) {
  OpenRequest opened;
  opened.number = freeNumbers.empty() ? nextNumber++ : *freeNumbers.begin();
  freeNumbers.erase(opened.number);
  opened.pending = flushed + pending.size() + call.events.size();
  event.requests = {opened.number};
  requests[request] = opened;
  PendingEvent started;
  started.event = std::move(event);
  started.isComplete = isComplete;
  call.events.push_back(std::move(started));
}

void ImportedRank::startSend(OTF2_TimeStamp time, const RecordedMessage &message,
                             std::uint64_t request) {
  record(time, [&] {
    Event event = eventOfCall(isSend, true, MpiFunctionId::Isend);
    describeMessage(event, message);
    open(std::move(event), request, true);
  });
}

void ImportedRank::startReceive(OTF2_TimeStamp time, std::uint64_t request) {
  record(time, [&] {
    Event event = eventOfCall(isReceive, true, MpiFunctionId::Irecv);
    event.peer = anySource; // until it is completed
    event.tag = anyTag;
    open(std::move(event), request, false);
  });
}

void ImportedRank::startCollective(OTF2_TimeStamp time, std::uint64_t request) {
  record(time,
         [&] { open(eventOfCall(isCollective, true, MpiFunctionId::Ibarrier), request, false); });
}

/// Ends a request. Returns the event that created it, unless it is part of the run already.
ImportedRank::PendingEvent *ImportedRank::close(std::uint64_t request) {
  const auto found = requests.find(request);
  if (found == requests.end())
    return nullptr;
  const OpenRequest opened = found->second;
  requests.erase(found);
  freeNumbers.insert(opened.number);
  call.completed.push_back(opened.number);
  if (opened.pending < flushed)
    return nullptr;
  const std::uint64_t place = opened.pending - flushed;
  PendingEvent *const started =
      place < pending.size() ? &pending[place] : &call.events.at(place - pending.size());
  started->isComplete = true;
  return started;
}

void ImportedRank::completeSend(OTF2_TimeStamp time, std::uint64_t request) {
  record(time, [&] { close(request); });
}

void ImportedRank::completeReceive(OTF2_TimeStamp time, const RecordedMessage &message,
                                   std::uint64_t request) {
  if (!requests.count(request))
    return receive(time, message); // it was posted before the trace began
  record(time, [&] {
    if (PendingEvent *const started = close(request))
      describeMessage(started->event, message);
  });
}

void ImportedRank::cancel(OTF2_TimeStamp time, std::uint64_t request) {
  record(time, [&] {
    const auto found = requests.find(request);
    if (found == requests.end())
      return;
    call.cancelled.push_back(found->second.number);
    close(request);
  });
}

// Collective operations.

void ImportedRank::describeCollective(Event &event, const RecordedCollective &collective) {
  event.communicator = communicatorIndex(collective.communicator);
  const RankList &members = partners.at(collective.communicator);
  const bool hasRoot = collective.root < members.size();
  event.peer = hasRoot ? members[collective.root] : noPeer;
  CollectivePlace place;
  place.members = members.size();
  place.isRoot = event.peer == static_cast<int>(rank);
  const auto own = std::find(members.begin(), members.end(), static_cast<int>(rank));
  place.index = own == members.end() ? 0 : static_cast<std::uint64_t>(own - members.begin());
  event.bytes = contributedBytes(mpiFunction(event.function), collective.sizes, place);
}

void ImportedRank::endCollective(OTF2_TimeStamp time, const RecordedCollective &collective) {
  const bool isKnown =
      call.function && isCollective(call.function->role) && call.function->request < 0;
  const MpiFunction *const function =
      isKnown ? call.function : functionOf(collective.operation, false);
  record(time, [&] {
    if (!function) // it frees a handle, or makes one of a kind that is not followed
      return;
    Event event = eventOf(*function);
    describeCollective(event, collective);
    call.events.push_back({std::move(event)});
  });
}

void ImportedRank::completeCollective(OTF2_TimeStamp time, const RecordedCollective &collective,
                                      std::uint64_t request) {
  record(time, [&] {
    PendingEvent *const started = close(request);
    if (!started)
      return;
    const MpiFunction *const function = functionOf(collective.operation, true);
    if (function && started->event.function == MpiFunctionId::Ibarrier)
      started->event.function = function->id;
    describeCollective(started->event, collective);
  });
}

} // namespace sendwright
