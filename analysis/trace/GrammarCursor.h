// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A position in the expanded sequence of a grammar, for readers that go through it number by
// number.

#ifndef SENDWRIGHT_ANALYSIS_TRACE_GRAMMARCURSOR_H
#define SENDWRIGHT_ANALYSIS_TRACE_GRAMMARCURSOR_H

#include "analysis/trace/Grammar.h"

#include <cstdint>
#include <vector>

namespace sendwright {

class GrammarCursor {
public:
  /// Begins at the first number. The grammar must be valid() and outlive this object.
  explicit GrammarCursor(const Grammar &grammar);
  /// True after the last number.
  bool atEnd() const { return path.empty(); }
  /// The current number; not to be called at the end.
  std::uint32_t number() const { return here; }
  /// Goes to the next number. Amortised constant time, at most the grammar's depth.
  void next() {
    Frame &frame = path.back();
    if (--frame.repetitions > 0)
      return;
    const std::vector<GrammarItem> &rule = grammar->rules[frame.rule];
    if (frame.item == rule.size() || rule[frame.item].isRule)
      return settle();
    here = rule[frame.item].symbol;
    frame.repetitions = rule[frame.item++].repetitions;
  }

private:
  struct Frame {
    std::uint32_t rule = 0, item = 0;
    std::uint64_t repetitions = 0; ///< of the item: how many are left, including the current one
  };

  void settle();

  const Grammar *grammar;
  std::vector<Frame> path; // the frames of the rules around the position, outermost first
  std::uint32_t here = 0;
};

} // namespace sendwright

#endif
