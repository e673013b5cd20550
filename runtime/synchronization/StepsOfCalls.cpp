// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program's calls as steps of the plan. For profiles, stepOf() decides what is a step; this
// file decides the same from a call's arguments.

#include "runtime/base/Interception.h"
#include "runtime/synchronization/Synchronization.h"
#include "runtime/synchronization/SynchronizedSteps.h"

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

std::string contrast(const SynchronizedSteps &steps, const Step &step) {
  return describe(step) + " where the profile has " +
         (steps.follower.atEnd() ? "no further call" : describe(steps.follower.expected()));
}

/// Runs `action` with the state; if memory runs out, gives up synchronisation.
template <typename Action> void withSteps(Action &&action) noexcept {
  SynchronizedSteps *steps = synchronizedSteps();
  if (!steps || !steps->active)
    return;
  try {
    action(*steps);
  } catch (const std::bad_alloc &) {
    steps->leave("no memory to follow it");
  }
}

void follow(SynchronizedSteps &steps, const Step &step) {
  steps.hasBuffered |=
      step.kind == StepKind::Call && isBufferedSend(mpiFunction(step.function).role);
  if (steps.synchronizeDue() && !steps.follower.follow(step))
    steps.leave(contrast(steps, step));
}

Step callStep(SynchronizedSteps &steps, MpiFunctionId function, int peer, int tag,
              MPI_Comm communicator) {
  Step step;
  step.function = function;
  step.peer = steps.communicators.peer(steps.communicators.index(communicator), peer);
  step.tag = stepTag(tag);
  step.communicator = steps.communicatorIndex(communicator);
  return step;
}

/// A rank may wait in the call for ranks that would wait for it at a later synchronisation.
void leaveBefore(SynchronizedSteps &steps, const char *call) {
  if (steps.synchronizeDue() && !steps.follower.atEnd())
    steps.leaveUnrecorded(call);
}

/// Notes that the call followed last was a receive from any source, which is under way.
void pend(SynchronizedSteps &steps, MPI_Request request, int communicator) {
  if (const int expected = steps.follower.expectedSource(); steps.active && expected != noPeer)
    steps.pending.push_back({request, communicator, expected});
}

bool isActive(MPI_Request request) { return request != MPI_REQUEST_NULL; }

} // namespace

void call(MpiFunctionId function, int peer, int tag, MPI_Comm communicator) {
  if (peer == MPI_PROC_NULL)
    return;
  withSteps([&](SynchronizedSteps &steps) {
    const Step step = callStep(steps, function, peer, tag, communicator);
    if (step.peer != nullRank)
      follow(steps, step);
  });
}

void collective(MpiFunctionId function, const int *root, MPI_Comm communicator) {
  withSteps([&](SynchronizedSteps &steps) {
    Step step;
    step.function = function;
    step.communicator = steps.communicatorIndex(communicator);
    const int index = steps.communicators.index(communicator);
    if (root)
      step.peer =
          steps.communicators.isInter(index) ? nullRank : steps.communicators.peer(index, *root);
    follow(steps, step);
  });
}

void exchange(MpiFunctionId function, int destination, int sendTag, int source, int receiveTag,
              MPI_Comm communicator) {
  withSteps([&](SynchronizedSteps &steps) {
    Step step = callStep(steps, function, destination, sendTag, communicator);
    step.receivePeer = steps.communicators.peer(steps.communicators.index(communicator), source);
    step.receiveTag = stepTag(receiveTag);
    if (step.peer != nullRank || step.receivePeer != nullRank)
      follow(steps, step);
  });
}

void matchedReceive(MpiFunctionId function, MPI_Message message) {
  withSteps([&](SynchronizedSteps &steps) {
    const auto known = steps.probed.take(message);
    if (!known)
      return; // MPI_MESSAGE_NO_PROC
    Step step = known->receive;
    step.function = function;
    follow(steps, step);
    if (steps.active && step.peer == anySource)
      steps.took(known->source, steps.follower.expectedSource());
  });
}

void start(int count, const MPI_Request *requests) {
  withSteps([&](SynchronizedSteps &steps) {
    for (int index = 0; index < count && steps.active; ++index) {
      const SynchronizedSteps::Persistent *made = steps.persistent.find(requests[index]);
      if (!made || made->step.peer == nullRank)
        continue;
      const auto [step, communicator] = *made; // other requests may be created while this one waits
      follow(steps, step);
      if (step.peer == anySource)
        pend(steps, requests[index], communicator);
    }
  });
}

