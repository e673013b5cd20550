// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where capture begins and ends: the scopes that the rewriter put around loops.
//
// A scope normally ends through the compiler's cleanup. A scope left by longjmp (or by a C++
// exception through C code without unwind tables) is recognised by its address, which then lies
// below the current frame, or by its memory, which has been overwritten.

#include "runtime/base/Interception.h"
#include "runtime/batch/Batch.h"
#include "runtime/batch/Reliances.h"

#include <new>

namespace sendwright {

PlannedSite *PlannedLoop::find(const char *function) {
  const auto look = [this](const std::string &instantiation) {
    const auto found = instances.find(instantiation);
    return found == instances.end() ? nullptr : &found->second;
  };
  return function ? known.get(function, look) : look("");
}

bool Batch::alive(const OpenScope &open, const void *frame) const {
  if (open.onStack && static_cast<const void *>(open.scope) < frame)
    return false;
  return open.scope->state == open.serial && open.scope->site == open.site;
}

void Batch::begin(sendwright_scope *scope, PlannedSite &plan, const void *frame) {
  if (issuing() || !accepting)
    return; // inside an error handler: it runs as written
  endAbandoned(frame);
  endTime();
  flush();
  const bool asPlanned = !plan.turns || plan.turns->begin();
  scopes.push_back({scope, scope->site, &plan, ++lastSerial,
                    static_cast<const void *>(scope) > frame,
                    (scope->site->flags & SENDWRIGHT_SITE_STABLE_BUFFERS) != 0, asPlanned});
  scope->state = lastSerial;
  sendwright_interception |= interceptBatch;
  if (plan.taker && asPlanned)
    plan.taker->open();
}

void Batch::end(const sendwright_scope *scope) noexcept {
  std::size_t size = scopes.size();
  while (size > 0 && (scopes[size - 1].scope != scope || scopes[size - 1].serial != scope->state))
    --size;
  if (size == 0)
    return; // ended before: as abandoned, or by MPI_Finalize
  flushWhateverIsThrown();
  popDownTo(size - 1);
}

void Batch::flushWhateverIsThrown() noexcept {
  do {
    try {
      flush();
    } catch (...) {
      continue; // from an error handler; each attempt issues at least one more message
    }
  } while (!held.empty());
}

const sendwright_site &Batch::stopCapturing() noexcept {
  flushWhateverIsThrown();
  scopes.back().capturing = false;
  return *scopes.back().site;
}

void Batch::endAbandoned(const void *frame) {
  while (!scopes.empty() && !issuing() && !alive(scopes.back(), frame)) {
    flush();
    popDownTo(scopes.size() - 1);
  }
}

void Batch::endAll() {
  endTime();
  flush();
  popDownTo(0);
  accepting = false;
}

void Batch::popDownTo(std::size_t size) {
  for (std::size_t index = size; index < scopes.size(); ++index)
    if (MessageTaker *taker = scopes[index].plan->taker)
      taker->close();
  scopes.resize(size);
  if (scopes.empty() && !timed.isRunning())
    sendwright_interception &= ~interceptBatch;
}

namespace {

/// `function` is null outside of templates; `frame` is the caller's frame, and `holder` the lowest
/// address of the frame that holds the scope. Exceptions of the program's error handlers pass
/// through.
void beginBatch(sendwright_scope *scope, const char *function, const void *frame,
                const void *holder) {
  Batch *batch = currentBatch();
  if (!batch || !scope->site->state || !pthread_equal(pthread_self(), batch->thread))
    return;
  checkReliancesOfLateUnits();
  if (!scope->site->state)
    return;
  try {
    PlannedSite *plan = static_cast<PlannedLoop *>(scope->site->state)->find(function);
    if (plan && plan->learnedAs == 0)
      batch->begin(scope, *plan, frame);
    else if (LearnedScopeListener *listener = learnedScopeListener(); plan && listener)
      listener->enter(scope, *plan, holder);
  } catch (const std::bad_alloc &) {
    return; // the loop runs as written
  }
}

} // namespace

} // namespace sendwright

extern "C" {

__attribute__((visibility("default"))) void sendwright_batch_begin(sendwright_scope *scope) {
  sendwright::beginBatch(scope, nullptr, __builtin_frame_address(0), __builtin_dwarf_cfa());
}

__attribute__((visibility("default"))) void sendwright_batch_begin_instance(sendwright_scope *scope,
                                                                            const char *function) {
  sendwright::beginBatch(scope, function, __builtin_frame_address(0), __builtin_dwarf_cfa());
}

__attribute__((visibility("default"))) void sendwright_batch_end(sendwright_scope *scope) {
  using namespace sendwright;
  if (LearnedScopeListener *listener = learnedScopeListener())
    listener->leave(scope);
  else if (Batch *batch = currentBatch(); batch && scope->state != 0)
    batch->end(scope);
}
}
