// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/sharing/planned/Link.h"

#include "analysis/sharing/SharedExchanges.h"
#include "runtime/base/WorldRanks.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace sendwright::exchange {

namespace {

constexpr std::size_t firstPart = sharedFirstPart;
constexpr std::size_t keptBuffers = 64;    ///< kept for the next messages
constexpr std::size_t keptSize = 16 << 20; ///< larger buffers are freed

MessageHeader headerOf(std::span<const std::byte> message) {
  MessageHeader header;
  std::memcpy(&header, message.data(), sizeof header);
  return header;
}

} // namespace

bool Link::begin(PrivateCommunicator &communicator) {
  world = &communicator;
  firstTag = communicator.takeTags(tagCount);
  sentTo.assign(static_cast<std::size_t>(ranksIn(communicator.handle())), 0);
  restsTo.assign(sentTo.size(), 0);
  if (firstTag < 0)
    return false;
  for (std::size_t i = 0; i < inboxCount; ++i) {
    inboxes[i].first.resize(firstPart);
    post(inboxes[i]);
    byAge[i] = &inboxes[i];
  }
  return true;
}

void Link::listen(int source, int kind, Receiver receiver, Order order) {
  listeners[{kind, source}] = {std::move(receiver), order};
}

const Link::Listener *Link::listenerOf(const MessageHeader &header, int source) const {
  auto listener = listeners.find({header.kind(), source});
  if (listener == listeners.end())
    listener = listeners.find({header.kind(), MPI_ANY_SOURCE});
  return listener == listeners.end() ? nullptr : &listener->second;
}

void Link::post(Inbox &inbox) {
  PMPI_Irecv(inbox.first.data(), static_cast<int>(firstPart), MPI_BYTE, MPI_ANY_SOURCE, firstTag,
             world->handle(), &inbox.request);
}

std::vector<std::byte> Link::buffer() {
  std::vector<std::byte> bytes;
  if (!spare.empty()) {
    bytes = std::move(spare.back());
    spare.pop_back();
  }
  bytes.resize(sizeof(MessageHeader));
  return bytes;
}

void Link::send(int destination, int kind, std::uint64_t number, std::vector<std::byte> &&message) {
  if (drops)
    return;
  Sending &sent = sending.emplace_back();
  sent.bytes = std::move(message);
  const std::size_t first = std::min(firstPart, sent.bytes.size());
  std::uint8_t &rest = restsTo[static_cast<std::size_t>(destination)];
  if (first < sent.bytes.size())
    rest = static_cast<std::uint8_t>((rest + 1) % restTags);
  const MessageHeader header{static_cast<std::uint64_t>(kind) << MessageHeader::kindShift |
                                 static_cast<std::uint64_t>(rest) << MessageHeader::restShift |
                                 sent.bytes.size(),
                             number};
  std::memcpy(sent.bytes.data(), &header, sizeof header);
  sent.requests.reserve(1 + partCount(sent.bytes.size() - first)); // nothing can fail from here on
  sent.requests.emplace_back();
  PMPI_Isend(sent.bytes.data(), static_cast<int>(first), MPI_BYTE, destination, firstTag,
             world->handle(), &sent.requests.back());
  inParts(first, sent.bytes.size(), [&](std::size_t offset, int count) {
    sent.requests.emplace_back();
    PMPI_Isend(sent.bytes.data() + offset, count, MPI_BYTE, destination, restTag(rest),
               world->handle(), &sent.requests.back());
  });
  sendingBytes += sent.bytes.size();
  ++sentTo[static_cast<std::size_t>(destination)];

  // A rank has usually tested them while it waited.
  if (sending.size() >= mostSending) {
    takeSent();
    mostSending = std::max(leastSending, 2 * sending.size());
  }
}

bool Link::takeSent(std::list<Sending>::iterator sent) {
  int done = 0;
  PMPI_Testall(static_cast<int>(sent->requests.size()), sent->requests.data(), &done,
               MPI_STATUSES_IGNORE);
  if (!done)
    return false;
  sendingBytes -= sent->bytes.size();
  if (spare.size() < keptBuffers && sent->bytes.capacity() <= keptSize)
    spare.push_back(std::move(sent->bytes));
  sending.erase(sent);
  return true;
}

/// Testing a request takes time, which a rank has while it waits. Only one test at a time: many
/// would delay this rank, and then all others that wait for it.
void Link::takeOneSent() {
  if (!sending.empty())
    takeSent(sending.begin());
}

void Link::takeSent() {
  for (auto sent = sending.begin(); sent != sending.end();)
    takeSent(sent++);
}

/// An inbox has a first part, perhaps before older ones. If its kind keeps order, it waits for
/// these.
void Link::ended(std::size_t age, int source) {
  const Listener *listener = listenerOf(headerOf(byAge[age]->first), source);
  if (age > 0 && listener && listener->order == Order::AsSent) {
    byAge[age]->waiting = source;
    return;
  }
  arrived(age, source);
  while (oldest().waiting >= 0)
    arrived(0, std::exchange(oldest().waiting, -1));
}

