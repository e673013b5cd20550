// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/sharing/planned/WatchedTraffic.h"

#include "runtime/sharing/planned/EnvelopeHash.h"
#include "runtime/sharing/planned/MessageSharing.h"
#include "runtime/sharing/planned/SharedCommunicators.h"

#include "runtime/batch/Batch.h"

#include <climits>
#include <new>
#include <optional>
#include <utility>

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

Mode modeOf(char letter) {
  return letter == 'b'   ? Mode::Buffered
         : letter == 'r' ? Mode::Ready
         : letter == 's' ? Mode::Synchronous
                         : Mode::Standard;
}

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

void WatchedTraffic::notePersistent(MPI_Request request, const PersistentSend &send) {
  noteFreed(request);
  persistent[request] = {std::make_unique<PersistentSend>(send), nullptr, false};
}

void WatchedTraffic::notePersistent(std::unique_ptr<PostedReceive> receive) {
  const MPI_Request request = receive->request;
  noteFreed(request);
  persistent[request] = {nullptr, std::move(receive), false};
}

const PersistentSend *WatchedTraffic::noteStart(MPI_Request request) {
  Persistent *one = persistent.find(request);
  if (!one)
    return nullptr;
  activePersistent += one->active ? 0 : 1;
  one->active = true;
  if (one->send)
    noteSend(one->send->arguments.communicator, one->send->arguments.destination,
             one->send->arguments.tag);
  else
    notePosted(one->receive->handle, one->receive->source, one->receive->tag, request);
  return one->send.get();
}

void WatchedTraffic::notePersistentDone(MPI_Request request) {
  Persistent *one = persistent.find(request);
  if (!one || !one->active)
    return;
  one->active = false;
  --activePersistent;
}

/// The handle may also belong to a request that was freed unseen by the runtime.
void WatchedTraffic::noteFreed(MPI_Request request) {
  notePersistentDone(request);
  std::optional<Persistent> freed = persistent.take(request);
  if (!freed)
    return;
  if (freed->receive)
    release(freed->receive.release());
  else if (freed->send->ownsDatatype)
    PMPI_Type_free(&freed->send->arguments.datatype);
}

void WatchedTraffic::handOver(ProgramRequests &requests) {
  std::vector<MPI_Request> handles;
  persistent.forEach([&](MPI_Request request, const Persistent &) { handles.push_back(request); });
  for (const MPI_Request request : handles) {
    currentBatch()->persistent.forget(request); // starts of the runtime's are not held
    std::optional<Persistent> one = persistent.take(request);
    if (one && one->send)
      requests.add(request, *one->send);
    else if (one)
      requests.add(*one->receive.release());
  }
}

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

void MessageSharing::carry() {
  try {
    watched.handOver(programRequests);
  } catch (const std::bad_alloc &) {
    endForMemory();
  }
  watching = pausing = false;
}

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

void watchPersistentSend(const char *letter, const void *buffer, MPI_Count count,
                         MPI_Datatype datatype, int destination, int tag, MPI_Comm communicator,
                         const MPI_Request *request) noexcept {
  SharedCommunicator *of = messageSharing()->communicators().find(communicator);
  if (!of || destination == MPI_PROC_NULL)
    return;
  countOrLose([&](WatchedTraffic &traffic) {
    const SendArguments arguments{buffer,      static_cast<int>(count), datatype, destination, tag,
                                  communicator};
    std::optional<PersistentSend> send;
    if (count <= INT_MAX)
      send = servedSend(of, modeOf(*letter), arguments);
    if (!send)
      return traffic.lose();
    send->ownsDatatype = ownDatatype(send->arguments.datatype);
    traffic.notePersistent(*request, *send);
  });
}

void watchPersistentReceive(void *buffer, MPI_Count count, MPI_Datatype datatype, int source,
                            int tag, MPI_Comm communicator, const MPI_Request *request) noexcept {
  SharedCommunicator *of = messageSharing()->communicators().find(communicator);
  if (!of || source == MPI_PROC_NULL)
    return;
  countOrLose([&](WatchedTraffic &traffic) {
    std::unique_ptr<PostedReceive> receive;
    if (count <= INT_MAX)
      receive =
          servedReceive(of, buffer, static_cast<int>(count), datatype, source, tag, communicator);
    if (!receive)
      return traffic.lose();
    receive->ownsDatatype = ownDatatype(receive->datatype);
    receive->request = *request;
    traffic.notePersistent(std::move(receive));
  });
}

void watchStarts(const void *frame, int count, const MPI_Request *requests) noexcept {
  if (!requests || !watchedTraffic().anyPersistent())
    return;
  countOrLose([&](WatchedTraffic &of) {
    for (int index = 0; index < count; ++index)
      if (const PersistentSend *send = of.noteStart(requests[index])) {
        const SendArguments &a = send->arguments;
        messageSharing()->watchSend(frame, a.communicator, a.destination, a.count, a.datatype,
                                    send->mode != Mode::Synchronous);
      }
  });
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

void notePollInVain() noexcept { messageSharing()->policy()->notePollInVain(); }

void WatchedProbe::finish(int result, bool found) noexcept {
  if (!found)
    notePollInVain();
  if (result == MPI_SUCCESS && found)
    watchedTraffic().noteReceive(communicator, seen->MPI_SOURCE, seen->MPI_TAG);
}

WatchedCompletion::WatchedCompletion(int count, const MPI_Request *requests,
                                     MPI_Status *&statuses) noexcept {
  watchWait();
  const WatchedTraffic &traffic = watchedTraffic();
  if ((!traffic.anyWildcards() && !traffic.anyPersistent()) || !requests)
    return;
  countOrLose([&](const WatchedTraffic &) {
    bool anyWildcard = false;
    for (int index = 0; index < count; ++index) {
      const MPI_Comm communicator = traffic.wildcardOf(requests[index]);
      if (communicator != MPI_COMM_NULL || traffic.isPersistent(requests[index]))
        entries.push_back({index, communicator, requests[index]});
      anyWildcard |= communicator != MPI_COMM_NULL;
    }
    if (!anyWildcard)
      return;
    if (statuses == MPI_STATUSES_IGNORE || statuses == MPI_STATUS_IGNORE) {
      own.resize(static_cast<std::size_t>(count));
      statuses = own.data();
    }
    seen = statuses;
  });
}

/// `status` is null if no request receives from any source or of any tag.
void WatchedCompletion::finish(int index, const MPI_Status *status) noexcept {
  for (const Entry &entry : entries)
    if (entry.index == index) {
      watchedTraffic().notePersistentDone(entry.request);
      if (entry.communicator != MPI_COMM_NULL)
        watchedTraffic().noteCompleted(entry.communicator, entry.request, *status);
    }
}

void WatchedCompletion::all(bool complete) noexcept {
  if (!complete)
    notePollInVain();
  for (const Entry &entry : entries)
    if (complete)
      finish(entry.index, seen ? &seen[entry.index] : nullptr);
}

void WatchedCompletion::any(int index) noexcept {
  if (index == MPI_UNDEFINED)
    notePollInVain();
  if (!entries.empty() && index != MPI_UNDEFINED)
    finish(index, seen);
}

void WatchedCompletion::some(int completed, const int *indices) noexcept {
  if (completed == 0)
    notePollInVain();
  for (int which = 0; !entries.empty() && completed != MPI_UNDEFINED && which < completed; ++which)
    finish(indices[which], seen ? &seen[which] : nullptr);
}

} // namespace sendwright::exchange
