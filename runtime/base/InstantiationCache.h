// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the runtime knows of each instantiation of a loop in a template. A scope passes the text by
// which the compiler names its function; the same text lies in one place as a rule, so that it is
// read once. It is compared all the same, because a library may be unloaded and another one loaded
// in its place.

#ifndef SENDWRIGHT_RUNTIME_BASE_INSTANTIATIONCACHE_H
#define SENDWRIGHT_RUNTIME_BASE_INSTANTIATIONCACHE_H

#include "analysis/trace/Instantiation.h"

#include <string>
#include <unordered_map>
#include <utility>

namespace sendwright {

/// Of one site. Not thread-safe.
template <typename Value> class InstantiationCache {
public:
  /// The value for the instantiation that `function` (__PRETTY_FUNCTION__) speaks of. Where the
  /// text is new, `find(instantiation)` is asked; what it throws is passed on, and nothing kept.
  template <typename Find> const Value &get(const char *function, Find find) {
    Known &known = texts[function];
    if (known.function != function) {
      known.function.clear();
      known.value = find(instantiationIn(function));
      known.function = function;
    }
    return known.value;
  }

private:
  struct Known {
    std::string function;
    Value value{};
  };
  std::unordered_map<const char *, Known> texts;
};

} // namespace sendwright

#endif
