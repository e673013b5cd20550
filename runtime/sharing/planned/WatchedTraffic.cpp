// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/sharing/planned/WatchedTraffic.h"

#include "runtime/sharing/planned/EnvelopeHash.h"
#include "runtime/sharing/planned/MessageSharing.h"
#include "runtime/sharing/planned/SharedCommunicators.h"

#include <new>

namespace sendwright::exchange {

namespace {

WatchedTraffic &watchedTraffic() { return messageSharing()->watchedTraffic(); }

/// Without memory, what is counted is not the whole any more.
template <typename Count> void countOrLose(Count count) {
  try {
    count(watchedTraffic());
  } catch (const std::bad_alloc &) {
    watchedTraffic().lose();
  }
}

bool isWildcard(int source, int tag) { return source == MPI_ANY_SOURCE || tag == MPI_ANY_TAG; }

bool isCancelled(const MPI_Status &status) {
  int cancelled = 0;
  return !isSimulated && PMPI_Test_cancelled(&status, &cancelled) == MPI_SUCCESS && cancelled;
}

} // namespace

void WatchedTraffic::add(const SharedCommunicator &communicator, int source, int destination,
                         int tag, bool sent) {
  const auto &members = communicator.identity.members;
  const auto size = static_cast<int>(members.size());
  if (source < 0 || source >= size || destination < 0 || destination >= size)
    return; // MPI_PROC_NULL, or an error
  const std::uint64_t hash =
      envelopeHash(communicator.index, members[static_cast<std::size_t>(source)],
                   members[static_cast<std::size_t>(destination)], tag);
  total += sent ? hash : 0 - hash;
}

void WatchedTraffic::noteSend(MPI_Comm communicator, int destination, int tag) {
  if (const SharedCommunicator *of = known.find(communicator))
    add(*of, of->rank(), destination, tag, true);
}

void WatchedTraffic::noteReceive(MPI_Comm communicator, int source, int tag) {
  if (const SharedCommunicator *of = known.find(communicator))
    add(*of, source, of->rank(), tag, false);
}

void WatchedTraffic::notePosted(MPI_Comm communicator, int source, int tag, MPI_Request request) {
  if (source == MPI_PROC_NULL || !known.find(communicator))
    return;
  if (isWildcard(source, tag))
    wildcards[request] = communicator;
  else
    noteReceive(communicator, source, tag);
}

void WatchedTraffic::notePersistent(MPI_Comm communicator, int peer, int tag, bool sends,
                                    MPI_Request request) {
  if (known.find(communicator) && peer != MPI_PROC_NULL)
    persistent[request] = {communicator, peer, tag, sends};
}

void WatchedTraffic::noteStarts(int count, const MPI_Request *requests) {
  for (int index = 0; !persistent.empty() && index < count; ++index)
    if (const Persistent *one = persistent.find(requests[index])) {
      if (one->sends)
        noteSend(one->communicator, one->peer, one->tag);
      else
        notePosted(one->communicator, one->peer, one->tag, requests[index]);
    }
}

void WatchedTraffic::noteFreed(MPI_Request request) { persistent.erase(request); }

MPI_Comm WatchedTraffic::wildcardOf(MPI_Request request) const {
  const MPI_Comm *found = wildcards.find(request);
  return found ? *found : MPI_COMM_NULL;
}

void WatchedTraffic::noteCompleted(MPI_Comm communicator, MPI_Request request,
                                   const MPI_Status &status) {
  wildcards.erase(request);
  if (!isCancelled(status))
    noteReceive(communicator, status.MPI_SOURCE, status.MPI_TAG);
}

bool watching = false;

void MessageSharing::watch() {
  watching = pausing = true;
  watched.restart();
}

/// What it began while it served must end so.
void MessageSharing::serveWhileWatching(bool serves) {
  if (watching && (serves || isIdle()))
    pausing = !serves;
}

void MessageSharing::carry() { watching = pausing = false; }

void MessageSharing::watchSend(const void *frame, MPI_Comm communicator, int destination,
                               MPI_Count count, MPI_Datatype datatype, bool mayTravel) {
  SharedCommunicator *of = known.find(communicator);
  if (!of || destination < 0 || count < 0 || datatype == MPI_DATATYPE_NULL)
    return;
  const Target *target = of->target(destination);
  if (!target || target->worldRank == worldRank)
    return;
  const MPI_Count bytes = shapeOf(datatype).size * count;
  policy()->noteSend(frame, *of, *target, static_cast<std::uint64_t>(bytes), mayTravel);
}

/// Nothing of the program's is under way with the runtime.
void MessageSharing::leaveWhileWatching() {
  pausing = watching = false;
  decider->end();
  leave();
}

void watchSend(const void *frame, MPI_Comm communicator, int destination, int tag, MPI_Count count,
               MPI_Datatype datatype, bool mayTravel) noexcept {
  countOrLose([&](WatchedTraffic &of) {
    of.noteSend(communicator, destination, tag);
    messageSharing()->watchSend(frame, communicator, destination, count, datatype, mayTravel);
  });
}

void watchWait() noexcept { messageSharing()->policy()->noteWait(); }

void watchPosted(int result, MPI_Comm communicator, int source, int tag,
                 const MPI_Request *request) noexcept {
  if (result == MPI_SUCCESS)
    countOrLose([&](WatchedTraffic &of) { of.notePosted(communicator, source, tag, *request); });
}

void watchPersistent(int result, MPI_Comm communicator, int peer, int tag, bool sends,
                     const MPI_Request *request) noexcept {
  if (result == MPI_SUCCESS)
    countOrLose(
        [&](WatchedTraffic &of) { of.notePersistent(communicator, peer, tag, sends, *request); });
}

void watchStarts(int count, const MPI_Request *requests) noexcept {
  if (requests)
    countOrLose([&](WatchedTraffic &of) { of.noteStarts(count, requests); });
}

void watchFreed(const MPI_Request *request) noexcept {
  if (request)
    watchedTraffic().noteFreed(*request);
}

WatchedReceive::WatchedReceive(MPI_Comm communicator, int source, int tag,
                               MPI_Status *&status) noexcept
    : communicator(communicator), source(source), tag(tag) {
  watchWait();
  if (!isWildcard(source, tag) || source == MPI_PROC_NULL)
    return;
  if (status == MPI_STATUS_IGNORE)
    status = &own;
  seen = status;
}

void WatchedReceive::finish(int result) noexcept {
  if (!seen)
    watchedTraffic().noteReceive(communicator, source, tag);
  else if (result == MPI_SUCCESS || result == MPI_ERR_TRUNCATE)
    watchedTraffic().noteReceive(communicator, seen->MPI_SOURCE, seen->MPI_TAG);
}

WatchedProbe::WatchedProbe(MPI_Comm communicator, MPI_Status *&status) noexcept
    : communicator(communicator) {
  if (status == MPI_STATUS_IGNORE)
    status = &own;
  seen = status;
}

void WatchedProbe::finish(int result, bool found) noexcept {
  if (result == MPI_SUCCESS && found)
    watchedTraffic().noteReceive(communicator, seen->MPI_SOURCE, seen->MPI_TAG);
}

WatchedCompletion::WatchedCompletion(int count, const MPI_Request *requests,
                                     MPI_Status *&statuses) noexcept {
  watchWait();
  const WatchedTraffic &traffic = watchedTraffic();
  if (!traffic.anyWildcards() || !requests)
    return;
  countOrLose([&](const WatchedTraffic &) {
    for (int index = 0; index < count; ++index)
      if (const MPI_Comm communicator = traffic.wildcardOf(requests[index]);
          communicator != MPI_COMM_NULL)
        entries.push_back({index, communicator, requests[index]});
    if (entries.empty())
      return;
    if (statuses == MPI_STATUSES_IGNORE || statuses == MPI_STATUS_IGNORE) {
      own.resize(static_cast<std::size_t>(count));
      statuses = own.data();
    }
    seen = statuses;
  });
}

void WatchedCompletion::finish(int index, const MPI_Status &status) noexcept {
  for (const Entry &entry : entries)
    if (entry.index == index)
      watchedTraffic().noteCompleted(entry.communicator, entry.request, status);
}

void WatchedCompletion::all(bool complete) noexcept {
  for (const Entry &entry : entries)
    if (complete)
      finish(entry.index, seen[entry.index]);
}

void WatchedCompletion::any(int index) noexcept {
  if (!entries.empty() && index != MPI_UNDEFINED)
    finish(index, *seen);
}

void WatchedCompletion::some(int completed, const int *indices) noexcept {
  for (int which = 0; !entries.empty() && completed != MPI_UNDEFINED && which < completed; ++which)
    finish(indices[which], seen[which]);
}

} // namespace sendwright::exchange
