// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/sharing/planned/Link.h"

#include "analysis/sharing/SharedExchanges.h"
#include "runtime/base/WorldRanks.h"

#include <algorithm>
#include <cstring>

namespace sendwright::exchange {

namespace {

constexpr std::size_t firstPart = sharedFirstPart;
constexpr std::size_t mostTested = 8;      ///< at once, under SMPI
constexpr std::size_t keptBuffers = 64;    ///< kept for the next messages
constexpr std::size_t keptSize = 16 << 20; ///< larger buffers are freed

} // namespace

bool Link::begin(PrivateCommunicator &communicator, int tags) {
  world = &communicator;
  tagCount = tags;
  firstTag = communicator.takeTags(2 * static_cast<std::uint64_t>(tags) + 1);
  sentTo.assign(static_cast<std::size_t>(ranksIn(communicator.handle())), 0);
  return firstTag >= 0;
}

void Link::listen(int source, int tag, Receiver receiver) {
  inboxes.push_back(std::make_unique<Inbox>(
      Inbox{source, tag, std::move(receiver), std::vector<std::byte>(firstPart)}));
  requests.push_back(MPI_REQUEST_NULL);
  indices.resize(requests.size());
  statuses.resize(requests.size());
  post(requests.size() - 1);
}

void Link::post(std::size_t index) {
  Inbox &inbox = *inboxes[index];
  PMPI_Irecv(inbox.first.data(), static_cast<int>(firstPart), MPI_BYTE, inbox.source,
             firstTag + inbox.tag, world->handle(), &requests[index]);
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

void Link::send(int destination, int tag, std::uint64_t number, std::vector<std::byte> &&message) {
  if (drops)
    return;
  Sending &sent = sending.emplace_back();
  sent.bytes = std::move(message);
  const MessageHeader header{sent.bytes.size(), number};
  std::memcpy(sent.bytes.data(), &header, sizeof header);
  const std::size_t first = std::min(firstPart, sent.bytes.size());
  sent.requests.reserve(1 + partCount(sent.bytes.size() - first)); // nothing can fail from here on
  sent.requests.emplace_back();
  PMPI_Isend(sent.bytes.data(), static_cast<int>(first), MPI_BYTE, destination, firstTag + tag,
             world->handle(), &sent.requests.back());
  inParts(first, sent.bytes.size(), [&](std::size_t offset, int count) {
    sent.requests.emplace_back();
    PMPI_Isend(sent.bytes.data() + offset, count, MPI_BYTE, destination, firstTag + tagCount + tag,
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

void Link::arrived(std::size_t index, const MPI_Status &status) {
  Inbox &inbox = *inboxes[index];
  MessageHeader header;
  std::memcpy(&header, inbox.first.data(), sizeof header);
  if (header.bytes <= firstPart) {
    ++received;
    inbox.receiver(status.MPI_SOURCE, header.number,
                   std::span(inbox.first).subspan(sizeof header, header.bytes - sizeof header));
    post(index);
    return;
  }
  Rest &rest = rests.emplace_back(Rest{&inbox, status.MPI_SOURCE, {}, {}});
  rest.bytes.resize(header.bytes);
  std::memcpy(rest.bytes.data(), inbox.first.data(), firstPart);
  inParts(firstPart, header.bytes, [&](std::size_t offset, int count) {
    rest.requests.emplace_back();
    PMPI_Irecv(rest.bytes.data() + offset, count, MPI_BYTE, rest.source,
               firstTag + tagCount + inbox.tag, world->handle(), &rest.requests.back());
  });
  post(index); // only then, so that the rests of one sender's messages are received in order
}

void Link::deliver(std::list<Rest>::iterator rest) {
  MessageHeader header;
  std::memcpy(&header, rest->bytes.data(), sizeof header);
  ++received;
  rest->inbox->receiver(rest->source, header.number, std::span(rest->bytes).subspan(sizeof header));
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
      deliver(which);
    any |= done;
  }
  return any;
}

bool Link::testInboxes() {
  int count = 0;
  PMPI_Testsome(static_cast<int>(requests.size()), requests.data(), &count, indices.data(),
                statuses.data());
  bool any = false;
  for (int which = 0; count != MPI_UNDEFINED && which < count; ++which, any = true)
    arrived(static_cast<std::size_t>(indices[which]), statuses[which]);
  return any;
}

/// Tests one request.
bool Link::testInbox(std::size_t index) {
  int done = 0;
  MPI_Status status;
  PMPI_Test(&requests[index], &done, &status);
  if (done)
    arrived(index, status);
  return done != 0;
}

/// SMPI takes simulated time for each request, where MPI tests them all in little more than the
/// time for one. So every other time it tests one of messages that go directly, and one of the
/// others in turn.
bool Link::testSomeInboxes() {
  isTurnToTest = !isTurnToTest;
  if (!isTurnToTest)
    return false;
  const auto anySource = std::ranges::find_if(
      inboxes, [](const auto &inbox) { return inbox->source == MPI_ANY_SOURCE; });
  nextTested = (nextTested + 1) % requests.size();
  bool any = testInbox(nextTested);
  if (anySource != inboxes.end())
    any |= testInbox(static_cast<std::size_t>(anySource - inboxes.begin()));
  isTurnToTest = !any;
  return any;
}

bool Link::progress() {
  const bool few = isSimulated && requests.size() > mostTested;
  bool any = few ? testSomeInboxes() : testInboxes();
  if (!rests.empty())
    any |= takeRests();
  if (!any && (!few || nextTested == 0))
    takeOneSent();
  return any;
}

void Link::await(Awaited &awaited) {
  while (!awaitOne(awaited)) {
  }
}

/// Waits for one of the requests. False: it belonged to a message that has left.
bool Link::awaitOne(Awaited &awaited) {
  std::vector<MPI_Request *> waiting(requests.size());
  std::transform(requests.begin(), requests.end(), waiting.begin(),
                 [](MPI_Request &request) { return &request; });
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
  if (ended < requests.size()) {
    arrived(ended, status);
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
      deliver(rest);
      break;
    }
  return true;
}

void Link::end() {
  for (MPI_Request &request : requests)
    if (request != MPI_REQUEST_NULL) {
      PMPI_Cancel(&request);
      PMPI_Wait(&request, MPI_STATUS_IGNORE);
    }
  takeSent();
  if (!sending.empty() || !rests.empty())
    world->keep();
}

} // namespace sendwright::exchange
