// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/sharing/planned/Link.h"

#include "analysis/sharing/SharedExchanges.h"
#include "runtime/base/WorldRanks.h"

#include <algorithm>
#include <cstring>

namespace sendwright::exchange {

namespace {

constexpr std::size_t firstPart = sharedFirstPart;
constexpr std::size_t keptBuffers = 64;    ///< kept for the next messages
constexpr std::size_t keptSize = 16 << 20; ///< larger buffers are freed

} // namespace

bool Link::begin(PrivateCommunicator &communicator) {
  world = &communicator;
  firstTag = communicator.takeTags(3);
  sentTo.assign(static_cast<std::size_t>(ranksIn(communicator.handle())), 0);
  if (firstTag < 0)
    return false;
  for (Inbox &inbox : inboxes) {
    inbox.first.resize(firstPart);
    post(inbox);
  }
  return true;
}

void Link::listen(int source, int kind, Receiver receiver) {
  receivers[{kind, source}] = std::move(receiver);
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
  const MessageHeader header{
      static_cast<std::uint64_t>(kind) << MessageHeader::kindShift | sent.bytes.size(), number};
  std::memcpy(sent.bytes.data(), &header, sizeof header);
  const std::size_t first = std::min(firstPart, sent.bytes.size());
  sent.requests.reserve(1 + partCount(sent.bytes.size() - first)); // nothing can fail from here on
  sent.requests.emplace_back();
  PMPI_Isend(sent.bytes.data(), static_cast<int>(first), MPI_BYTE, destination, firstTag,
             world->handle(), &sent.requests.back());
  inParts(first, sent.bytes.size(), [&](std::size_t offset, int count) {
    sent.requests.emplace_back();
    PMPI_Isend(sent.bytes.data() + offset, count, MPI_BYTE, destination, restTag(), world->handle(),
               &sent.requests.back());
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

/// The oldest inbox has a first part. It is posted again only when the receives of a second part
/// are, so that the second parts of one sender's messages are received in order.
void Link::arrived(int source) {
  Inbox &inbox = oldest();
  oldestInbox = (oldestInbox + 1) % inboxCount;
  MessageHeader header;
  std::memcpy(&header, inbox.first.data(), sizeof header);
  const std::size_t bytes = header.bytes();
  if (bytes <= firstPart) {
    takeIn(source, std::span(inbox.first).first(bytes));
  } else {
    Rest &rest = rests.emplace_back(Rest{source, {}, {}});
    rest.bytes.resize(bytes);
    std::memcpy(rest.bytes.data(), inbox.first.data(), firstPart);
    inParts(firstPart, bytes, [&](std::size_t offset, int count) {
      rest.requests.emplace_back();
      PMPI_Irecv(rest.bytes.data() + offset, count, MPI_BYTE, source, restTag(), world->handle(),
                 &rest.requests.back());
    });
  }
  post(inbox);
}

void Link::takeIn(int source, std::span<std::byte> message) {
  MessageHeader header;
  std::memcpy(&header, message.data(), sizeof header);
  ++received;
  auto receiver = receivers.find({header.kind(), source});
  if (receiver == receivers.end())
    receiver = receivers.find({header.kind(), MPI_ANY_SOURCE});
  if (receiver != receivers.end())
    receiver->second(source, header.number, message.subspan(sizeof header));
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
    arrived(status.MPI_SOURCE);
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
  std::vector<MPI_Request *> waiting{&oldest().request};
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
  const auto ended = static_cast<std::size_t>(index);
  *waiting[ended] = all[ended];
  if (ended == 0) {
    arrived(status.MPI_SOURCE);
    return true;
  }
  const auto isEnded = [](MPI_Request request) { return request == MPI_REQUEST_NULL; };
  if (ended >= arriving) {
    if (std::all_of(sending.front().requests.begin(), sending.front().requests.end(), isEnded))
      takeSent(sending.begin());
    return false;
  }
  if (ended >= ours) {
    awaited.ended = static_cast<int>(ended - ours);
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
