// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/recording/RecordedRequests.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace sendwright {

int RecordedRequests::takeNumber() {
  while (firstFree < freeBits.size() && freeBits[firstFree] == 0)
    ++firstFree;
  if (firstFree == freeBits.size()) {
    entries.resize(entries.size() + 64);
    freeBits.push_back(~std::uint64_t(0));
  }
  std::uint64_t &word = freeBits[firstFree];
  const int bit = std::countr_zero(word);
  word &= word - 1;
  return int(firstFree) * 64 + bit;
}

void RecordedRequests::freeNumber(int number) {
  const std::size_t word = std::size_t(number) / 64;
  freeBits[word] |= std::uint64_t(1) << (number % 64);
  firstFree = std::min(firstFree, word);
}

int RecordedRequests::open(MPI_Request handle, bool wildcard, int communicator) {
  queues.reserveOne(); // before anything changes
  const int number = takeNumber();
  entries[number] = {-1, wildcard, communicator, false, MPI_REQUEST_NULL};
  wildcards += wildcard;
  if (handle == MPI_REQUEST_NULL)
    return number; // nothing will complete it
  if (Queue *queue = queues.find(handle)) {
    entries[queue->youngest].next = number;
    queue->youngest = number;
  } else {
    queues.insertReserved(handle, {number, number});
  }
  return number;
}

RecordedRequests::Pair RecordedRequests::openPair(MPI_Request handle, bool wildcard,
                                                  int communicator) {
  const int sent = open(handle, false, communicator);
  const int received = open(handle, wildcard, communicator);
  entries[sent].paired = true;
  return {sent, received};
}

RecordedRequest RecordedRequests::find(MPI_Request handle) const {
  if (const Persistent *known = persistent.find(handle))
    return {known->number, known->call.wildcard, known->call.communicator};
  const Queue *queue = queues.find(handle);
  if (!queue)
    return {};
  const Entry &entry = entries[queue->oldest];
  return {queue->oldest, entry.wildcard, entry.communicator, entry.paired};
}

RecordedRequest RecordedRequests::takeOne(MPI_Request handle) {
  const RecordedRequest request = find(handle);
  if (request.number < 0)
    return request;
  entries[request.number].takenFrom = handle;
  if (Persistent *known = persistent.find(handle)) {
    known->number = -1;
    return request;
  }
  const int next = entries[request.number].next;
  if (next >= 0)
    queues.find(handle)->oldest = next;
  else
    queues.erase(handle);
  return request;
}

int RecordedRequests::numberToCancel(MPI_Request handle) const {
  if (const int number = find(handle).number; number >= 0 || handle == MPI_REQUEST_NULL)
    return number;
  const auto taken = std::ranges::find(entries, handle, &Entry::takenFrom);
  return taken == entries.end() ? -1 : static_cast<int>(taken - entries.begin());
}

TakenRequests RecordedRequests::take(MPI_Request handle) {
  TakenRequests taken = {takeOne(handle), {}};
  if (taken[0].paired)
    taken[1] = takeOne(handle);
  return taken;
}

void RecordedRequests::putBackOne(MPI_Request handle, const RecordedRequest &request) {
  if (request.number < 0)
    return;
  entries[request.number].takenFrom = MPI_REQUEST_NULL;
  if (Persistent *known = persistent.find(handle)) {
    known->number = request.number;
    return;
  }
  queues.reserveOne();
  Queue *queue = queues.find(handle);
  entries[request.number].next = queue ? queue->oldest : -1;
  if (queue)
    queue->oldest = request.number;
  else
    queues.insertReserved(handle, {request.number, request.number});
}

void RecordedRequests::putBack(MPI_Request handle, const TakenRequests &taken) {
  putBackOne(handle, taken[1]);
  putBackOne(handle, taken[0]);
}

void RecordedRequests::close(const RecordedRequest &request) {
  entries[request.number].takenFrom = MPI_REQUEST_NULL;
  wildcards -= request.wildcard;
  freeNumber(request.number);
}

const PersistentCall *RecordedRequests::start(MPI_Request before, MPI_Request handle, int &number) {
  if (before != handle)
    if (const std::optional<Persistent> moved = persistent.take(before))
      persistent[handle] = *moved; // replaces a request that was freed unseen
  Persistent *known = persistent.find(handle);
  if (!known)
    return nullptr;
  if (known->number < 0) {
    known->number = takeNumber();
    wildcards += known->call.wildcard;
  }
  number = known->number;
  return &known->call;
}

std::size_t RecordedRequests::memory() const {
  return entries.capacity() * sizeof(Entry) + queues.memory() + persistent.memory();
}

} // namespace sendwright