void wait() {
  withSteps([&](SynchronizedSteps &steps) {
    Step step;
    step.kind = StepKind::Completion;
    follow(steps, step);
  });
}

void waitAny(int count, const MPI_Request *requests) {
  if (activeRequests(count, requests) == 0)
    return;
  withSteps([&](SynchronizedSteps &steps) {
    Step step;
    step.kind = StepKind::Completions;
    if (steps.synchronizeDue() && !steps.follower.expectsCompletions())
      steps.leave(contrast(steps, step));
  });
}

int activeRequests(int count, const MPI_Request *requests) {
  int active = 0;
  for (int index = 0; index < count; ++index)
    active += isActive(requests[index]);
  return active;
}

void completed(int count) {
  withSteps([&](SynchronizedSteps &steps) {
    auto left = static_cast<std::uint64_t>(count);
    while (left > 0 && steps.synchronizeDue()) {
      const std::uint64_t before = left;
      left = steps.follower.complete(left);
      if (left == before) {
        Step step;
        step.kind = StepKind::Completions;
        return steps.leave(contrast(steps, step));
      }
    }
  });
}

void received(const MPI_Status &status, MPI_Comm communicator) {
  withSteps([&](SynchronizedSteps &steps) {
    if (steps.follower.expectedSource() == noPeer || status.MPI_SOURCE == MPI_PROC_NULL)
      return;
    const int index = steps.communicators.index(communicator);
    steps.took(steps.communicators.peer(index, status.MPI_SOURCE), steps.follower.expectedSource());
  });
}

void posted(int source, MPI_Comm communicator, MPI_Request request) {
  if (source == MPI_ANY_SOURCE)
    withSteps([&](SynchronizedSteps &steps) {
      pend(steps, request, steps.communicators.index(communicator));
    });
}

void probed(int source, int tag, MPI_Comm communicator, MPI_Message message,
            const MPI_Status &status) {
  if (message == MPI_MESSAGE_NO_PROC)
    return;
  withSteps([&](SynchronizedSteps &steps) {
    const int index = steps.communicators.index(communicator);
    steps.probed[message] = {callStep(steps, MpiFunctionId::Mrecv, source, tag, communicator),
                             steps.communicators.peer(index, status.MPI_SOURCE)};
  });
}

void persistent(MpiFunctionId startedAs, int peer, int tag, MPI_Comm communicator,
                MPI_Request request) {
  withSteps([&](SynchronizedSteps &steps) {
    steps.persistent[request] = {callStep(steps, startedAs, peer, tag, communicator),
                                 steps.communicators.index(communicator)};
  });
}

void dropRequest(MPI_Request request) {
  withSteps([&](SynchronizedSteps &steps) {
    steps.persistent.erase(request);
    std::erase_if(steps.pending,
                  [&](const PendingReceive &receive) { return receive.request == request; });
  });
}

void noteCommunicator(MPI_Comm communicator) {
  withSteps([&](SynchronizedSteps &steps) { steps.communicators.note(communicator); });
}

void noteDuplicate(MPI_Comm original, MPI_Comm copy) {
  withSteps([&](SynchronizedSteps &steps) { steps.communicators.noteDuplicate(original, copy); });
}

void dropCommunicator(MPI_Comm communicator) {
  withSteps([&](SynchronizedSteps &steps) { steps.communicators.drop(communicator); });
}

void unrecordedCall(const char *function) {
  withSteps([&](SynchronizedSteps &steps) { steps.leaveUnrecorded(function); });
}

void detach() {
  withSteps([](SynchronizedSteps &steps) {
    if (steps.hasBuffered)
      leaveBefore(steps, "MPI_Buffer_detach");
    steps.hasBuffered = false;
  });
}

void disconnect(MPI_Comm communicator) {
  withSteps([](SynchronizedSteps &steps) { leaveBefore(steps, "MPI_Comm_disconnect"); });
  dropCommunicator(communicator);
}

void boundary() {
  withSteps([](SynchronizedSteps &steps) { steps.synchronizeDue(); });
}

} // namespace sendwright::synchronization
