// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A place in the expanded sequence of a grammar, for who goes through it one number at a time.

#ifndef SENDWRIGHT_ANALYSIS_TRACE_GRAMMARCURSOR_H
#define SENDWRIGHT_ANALYSIS_TRACE_GRAMMARCURSOR_H

#include "analysis/trace/Grammar.h"

#include <cstdint>
#include <vector>

namespace sendwright {

class GrammarCursor {
public:
  /// At the first number. The grammar must be valid() and outlive this.
  explicit GrammarCursor(const Grammar &grammar);
  /// True behind the last number.
  bool atEnd() const { return path.empty(); }
  /// The number here; not at the end.
  std::uint32_t number() const { return here; }
  /// Goes to the next number. Amortised constant time, at most the grammar's depth.
  void next();

private:
  struct Frame {
    std::uint32_t rule = 0, item = 0;
    std::uint64_t repetitions = 0; ///< of the item, with the present one, that are left
  };

  void settle();

  const Grammar *grammar;
  std::vector<Frame> path; // the frames of rules that hold the place, outermost first
  std::uint32_t here = 0;
};

} // namespace sendwright

#endif
