// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/sharing/planned/SharedCommunicator.h"
#include "runtime/base/WorldRanks.h"
#include "runtime/sharing/planned/MessageSharing.h"

#include <algorithm>

namespace sendwright::exchange {

SharedCommunicator::SharedCommunicator(Communicator known, std::uint32_t index, bool everyPair)
    : identity(std::move(known)), index(index), everyTarget(everyPair), everySource(everyPair) {
  const int ranks = ranksIn(MPI_COMM_WORLD), own = rankIn(MPI_COMM_WORLD);
  rankOf.assign(static_cast<std::size_t>(ranks), -1);
  for (std::size_t rank = 0; rank < identity.members.size(); ++rank)
    rankOf[identity.members[rank]] = static_cast<int>(rank);
  ownRank = rankOf[static_cast<std::size_t>(own)];
}

bool SharedCommunicator::isMember(int rank) const {
  return rank >= 0 && rank < static_cast<int>(identity.members.size());
}

void SharedCommunicator::addRoute(const SharedMessage &message, const FirstHop &hop) {
  const int rank = rankOf[message.destination];
  if (rank < 0)
    return;
  Target &target = targets[rank];
  target.worldRank = message.destination;
  for (const int tag : message.tags)
    target.routes[tag].push_back(hop);
}

void SharedCommunicator::removeRoute(const SharedMessage &message, const FirstHop &hop) {
  const auto found = targets.find(rankOf[message.destination]);
  if (found == targets.end())
    return;
  for (const int tag : message.tags)
    std::erase_if(found->second.routes[tag],
                  [&](const FirstHop &known) { return known.routes == hop.routes; });
}

void SharedCommunicator::addSource(int worldRank) {
  const int rank = rankOf[worldRank];
  if (rank < 0)
    return;
  Source &from = sources[rank];
  from.rank = rank;
  from.worldRank = worldRank;
}

void SharedCommunicator::addAnySourceReceiver(int worldRank) {
  const int rank = rankOf[worldRank];
  if (rank == ownRank)
    everySource = true;
  if (rank >= 0)
    targets[rank].worldRank = worldRank;
}

Target *SharedCommunicator::target(int rank) {
  const auto found = targets.find(rank);
  if (found != targets.end())
    return &found->second;
  if (!everyTarget || !isMember(rank))
    return nullptr;
  Target &made = targets[rank];
  made.worldRank = identity.members[static_cast<std::size_t>(rank)];
  return &made;
}

Record SharedCommunicator::number(Target &target, int tag) {
  Record record;
  record.tag = tag;
  record.tagNumber = target.ofTag.count(tag);
  record.pairNumber = target.messages++;
  return record;
}

void SharedCommunicator::takeBack(Target &target, int tag) {
  target.ofTag.takeBack(tag);
  --target.messages;
}

const FirstHop *Target::hopInto(const Routes &open, int tag) const {
  for (const int key : {tag, anyTag})
    if (const auto known = routes.find(key); known != routes.end())
      for (const FirstHop &hop : known->second)
        if (hop.routes == &open)
          return &hop;
  return nullptr;
}

bool Target::hasRoutes() const {
  return std::ranges::any_of(routes, [](const auto &ofTag) { return !ofTag.second.empty(); });
}

SharedCommunicator::Source *SharedCommunicator::source(int rank) {
  auto found = sources.find(rank);
  if (found == sources.end() && everySource && isMember(rank)) {
    addSource(identity.members[static_cast<std::size_t>(rank)]);
    found = sources.find(rank);
  }
  return found == sources.end() ? nullptr : &found->second;
}

bool SharedCommunicator::serves(int rank) const {
  if (rank == MPI_ANY_SOURCE)
    return everySource || !sources.empty();
  if (!isMember(rank))
    return false; // MPI rejects it
  if (const auto known = sources.find(rank); known != sources.end() && known->second.atMpi)
    return known->second.heldCount != 0 || !queue.empty();
  return everySource || !queue.empty() || sources.contains(rank);
}

bool SharedCommunicator::servesAlone(int rank) const {
  if (rank == MPI_ANY_SOURCE)
    return everySource && !anyAtMpi;
  const auto known = sources.find(rank);
  return isMember(rank) && (known == sources.end() ? everySource : !known->second.atMpi);
}

const SharedCommunicator::Held *SharedCommunicator::find(Source &from, int tag) {
  if (from.heldCount == 0)
    return nullptr;
  if (tag != MPI_ANY_TAG) {
    const auto found = from.held.find(tag);
    if (found == from.held.end())
      return nullptr;
    const auto &[number, held] = *found->second.begin();
    return number == from.taken.of(tag) ? &held : nullptr;
  }
  for (auto &[value, held] : from.held)
    if (held.begin()->second.record.pairNumber == from.nextPair)
      return &held.begin()->second;
  return nullptr;
}

/// A message that waits for an earlier one may belong to an earlier receive: no probe sees it.
const SharedCommunicator::Held *SharedCommunicator::find(int rank, int tag) {
  takeBackLent();
  if (rank != MPI_ANY_SOURCE) {
    Source *from = source(rank);
    return from ? findUnclaimed(*from, tag) : nullptr;
  }
  for (auto &[number, from] : sources)
    if (const Held *held = findUnclaimed(from, tag))
      return held;
  return nullptr;
}

/// A receive took the message with these numbers.
void SharedCommunicator::note(Source &from, const Record &record) {
  from.taken.count(record.tag);
  if (record.pairNumber != from.nextPair) {
    from.takenAhead.insert(record.pairNumber);
    return;
  }
  ++from.nextPair;
  while (!from.takenAhead.empty() && from.takenAhead.erase(from.nextPair))
    ++from.nextPair;
}

SharedCommunicator::Held SharedCommunicator::take(const Held &chosen) {
  Source &from = sources.at(chosen.source);
  const auto ofTag = from.held.find(chosen.record.tag);
  Held held = std::move(ofTag->second.begin()->second);
  ofTag->second.erase(ofTag->second.begin());
  if (ofTag->second.empty())
    from.held.erase(ofTag);
  --from.heldCount;
  note(from, held.record);
  return held;
}

/// The first posted receive that may take a message with that tag, or null.
PostedReceive *SharedCommunicator::firstAccepting(const Source &from, int tag) const {
  PostedReceive *best = nullptr;
  for (const std::deque<PostedReceive *> *list : {&from.posted, &queue}) {
    const auto found = std::find_if(list->begin(), list->end(), [&](const PostedReceive *receive) {
      return receive->accepts(from.rank, tag);
    });
    if (found != list->end() && (!best || (*found)->serial < best->serial))
      best = *found;
  }
  return best;
}

/// The receive that gets the message. A receive of any tag waits for earlier messages, and so do
/// later receives.
PostedReceive *SharedCommunicator::receiverOf(const Source &from, const Record &record) const {
  PostedReceive *first = firstAccepting(from, record.tag);
  return first && first->tag == MPI_ANY_TAG && record.pairNumber != from.nextPair ? nullptr : first;
}

void SharedCommunicator::arrived(int worldRank, const Record &record,
                                 std::span<const std::byte> bytes) {
  if (record.place & hasLeftPair) {
    targets.at(rankOf[worldRank]).knows = true;
    messageSharing()->noteLeft();
    return;
  }
  Source &from = *source(rankOf[worldRank]);
  if (record.place & leavesPair) {
    from.last = record.pairNumber;
  } else {
    ++from.arrived;
    take(from, record, bytes);
  }
  if (from.arrived == from.last && !from.atMpi)
    leave(from);
}

/// All messages that the runtime carries have arrived. Receives that wait now are MPI's.
void SharedCommunicator::leave(Source &from) {
  from.atMpi = anyAtMpi = true;
  const std::deque<PostedReceive *> posted = std::move(from.posted);
  from.posted.clear();
  for (PostedReceive *receive : posted)
    if (queue.empty())
      postAtMpi(*receive);
    else // an earlier receive from any source may take the message
      queue.insert(
          std::ranges::find_if(
              queue, [&](const PostedReceive *other) { return other->serial > receive->serial; }),
          receive);
  messageSharing()->sendMark(from.worldRank, index | hasLeftPair, 0);
}

void SharedCommunicator::take(Source &from, const Record &record,
                              std::span<const std::byte> bytes) {
  const int worldRank = from.worldRank;
  if (record.tagNumber == from.taken.of(record.tag))
    if (PostedReceive *receive = receiverOf(from, record)) {
      note(from, record);
      remove(*receive);
      deliver(*receive, from.rank, worldRank, record, bytes);
      matchHeld(from);
      return;
    }
  from.held[record.tag].emplace(
      record.tagNumber,
      Held{record, std::vector<std::byte>(bytes.begin(), bytes.end()), from.rank});
  ++from.heldCount;
}

/// After one message was taken, others may be the next with their tag, or the next of all.
void SharedCommunicator::matchHeld(Source &from) {
  while (const Matched next = firstMatch(from)) {
    const Held held = take(*next.held);
    remove(*next.receive);
    deliver(*next.receive, from.rank, from.worldRank, held.record, held.bytes);
  }
}

/// A message that waits here and the posted receive that may take it now, if there is such a pair.
SharedCommunicator::Matched SharedCommunicator::firstMatch(const Source &from) const {
  for (const auto &[tag, messages] : from.held) {
    const auto &[number, held] = *messages.begin();
    if (number != from.taken.of(tag))
      continue;
    if (PostedReceive *receive = receiverOf(from, held.record))
      return {&held, receive};
  }
  return {};
}

void SharedCommunicator::deliver(PostedReceive &receive, int rank, int worldRank,
                                 const Record &record, std::span<const std::byte> bytes) {
  receive.statusSource = rank;
  receive.statusTag = record.tag;
  if (notices && record.place & (announced | synchronous)) {
    notices->tellMet(worldRank, index, record);
    anySourceWasAwaited |= receive.source == MPI_ANY_SOURCE && record.place & synchronous;
  }
  if (!(record.place & announced)) {
    place(receive, bytes, self);
    complete(receive);
    return;
  }
  std::uint64_t payloadTag = 0;
  std::memcpy(&payloadTag, bytes.data(), sizeof payloadTag);
  receive.error = PMPI_Irecv(receive.buffer, receive.count, receive.datatype, worldRank,
                             static_cast<int>(payloadTag), world, &receive.payload);
  paying.push_back(&receive);
}

std::deque<PostedReceive *> &SharedCommunicator::listOf(const PostedReceive &receive) {
  Source *from = receive.source == MPI_ANY_SOURCE ? nullptr : source(receive.source);
  return from && !from->atMpi ? from->posted : queue;
}

void SharedCommunicator::remove(PostedReceive &receive) {
  std::deque<PostedReceive *> &list = listOf(receive);
  list.erase(std::find(list.begin(), list.end(), &receive));
}

/// The message that a receive with that tag gets if it is posted now, excluding messages that an
/// earlier receive may take; or null.
const SharedCommunicator::Held *SharedCommunicator::findUnclaimed(Source &from, int tag) {
  const Held *held = find(from, tag);
  return held && !firstAccepting(from, held->record.tag) ? held : nullptr;
}

void SharedCommunicator::post(PostedReceive &receive) {
  takeBackLent();
  receive.serial = ++lastSerial;
  receive.atMpi = false;
  if (receive.source == MPI_ANY_SOURCE)
    messageSharing()->noteReasonToMeet();
  Source *from = receive.source == MPI_ANY_SOURCE ? nullptr : source(receive.source);
  const Held *held = nullptr;
  if (from)
    held = findUnclaimed(*from, receive.tag);
  for (auto &[rank, any] : sources)
    if (receive.source == MPI_ANY_SOURCE && !held)
      held = findUnclaimed(any, receive.tag);
  if (held) {
    const Held taken = take(*held);
    give(receive, taken);
    matchHeld(sources.at(taken.source));
    return;
  }
  if (from && from->atMpi && queue.empty())
    return postAtMpi(receive);
  std::deque<PostedReceive *> &list = listOf(receive);
  list.push_back(&receive);
  if (&list == &queue && probes())
    serveFromMpi();
}

void SharedCommunicator::give(PostedReceive &receive, const Held &taken) {
  deliver(receive, taken.source, sources.at(taken.source).worldRank, taken.record, taken.bytes);
}

bool SharedCommunicator::takeBack(PostedReceive &receive) {
  takeBackLent();
  std::deque<PostedReceive *> &list = listOf(receive);
  const auto found = std::find(list.begin(), list.end(), &receive);
  if (found == list.end())
    return cancelAtMpi(receive);
  list.erase(found);
  return true;
}

bool SharedCommunicator::hasLeft() const {
  return anyAtMpi ||
         std::ranges::any_of(targets, [](const auto &known) { return known.second.isLeft; });
}

bool SharedCommunicator::idle() const {
  return queue.empty() && paying.empty() &&
         std::all_of(sources.begin(), sources.end(),
                     [](const auto &known) { return known.second.posted.empty(); });
}

bool SharedCommunicator::holdsNothing() const {
  return std::all_of(sources.begin(), sources.end(),
                     [](const auto &known) { return known.second.heldCount == 0; });
}

void SharedCommunicator::progress() {
  if (!paying.empty())
    takePayloads();
  if (probes())
    serveFromMpi();
}

} // namespace sendwright::exchange
