// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the parts of a plan fit together, without anybody seeing all of them. What two ranks must
// know alike, such as a message from one to the other, one of them adds and the other subtracts. If
// all parts fit together, the sum over all ranks is zero; otherwise it is not, but for one case in
// 2^128. It finds damage, not forgery: whoever can forge a plan inside a program can change the
// program. Ranks need one addition of two numbers for it (Plan.h, jointSumOf()).

#ifndef SENDWRIGHT_ANALYSIS_TRANSFORMATION_JOINTSUM_H
#define SENDWRIGHT_ANALYSIS_TRANSFORMATION_JOINTSUM_H

#include "analysis/file/Bytes.h"

#include <array>
#include <cstdint>

namespace sendwright {

/// One rank's share of the sum.
class JointSum {
public:
  /// Both words of the sum are added up modulo 2^64.
  using Words = std::array<std::uint64_t, 2>;

  /// `what` says what it is that both ranks must know alike: its bytes must differ from those of
  /// everything else.
  void add(const ByteWriter &what, std::uint64_t times = 1);
  void subtract(const ByteWriter &what, std::uint64_t times = 1) { add(what, -times); }
  /// This rank's part contradicts itself: the sum will not be zero.
  void spoil();

  const Words &words() const { return sum; }

private:
  Words sum{};
};

} // namespace sendwright

#endif
