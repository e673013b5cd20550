// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory for values that MPI changes during a recorded call.

#ifndef SENDWRIGHT_RUNTIME_RECORDING_CALLVALUES_H
#define SENDWRIGHT_RUNTIME_RECORDING_CALLVALUES_H

#include <memory>
#include <new>

namespace sendwright {

/// Room for `count` values, without allocation for the usual small counts.
template <typename Value> class CallValues {
public:
  explicit CallValues(int count)
      : many(count > fewest ? new(std::nothrow) Value[count] : nullptr),
        start(count > fewest ? many.get() : few) {}
  /// Null when memory ran out.
  Value *data() { return start; }

private:
  static constexpr int fewest = 16;
  Value few[fewest];
  std::unique_ptr<Value[]> many;
  Value *start;
};

} // namespace sendwright

#endif
