// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program's calls as steps of the plan. For profiles, stepOf() decides what is a step; this
// file decides the same from a call's arguments.

#include "runtime/base/Interception.h"
#include "runtime/synchronization/State.h"
#include "runtime/synchronization/Synchronization.h"

#include <new>
#include <string>

namespace sendwright::synchronization {

namespace {

int stepTag(int tag) { return tag == MPI_ANY_TAG ? anyTag : tag; }

/// A short form, "MPI_Send to rank 3, tag 7", for the line that gives the reason.
std::string describe(const Step &step) {
  switch (step.kind) {
  case StepKind::Completion:
  case StepKind::Completions:
    return "a completion of requests";
  case StepKind::Synchronize:
  case StepKind::Announce:
  case StepKind::Await:
    return "a synchronisation";
  case StepKind::Call:
    break;
  }
  std::string text(mpiFunction(step.function).name);
  if (step.peer >= 0)
    text += " with rank " + std::to_string(step.peer) + ", tag " + std::to_string(step.tag);
  return text;
}

std::string contrast(const State &state, const Step &step) {
  return describe(step) + " where the profile has " +
         (state.follower.atEnd() ? "no further call" : describe(state.follower.expected()));
}

/// Runs `action` with the state; where memory runs out, synchronisation is given up.
template <typename Action> void withState(Action &&action) noexcept {
  State *state = theState;
  if (!state || !state->active)
    return;
  try {
    action(*state);
  } catch (const std::bad_alloc &) {
    state->leave("no memory to follow it");
  }
}

void follow(State &state, const Step &step) {
  if (state.synchronizeDue() && !state.follower.follow(step))
    state.leave(contrast(state, step));
}

Step callStep(State &state, MpiFunctionId function, int peer, int tag, MPI_Comm communicator) {
  Step step;
  step.function = function;
  step.peer = state.communicators.peer(state.communicators.index(communicator), peer);
  step.tag = stepTag(tag);
  step.communicator = state.communicatorIndex(communicator);
  return step;
}

/// The call that was followed last was a receive from any source, which is under way.
void pend(State &state, MPI_Request request, int communicator) {
  if (const int expected = state.follower.expectedSource(); state.active && expected != noPeer)
    state.pending.push_back({request, communicator, expected});
}

bool isActive(MPI_Request request) { return request != MPI_REQUEST_NULL; }

} // namespace

void call(MpiFunctionId function, int peer, int tag, MPI_Comm communicator) {
  if (peer == MPI_PROC_NULL)
    return;
  withState([&](State &state) {
    const Step step = callStep(state, function, peer, tag, communicator);
    if (step.peer != nullRank)
      follow(state, step);
  });
}

void collective(MpiFunctionId function, const int *root, MPI_Comm communicator) {
  withState([&](State &state) {
    Step step;
    step.function = function;
    step.communicator = state.communicatorIndex(communicator);
    const int index = state.communicators.index(communicator);
    if (root)
      step.peer =
          state.communicators.isInter(index) ? nullRank : state.communicators.peer(index, *root);
    follow(state, step);
  });
}

void exchange(MpiFunctionId function, int destination, int sendTag, int source, int receiveTag,
              MPI_Comm communicator) {
  withState([&](State &state) {
    Step step = callStep(state, function, destination, sendTag, communicator);
    step.receivePeer = state.communicators.peer(state.communicators.index(communicator), source);
    step.receiveTag = stepTag(receiveTag);
    if (step.peer != nullRank || step.receivePeer != nullRank)
      follow(state, step);
  });
}

void matchedReceive(MpiFunctionId function, MPI_Message message) {
  withState([&](State &state) {
    const auto probe = state.probed.find(message);
    if (probe == state.probed.end())
      return; // MPI_MESSAGE_NO_PROC
    const State::Probed known = probe->second;
    state.probed.erase(probe);
    Step step = known.receive;
    step.function = function;
    follow(state, step);
    if (state.active && step.peer == anySource)
      state.took(known.source, state.follower.expectedSource());
  });
}

void start(int count, const MPI_Request *requests) {
  withState([&](State &state) {
    for (int index = 0; index < count && state.active; ++index)
      if (const auto made = state.persistent.find(requests[index]); made != state.persistent.end())
        if (made->second.step.peer != nullRank) {
          follow(state, made->second.step);
          if (made->second.step.peer == anySource)
            pend(state, requests[index], made->second.communicator);
        }
  });
}

void wait() {
  withState([&](State &state) {
    Step step;
    step.kind = StepKind::Completion;
    follow(state, step);
  });
}

void waitAny(int count, const MPI_Request *requests) {
  if (activeRequests(count, requests) == 0)
    return;
  withState([&](State &state) {
    Step step;
    step.kind = StepKind::Completions;
    if (state.synchronizeDue() && !state.follower.expectsCompletions())
      state.leave(contrast(state, step));
  });
}

int activeRequests(int count, const MPI_Request *requests) {
  int active = 0;
  for (int index = 0; index < count; ++index)
    active += isActive(requests[index]);
  return active;
}

void completed(int count) {
  withState([&](State &state) {
    auto left = static_cast<std::uint64_t>(count);
    while (left > 0 && state.synchronizeDue()) {
      const std::uint64_t before = left;
      left = state.follower.complete(left);
      if (left == before) {
        Step step;
        step.kind = StepKind::Completions;
        return state.leave(contrast(state, step));
      }
    }
  });
}

void received(const MPI_Status &status, MPI_Comm communicator) {
  withState([&](State &state) {
    if (state.follower.expectedSource() == noPeer || status.MPI_SOURCE == MPI_PROC_NULL)
      return;
    const int index = state.communicators.index(communicator);
    state.took(state.communicators.peer(index, status.MPI_SOURCE), state.follower.expectedSource());
  });
}

void posted(int source, MPI_Comm communicator, MPI_Request request) {
  if (source == MPI_ANY_SOURCE)
    withState([&](State &state) { pend(state, request, state.communicators.index(communicator)); });
}

void probed(int source, int tag, MPI_Comm communicator, MPI_Message message,
            const MPI_Status &status) {
  if (message == MPI_MESSAGE_NO_PROC)
    return;
  withState([&](State &state) {
    const int index = state.communicators.index(communicator);
    state.probed[message] = {callStep(state, MpiFunctionId::Mrecv, source, tag, communicator),
                             state.communicators.peer(index, status.MPI_SOURCE)};
  });
}

void persistent(MpiFunctionId startedAs, int peer, int tag, MPI_Comm communicator,
                MPI_Request request) {
  withState([&](State &state) {
    state.persistent[request] = {callStep(state, startedAs, peer, tag, communicator),
                                 state.communicators.index(communicator)};
  });
}

void dropRequest(MPI_Request request) {
  withState([&](State &state) {
    state.persistent.erase(request);
    std::erase_if(state.pending,
                  [&](const PendingReceive &receive) { return receive.request == request; });
  });
}

void noteCommunicator(MPI_Comm communicator) {
  withState([&](State &state) { state.communicators.note(communicator); });
}

void noteDuplicate(MPI_Comm original, MPI_Comm copy) {
  withState([&](State &state) { state.communicators.noteDuplicate(original, copy); });
}

void dropCommunicator(MPI_Comm communicator) {
  withState([&](State &state) { state.communicators.drop(communicator); });
}

void unrecordedCall(const char *function) {
  withState([&](State &state) { state.leaveUnrecorded(function); });
}

void boundary() {
  withState([](State &state) { state.synchronizeDue(); });
}

} // namespace sendwright::synchronization
