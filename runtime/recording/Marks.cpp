// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scopes of programs built to be profiled.

#include "runtime/recording/Marks.h"

#include "runtime/base/Interception.h"

namespace sendwright {

void leaveMarkedScopes(int depth, double now) noexcept {
  MarkedScopes &marks = recordingThread().marks;
  const Recorder *current = recorder();
  if (marks.announced > depth || (current && !current->isThreaded()))
    withRecorder([&](Recorder &recorder) { recorder.leaveScopes(depth, now); });
  marks.depth = depth;
  if (marks.announced > depth)
    marks.announced = depth; // recording has ended
}

namespace {

void leave(MarkedScopes &marks, int depth) noexcept {
  leaveMarkedScopes(depth, marks.announced > depth ? recordingThread().clock.now() : 0);
}

/// `frame` is the lowest address of the frame that holds the scope.
void enter(sendwright_scope *scope, const char *function, const void *frame) noexcept {
  if (ScopeListener *listener = scopeListener())
    return listener->enter(scope, function, frame);
  if (!(sendwright_interception & interceptRecording))
    return;
  MarkedScopes &marks = recordingThread().marks;
  if (const int depth = marks.depthBefore(scope, frame); depth < marks.depth)
    leave(marks, depth);
  if (marks.depth < MarkedScopes::capacity) {
    MarkedScopes::Scope &entered = marks.scopes[marks.depth++];
    entered.address = reinterpret_cast<std::uintptr_t>(scope);
    entered.site = scope->site;
    entered.function = function;
  }
}

} // namespace

} // namespace sendwright

extern "C" {

void sendwright_mark_begin(sendwright_scope *scope) {
  sendwright::enter(scope, nullptr, __builtin_dwarf_cfa());
}

void sendwright_mark_begin_instance(sendwright_scope *scope, const char *function) {
  sendwright::enter(scope, function, __builtin_dwarf_cfa());
}

void sendwright_mark_end(sendwright_scope *scope) {
  if (sendwright::ScopeListener *listener = sendwright::scopeListener())
    return listener->leave(scope);
  sendwright::MarkedScopes &marks = sendwright::recordingThread().marks;
  if (marks.depth == 0)
    return;
  // The scopes inside it were left without a call of their end.
  if (const int place = marks.find(scope); place >= 0)
    sendwright::leave(marks, place);
}

void sendwright_call(sendwright_site *site) {
  if (sendwright_interception & sendwright::interceptRecording) {
    sendwright::recordingThread().call = site;
    sendwright::recordingThread().bounds.reset();
  }
}

void sendwright_called_from(sendwright_caller *caller) {
  if (sendwright_interception & sendwright::interceptRecording)
    sendwright::recordingThread().caller = caller;
}

void sendwright_call_covering(sendwright_site *site, long long root, long long first,
                              long long end) {
  if (sendwright_interception & sendwright::interceptRecording) {
    sendwright::recordingThread().call = site;
    sendwright::recordingThread().bounds = sendwright::LoopBounds{root, first, end};
  }
}

} // extern "C"
