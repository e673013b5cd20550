// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/recording/RecordedCall.h"

#include "runtime/base/Neighbors.h"
#include "runtime/base/Sizes.h"
#include "runtime/recording/Marks.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

namespace sendwright {

namespace {

int recordedTag(int tag) { return tag == MPI_ANY_TAG ? anyTag : tag; }

bool isWildcard(int peer, int tag) {
  return peer != MPI_PROC_NULL && (peer == MPI_ANY_SOURCE || tag == MPI_ANY_TAG);
}

/// The match of a receive, for the call itself.
WildcardMatch matchOf(const Recorder &recorder, int communicator, const MPI_Status &status) {
  return {-1, recorder.communicators.peer(communicator, status.MPI_SOURCE), status.MPI_TAG,
          receivedBytes(status)};
}

/// The site of the current call, if it was marked. Drops the mark of another function's call that
/// was never made because an argument threw.
sendwright_site *takeMarkedCall(MpiFunctionId function) {
  sendwright_site *site = std::exchange(recordingThread().call, nullptr);
  const bool isIts = site && site->flags >> SENDWRIGHT_SITE_FUNCTION_SHIFT == unsigned(function);
  return isIts ? site : nullptr;
}

/// Where the function is called that makes the marked call, if that call is marked, too. A call in
/// another function shows that the marked call has ended.
const sendwright_caller *callerOf(sendwright_site *site) {
  sendwright_caller *&caller = recordingThread().caller;
  if (!site || !caller)
    return nullptr;
  if (caller->known != site) {
    if (std::strcmp(caller->callee, site->function) != 0)
      return caller = nullptr;
    caller->known = site;
  }
  return caller;
}

/// Drops the mark of a call whose loop, as this rank sees it, does not go over all ranks: the loop
/// could not become an operation that all ranks know of.
void dropUncovering(CallTimes &times, MPI_Comm communicator) {
  const std::optional<LoopBounds> bounds = std::exchange(recordingThread().bounds, std::nullopt);
  int ranks = 0;
  if (times.site && bounds &&
      (PMPI_Comm_size(communicator, &ranks) != MPI_SUCCESS || !coversOthers(*bounds, ranks)))
    times.site = nullptr;
}

bool isOfNeighbors(MpiFunctionId function) { return !mpiFunction(function).operation; }

/// Ranks of the communicator that this rank has blocks for, in their order; none if MPI alone knows
/// which block goes where.
std::vector<int> partnersIn(MpiFunctionId function, MPI_Comm communicator) {
  if (isOfNeighbors(function)) {
    const Neighbors neighbors = neighborsIn(communicator);
    return neighbors.eachOnce ? neighbors.destinations : std::vector<int>();
  }
  std::vector<int> everyone(static_cast<std::size_t>(rankCount(communicator)));
  std::iota(everyone.begin(), everyone.end(), 0);
  return everyone;
}

/// Those that are not empty.
std::vector<MovedMessage> blocksIn(const Recorder &recorder, int communicator,
                                   const BlockSide &side, const std::vector<int> &partners) {
  std::vector<MovedMessage> moved;
  for (std::size_t index = 0; index < partners.size(); ++index)
    if (partners[index] != MPI_PROC_NULL)
      if (const std::uint64_t bytes = side.bytes(index))
        moved.push_back(
            {recorder.communicators.peer(communicator, partners[index]), false, bytes, bytes});
  return moved;
}

/// Whether a profile has room for them: neighbours are few by nature.
bool areFew(const std::vector<MovedMessage> &moved, MpiFunctionId function, MPI_Comm communicator) {
  const bool allAreHere = std::ranges::none_of(
      moved, [](const MovedMessage &block) { return block.peer < 0; }); // no other job's ranks
  return allAreHere && (isOfNeighbors(function) ||
                        2 * moved.size() <= static_cast<std::size_t>(rankCount(communicator)));
}

} // namespace

RecordedCall::RecordedCall(Caller caller, MpiFunctionId function) : function(function) {
  times.caller = caller.address;
  times.site = takeMarkedCall(function);
  times.wrapped = callerOf(times.site);
  times.begin = recordingThread().clock.now();
  endAbandonedScopes(caller.frame, times.begin);
}

void RecordedCall::message(int peer, int tag, MPI_Comm communicator, int count,
                           MPI_Datatype datatype, const MPI_Request *request) noexcept {
  times.end = recordingThread().clock.now();
  dropUncovering(times, communicator);
  withRecorder([&](Recorder &recorder) {
    EventContent content;
    content.function = function;
    content.communicator = recorder.communicators.index(communicator);
    content.peer = recorder.communicators.peer(content.communicator, peer);
    content.tag = recordedTag(tag);
    content.bytes = bytesOf(count, datatype);
    int number = 0;
    if (request) {
      const bool wildcard = isReceive(mpiFunction(function).role) && isWildcard(peer, tag);
      number = recorder.requests.open(*request, wildcard, content.communicator);
      content.requests = std::span(&number, 1);
    }
    recorder.add(content, times);
  });
}

void RecordedCall::received(int peer, int tag, MPI_Comm communicator, std::uint64_t room,
                            const MPI_Status &status) noexcept {
  times.end = recordingThread().clock.now();
  dropUncovering(times, communicator);
  withRecorder([&](Recorder &recorder) {
    EventContent content;
    content.function = function;
    content.communicator = recorder.communicators.index(communicator);
    content.peer = recorder.communicators.peer(content.communicator, peer);
    content.tag = recordedTag(tag);
    content.bytes = room;
    WildcardMatch match;
    if (isWildcard(peer, tag)) {
      match = matchOf(recorder, content.communicator, status);
      content.matches = std::span(&match, 1);
    }
    recorder.add(content, times);
  });
}

void RecordedCall::exchanged(const Half &sent, const Half &received, MPI_Comm communicator,
                             const MPI_Status &status) noexcept {
  times.end = recordingThread().clock.now();
  withRecorder([&](Recorder &recorder) {
    EventContent content;
    content.function = function;
    content.communicator = recorder.communicators.index(communicator);
    content.peer = recorder.communicators.peer(content.communicator, sent.peer);
    content.tag = sent.tag;
    content.bytes = bytesOf(sent.count, sent.datatype);
    content.receivePeer = recorder.communicators.peer(content.communicator, received.peer);
    content.receiveTag = recordedTag(received.tag);
    content.receiveBytes = bytesOf(received.count, received.datatype);
    WildcardMatch match;
    if (isWildcard(received.peer, received.tag)) {
      match = matchOf(recorder, content.communicator, status);
      content.matches = std::span(&match, 1);
    }
    recorder.add(content, times);
  });
}

void RecordedCall::exchanging(const Half &sent, const Half &received, MPI_Comm communicator,
                              MPI_Request request) noexcept {
  times.end = recordingThread().clock.now();
  withRecorder([&](Recorder &recorder) {
    const int index = recorder.communicators.index(communicator);
    const RecordedRequests::Pair numbers =
        recorder.requests.openPair(request, isWildcard(received.peer, received.tag), index);
    const auto add = [&](MpiFunctionId as, const Half &half, const int &number) {
      EventContent content;
      content.function = as;
      content.communicator = index;
      content.peer = recorder.communicators.peer(index, half.peer);
      content.tag = recordedTag(half.tag);
      content.bytes = bytesOf(half.count, half.datatype);
      content.requests = std::span(&number, 1);
      recorder.add(content, times);
    };
    add(MpiFunctionId::Isend, sent, numbers.sent);
    times.begin = times.end; // the first half's time stands for both
    times.site = nullptr;
    add(MpiFunctionId::Irecv, received, numbers.received);
  });
}

void RecordedCall::fruitless() noexcept {
  times.end = recordingThread().clock.now();
  Recorder::addFruitlessTest(times);
}

void RecordedCall::persistent(MpiFunctionId startedAs, int peer, int tag, MPI_Comm communicator,
                              int count, MPI_Datatype datatype,
                              const MPI_Request *request) noexcept {
  withRecorder([&](Recorder &recorder) {
    const int index = recorder.communicators.index(communicator);
    recorder.requests.openPersistent(
        *request, {startedAs, recorder.communicators.peer(index, peer), recordedTag(tag), index,
                   bytesOf(count, datatype),
                   isReceive(mpiFunction(startedAs).role) && isWildcard(peer, tag)});
  });
}

void RecordedCall::collective(MPI_Comm communicator, const int *root, std::uint64_t bytes,
                              const MPI_Request *request) noexcept {
  times.end = recordingThread().clock.now();
  withRecorder([&](Recorder &recorder) {
    EventContent content;
    content.function = function;
    content.communicator = recorder.communicators.index(communicator);
    if (root) // may be MPI_ROOT on an intercommunicator, whose number may be that of a rank
      content.peer = recorder.communicators.isInter(content.communicator)
                         ? nullRank
                         : recorder.communicators.peer(content.communicator, *root);
    content.bytes = bytes;
    int number = 0;
    if (request) {
      number = recorder.requests.open(*request, false, content.communicator);
      content.requests = std::span(&number, 1);
    }
    recorder.add(content, times);
  });
}

void RecordedCall::irregular(MPI_Comm communicator, const BlockSide &sent,
                             const BlockSide &received, std::uint64_t bytes,
                             const MPI_Request *request) noexcept {
  times.end = recordingThread().clock.now();
  withRecorder([&](Recorder &recorder) {
    EventContent content;
    content.function = function;
    content.communicator = recorder.communicators.index(communicator);
    const bool isInter = recorder.communicators.isInter(content.communicator);
    const bool isInPlace = sent.buffer() == MPI_IN_PLACE && !isInter;
    std::vector<MovedMessage> moved;
    if (!isInter)
      moved = blocksIn(recorder, content.communicator, isInPlace ? received : sent,
                       partnersIn(function, communicator));
    content.bytes = bytes;
    for (const MovedMessage &block : moved)
      content.bytes += isInPlace ? block.bytes : 0;
    if (areFew(moved, function, communicator) &&
        recorder.mayKeepBlocks(function, content.communicator, moved))
      content.moved = moved;
    int number = 0;
    if (request) {
      number = recorder.requests.open(*request, false, content.communicator);
      content.requests = std::span(&number, 1);
    }
    recorder.add(content, times);
  });
}

void noteCommunicator(MPI_Comm communicator) noexcept {
  withRecorder([&](Recorder &recorder) { recorder.communicators.note(communicator); });
}

void noteDuplicate(MPI_Comm original, MPI_Comm copy) noexcept {
  withRecorder([&](Recorder &recorder) { recorder.communicators.noteDuplicate(original, copy); });
}

void dropCommunicator(MPI_Comm communicator) noexcept {
  withRecorder([&](Recorder &recorder) { recorder.communicators.drop(communicator); });
}

} // namespace sendwright
