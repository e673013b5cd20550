// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef SENDWRIGHT_RUNTIME_RECORDING_MARKS_H
#define SENDWRIGHT_RUNTIME_RECORDING_MARKS_H

#include "runtime/recording/Recorder.h"

namespace sendwright {

/// Is told about marked scopes in place of the recorder. `frame` is the lowest address of the frame
/// that holds the scope.
class ScopeListener : public Layer {
public:
  static constexpr LayerPlace place = LayerPlace::MarkedScopes;
  virtual void enter(sendwright_scope *scope, const char *function, const void *frame) noexcept = 0;
  virtual void leave(sendwright_scope *scope) noexcept = 0;
};
/// Null: the recorder itself is told.
inline ScopeListener *scopeListener() { return process.find<ScopeListener>(); }

/// Leaves the scopes of this thread down to `depth`, also in the profile where it has them.
void leaveMarkedScopes(int depth, double now) noexcept;

/// Ends the scopes that were left without a call of their end: those in stack frames below `frame`.
inline void endAbandonedScopes(const void *frame, double now) noexcept {
  const MarkedScopes &marks = recordingThread().marks;
  if (__builtin_expect(marks.depth > 0, 0))
    if (const int depth = marks.depthAbove(frame); depth < marks.depth)
      leaveMarkedScopes(depth, now);
}

} // namespace sendwright

#endif
