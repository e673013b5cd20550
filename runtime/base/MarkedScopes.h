// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The marked loops that a thread is in. Most executions of most marked loops do not communicate, so
// entering one only writes four words; the first MPI call enters it in the profile, and only then
// is the instantiation of a template looked up.
//
// The stack of a function that was left by longjmp must not be read any more, so the program's
// sendwright_scope is read only in the call that passes it.

#ifndef SENDWRIGHT_RUNTIME_BASE_MARKEDSCOPES_H
#define SENDWRIGHT_RUNTIME_BASE_MARKEDSCOPES_H

#include "runtime/include/sendwright/runtime.h"

#include <cstdint>

namespace sendwright {

struct MarkedScopes {
  struct Scope {
    std::uintptr_t address; ///< of the program's sendwright_scope
    sendwright_site *site;
    const char *function; ///< the compiler's name of it if it is in a template; else null
    int number;           ///< of the site in the profile, once the profile has the scope
  };
  /// Deeper scopes are ignored: their calls belong to the innermost of these.
  static constexpr int capacity = 64;

  int depth = 0;
  int announced = 0; ///< how many, from the outermost on, the profile has as SiteEnter
  Scope scopes[capacity];

  /// How many scopes are left without those in stack frames that are gone: below `frame`, the
  /// lowest address of a live frame on the same stack. Pass the caller's frame, since the runtime's
  /// own frames lie where abandoned ones did.
  int depthAbove(const void *frame) const {
    // Two stacks (threads, coroutines, fake stacks of AddressSanitizer) are farther apart.
    constexpr std::uintptr_t oneStack = std::uintptr_t(16) << 20;
    const auto alive = reinterpret_cast<std::uintptr_t>(frame);
    const auto isGone = [&](std::uintptr_t address) {
      return address < alive && alive - address < oneStack;
    };
    int left = depth;
    while (left > 0 && isGone(scopes[left - 1].address))
      --left;
    return left;
  }

  /// How many scopes are left when this scope is entered in a frame with that lowest address. If
  /// the same scope is there already, the function's own loop was left by longjmp and is entered
  /// again.
  int depthBefore(const sendwright_scope *scope, const void *frame) const {
    if (depth == 0)
      return 0;
    const int alive = depthAbove(frame), place = find(scope);
    return place >= 0 && place < alive ? place : alive;
  }

  /// The index of the scope with that address; -1 if it is not there.
  int find(const sendwright_scope *scope) const {
    int place = depth - 1;
    while (place >= 0 && scopes[place].address != reinterpret_cast<std::uintptr_t>(scope))
      --place;
    return place;
  }
};

} // namespace sendwright

#endif
