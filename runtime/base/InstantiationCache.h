// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the runtime knows about each instantiation of a loop in a template. A scope passes the text
// by which the compiler names its function. As a rule the text always has the same address, so it
// is read only once; it is compared all the same, because a library may be unloaded and another
// loaded in its place.

#ifndef SENDWRIGHT_RUNTIME_BASE_INSTANTIATIONCACHE_H
#define SENDWRIGHT_RUNTIME_BASE_INSTANTIATIONCACHE_H

#include "analysis/trace/Instantiation.h"

#include <string>
#include <unordered_map>
#include <utility>

namespace sendwright {

/// The cache for one site. Not thread-safe.
template <typename Value> class InstantiationCache {
public:
  /// The value for the instantiation named by `function` (__PRETTY_FUNCTION__). For a new text,
  /// calls `find(instantiation)`; an exception passes through, and nothing is kept.
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