/// An inbox has a first part that may be taken in: `age` is its place in byAge. It is posted again
/// only when the receives of a second part are.
void Link::arrived(std::size_t age, int source) {
  const auto at = byAge.begin() + static_cast<std::ptrdiff_t>(age);
  std::rotate(at, at + 1, byAge.end());
  Inbox &inbox = *byAge.back();
  const MessageHeader header = headerOf(inbox.first);
  const std::size_t bytes = header.bytes();
  if (bytes <= firstPart) {
    takeIn(source, std::span(inbox.first).first(bytes));
  } else {
    Rest &rest = rests.emplace_back(Rest{source, {}, {}});
    rest.bytes.resize(bytes);
    std::memcpy(rest.bytes.data(), inbox.first.data(), firstPart);
    inParts(firstPart, bytes, [&](std::size_t offset, int count) {
      rest.requests.emplace_back();
      PMPI_Irecv(rest.bytes.data() + offset, count, MPI_BYTE, source, restTag(header.rest()),
                 world->handle(), &rest.requests.back());
    });
  }
  post(inbox);
}

void Link::takeIn(int source, std::span<std::byte> message) {
  const MessageHeader header = headerOf(message);
  ++received;
  if (const Listener *listener = listenerOf(header, source))
    listener->receive(source, header.number, message.subspan(sizeof header));
}

void Link::finish(std::list<Rest>::iterator rest) {
  takeIn(rest->source, rest->bytes);
  rests.erase(rest);
}

bool Link::takeRests() {
  bool any = false;
  for (auto rest = rests.begin(); rest != rests.end();) {
    const auto which = rest++;
    int done = 0;
    PMPI_Testall(static_cast<int>(which->requests.size()), which->requests.data(), &done,
                 MPI_STATUSES_IGNORE);
    if (done)
      finish(which);
    any |= done;
  }
  return any;
}

bool Link::testInbox() {
  int done = 0;
  MPI_Status status;
  PMPI_Test(&oldest().request, &done, &status);
  if (done)
    ended(0, status.MPI_SOURCE);
  return done != 0;
}

/// A test takes time under SMPI, so there the next message waits for the next call.
bool Link::progress() {
  bool any = testInbox();
  for (std::size_t more = 0; any && !isSimulated && more < inboxCount && testInbox(); ++more) {
  }
  if (!rests.empty())
    any |= takeRests();
  if (!any)
    takeOneSent();
  return any;
}

void Link::await(Awaited &awaited) {
  while (!awaitOne(awaited)) {
  }
}

/// Waits for one of the requests. False: it belonged to a message that has left.
bool Link::awaitOne(Awaited &awaited) {
  std::vector<MPI_Request *> waiting;
  waiting.reserve(byAge.size() + awaited.requests.size());
  for (Inbox *inbox : byAge)
    waiting.push_back(&inbox->request);
  for (Rest &rest : rests)
    for (MPI_Request &request : rest.requests)
      waiting.push_back(&request);
  const std::size_t ours = waiting.size();
  waiting.insert(waiting.end(), awaited.requests.begin(), awaited.requests.end());
  const std::size_t arriving = waiting.size();
  if (!sending.empty())
    for (MPI_Request &request : sending.front().requests)
      waiting.push_back(&request);

  std::vector<MPI_Request> all(waiting.size());
  std::transform(waiting.begin(), waiting.end(), all.begin(),
                 [](const MPI_Request *request) { return *request; });
  int index = MPI_UNDEFINED;
  MPI_Status status;
  const int error = PMPI_Waitany(static_cast<int>(all.size()), all.data(), &index, &status);
  if (index == MPI_UNDEFINED)
    return true;
  const auto which = static_cast<std::size_t>(index);
  *waiting[which] = all[which];
  if (which < inboxCount) {
    ended(which, status.MPI_SOURCE);
    return true;
  }
  const auto isEnded = [](MPI_Request request) { return request == MPI_REQUEST_NULL; };
  if (which >= arriving) {
    if (std::all_of(sending.front().requests.begin(), sending.front().requests.end(), isEnded))
      takeSent(sending.begin());
    return false;
  }
  if (which >= ours) {
    awaited.ended = static_cast<int>(which - ours);
    awaited.status = status;
    awaited.error = error != MPI_SUCCESS ? error : status.MPI_ERROR;
    return true;
  }
  for (auto rest = rests.begin(); rest != rests.end(); ++rest)
    if (std::all_of(rest->requests.begin(), rest->requests.end(), isEnded)) {
      finish(rest);
      break;
    }
  return true;
}

void Link::end() {
  for (Inbox &inbox : inboxes)
    if (inbox.request != MPI_REQUEST_NULL) {
      PMPI_Cancel(&inbox.request);
      PMPI_Wait(&inbox.request, MPI_STATUS_IGNORE);
    }
  takeSent();
  if (!sending.empty() || !rests.empty())
    world->keep();
}

} // namespace sendwright::exchange
