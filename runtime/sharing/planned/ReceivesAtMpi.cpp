// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The receives of a shared communicator that MPI serves: those of messages that travel past the
// runtime, those whose bytes MPI carries, and those that are lent to it while the rank is in a
// collective call, where nobody looks for messages.

#include "runtime/base/MpiDifferences.h"
#include "runtime/base/Sizes.h"
#include "runtime/sharing/planned/ReceiptNotices.h"
#include "runtime/sharing/planned/SharedCommunicator.h"

#include <algorithm>

namespace sendwright::exchange {

namespace {

/// A message carried by MPI that was found and can be received. SMPI, which has no matched probes,
/// runs one thread of a process at a time, so no other thread takes it.
struct FoundMessage {
  MPI_Message message = MPI_MESSAGE_NULL; ///< stays null under SMPI
  MPI_Status status;
};

bool findInMpi(const PostedReceive &receive, MPI_Comm handle, FoundMessage &found) {
  int any = 0;
  if (isSimulated)
    PMPI_Iprobe(receive.source, receive.tag, handle, &any, &found.status);
  else
    PMPI_Improbe(receive.source, receive.tag, handle, &any, &found.message, &found.status);
  return any != 0;
}

/// Does not wait for the message's bytes, which the sender may still hold.
void takeFromMpi(PostedReceive &receive, MPI_Comm handle, FoundMessage &found) {
  receive.statusSource = found.status.MPI_SOURCE;
  receive.statusTag = found.status.MPI_TAG;
  receive.error =
      isSimulated ? PMPI_Irecv(receive.buffer, receive.count, receive.datatype,
                               receive.statusSource, receive.statusTag, handle, &receive.payload)
                  : PMPI_Imrecv(receive.buffer, receive.count, receive.datatype, &found.message,
                                &receive.payload);
}

} // namespace

void SharedCommunicator::postAtMpi(PostedReceive &receive) {
  receive.atMpi = true;
  receive.error = PMPI_Irecv(receive.buffer, receive.count, receive.datatype, receive.source,
                             receive.tag, handle, &receive.payload);
  paying.push_back(&receive);
}

/// Takes the receive back from MPI; false if a message was matched to it, or it is not there.
bool SharedCommunicator::cancelAtMpi(PostedReceive &receive) {
  if (isSimulated || !receive.atMpi || receive.payload == MPI_REQUEST_NULL)
    return false; // SMPI cannot cancel
  MPI_Status status;
  int cancelled = 0;
  PMPI_Cancel(&receive.payload);
  const int error = PMPI_Wait(&receive.payload, &status);
  PMPI_Test_cancelled(&status, &cancelled);
  if (!cancelled) {
    finishPayload(receive, error, status);
    return false;
  }
  std::erase(paying, &receive);
  return true;
}

bool SharedCommunicator::serveFromMpi() {
  bool any = false;
  for (std::size_t index = 0; handle != MPI_COMM_NULL && index < queue.size();) {
    FoundMessage found;
    if (!findInMpi(*queue[index], handle, found)) {
      ++index;
      continue;
    }
    const auto first = std::find_if(queue.begin(), queue.end(), [&](const PostedReceive *receive) {
      return receive->accepts(found.status.MPI_SOURCE, found.status.MPI_TAG);
    });
    PostedReceive &receive = **first;
    queue.erase(first);
    takeFromMpi(receive, handle, found);
    paying.push_back(&receive);
    any = true;
    index = 0;
  }
  return any;
}

void SharedCommunicator::takePayloads() {
  for (std::size_t index = 0; index < paying.size();) {
    PostedReceive &receive = *paying[index];
    int done = 0;
    MPI_Status status;
    const int error = PMPI_Test(&receive.payload, &done, &status);
    if (error == MPI_SUCCESS && !done) {
      ++index;
      continue;
    }
    finishPayload(receive, error, status);
  }
}

void SharedCommunicator::finishPayload(PostedReceive &receive, int error,
                                       const MPI_Status &status) {
  std::erase(paying, &receive);
  if (int cancelled = 0; !isSimulated && error == MPI_SUCCESS &&
                         PMPI_Test_cancelled(&status, &cancelled) == MPI_SUCCESS && cancelled)
    return enqueue(receive);
  finish(receive, error, status);
}

/// MPI has taken its time to say that it did not serve the receive, which was lent to it.
void SharedCommunicator::enqueue(PostedReceive &receive) {
  queue.insert(std::ranges::upper_bound(queue, receive.serial, {}, &PostedReceive::serial),
               &receive);
}

void SharedCommunicator::finish(PostedReceive &receive, int error, const MPI_Status &status) {
  receive.error = error;
  if (receive.atMpi) {
    receive.statusSource = status.MPI_SOURCE;
    receive.statusTag = status.MPI_TAG;
  }
  if (error == MPI_SUCCESS)
    receive.bytes = static_cast<MPI_Count>(receivedBytes(status));
  if (receive.statusSource == MPI_ANY_SOURCE) { // MPI has matched it
    receive.statusSource = status.MPI_SOURCE;
    receive.statusTag = status.MPI_TAG;
  }
  complete(receive);
}

void SharedCommunicator::tellPosted(const Source &from) {
  PostedReceives told;
  told.first = from.nextPair;
  for (const PostedReceive *receive : from.posted) {
    if (receive->tag == MPI_ANY_TAG) {
      ++told.ofAnyTag;
      continue;
    }
    auto ofTag = std::ranges::find(told.ofTags, receive->tag, &PostedReceives::OfTag::tag);
    if (ofTag == told.ofTags.end())
      ofTag = told.ofTags.insert(ofTag, {receive->tag, from.taken.of(receive->tag), 0});
    ++ofTag->count;
  }
  notices->tellPosted(from.worldRank, index, told);
}

/// Receives of one tag, or of any tag alone, get the next messages (PostedReceives.h).
bool SharedCommunicator::hasUntold() const {
  return !queue.empty() || std::ranges::any_of(sources, [](const auto &known) {
    const Source &from = known.second;
    const auto ofAnyTag = static_cast<std::size_t>(
        std::ranges::count(from.posted, static_cast<int>(MPI_ANY_TAG), &PostedReceive::tag));
    return ofAnyTag != 0 && (ofAnyTag != from.posted.size() || !from.takenAhead.empty());
  });
}

/// In the order in which they were posted. With SMPI, which cannot cancel, they stay here.
void SharedCommunicator::lend() {
  for (const auto &[rank, from] : sources)
    if (notices && !from.posted.empty())
      tellPosted(from);
  if (isSimulated || !probes() || handle == MPI_COMM_NULL)
    return;
  takeBackLent();
  for (PostedReceive *receive : queue)
    PMPI_Irecv(receive->buffer, receive->count, receive->datatype, receive->source, receive->tag,
               handle, &receive->payload);
  isLent = true;
}

/// Whether MPI has not matched the receive.
bool SharedCommunicator::takeBackFromMpi(PostedReceive &receive) {
  int done = 0, cancelled = 0;
  MPI_Status status;
  PMPI_Cancel(&receive.payload);
  const int error = PMPI_Test(&receive.payload, &done, &status);
  if (error == MPI_SUCCESS && done)
    PMPI_Test_cancelled(&status, &cancelled);
  if (cancelled)
    return true;
  if (error == MPI_SUCCESS && !done)
    paying.push_back(&receive);
  else
    finish(receive, error, status);
  return false;
}

/// The last first: a message that comes meanwhile must not find a later receive alone.
void SharedCommunicator::takeBackAll() {
  isLent = false;
  for (std::size_t index = queue.size(); index-- > 0;)
    if (PostedReceive *receive = queue[index]; receive->payload != MPI_REQUEST_NULL) {
      queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(index));
      if (takeBackFromMpi(*receive))
        queue.insert(queue.begin() + static_cast<std::ptrdiff_t>(index), receive);
    }
}

} // namespace sendwright::exchange
