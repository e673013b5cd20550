// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/trace/GrammarCursor.h"

namespace sendwright {

GrammarCursor::GrammarCursor(const Grammar &grammar) : grammar(&grammar) {
  if (grammar.rules.empty())
    return;
  path.push_back({0, 0, 0});
  settle();
}

/// Goes on from a frame whose repetitions are used up, or not yet counted, to the next number.
void GrammarCursor::settle() {
  while (!path.empty()) {
    Frame &frame = path.back();
    const std::vector<GrammarItem> &rule = grammar->rules[frame.rule];
    if (frame.repetitions == 0) {
      if (frame.item == rule.size()) {
        path.pop_back();
        if (!path.empty())
          --path.back().repetitions;
        continue;
      }
      frame.repetitions = rule[frame.item++].repetitions;
    }
    const GrammarItem &item = rule[frame.item - 1];
    if (!item.isRule) {
      here = item.symbol;
      return;
    }
    path.push_back({item.symbol, 0, 0});
  }
}

} // namespace sendwright
