// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sequence of numbers as a grammar: every rule is a list of (symbol, repetitions), where a symbol
// is a number of the sequence or another rule. Loops become repetitions and common parts become
// rules, so a trace of a million iterations takes as little space as one iteration.
//
// GrammarBuilder compresses while the sequence arrives: Sequitur (Nevill-Manning and Witten, 1997)
// with repetition counts.

#ifndef SENDWRIGHT_ANALYSIS_TRACE_GRAMMAR_H
#define SENDWRIGHT_ANALYSIS_TRACE_GRAMMAR_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace sendwright {

struct GrammarItem {
  std::uint32_t symbol = 0; ///< a number of the sequence, or an index into rules
  bool isRule = false;
  std::uint64_t repetitions = 1;
  bool operator==(const GrammarItem &) const = default;
};

struct Grammar {
  std::vector<std::vector<GrammarItem>> rules; ///< rule 0 is the whole sequence; no rules: the
                                               ///< empty sequence

  /// Calls `visit` with each number of the expanded sequence, in order, until it returns false.
  /// Linear in the numbers visited, for a valid grammar. Uses a stack of the grammar's depth
  /// instead of recursion.
  void forEach(const std::function<bool(std::uint32_t)> &visit) const;
  /// Length of the expanded sequence (saturating). Linear in the grammar.
  std::uint64_t length() const;
  /// How often each number below `numbers` occurs in the expanded sequence (saturating). Linear in
  /// the grammar and `numbers`.
  std::vector<std::uint64_t> occurrences(std::uint32_t numbers) const;
  /// True if every rule index is valid, no rule contains itself, no rule but the first is empty or
  /// just another rule once, every repetition is at least 1, and every number is below `numbers`.
  /// Grammars from files must be checked by this.
  bool valid(std::uint32_t numbers) const;
};

class GrammarBuilder {
public:
  GrammarBuilder();
  ~GrammarBuilder();
  GrammarBuilder(GrammarBuilder &&) noexcept;
  GrammarBuilder &operator=(GrammarBuilder &&) noexcept;

  /// Appends a number. Amortised constant time; throws only std::bad_alloc.
  void append(std::uint32_t number);
  /// Bytes of memory in use, for comparison with a limit. Constant time.
  std::size_t memory() const;
  /// The grammar of what was appended so far. Linear in its size.
  Grammar grammar() const;

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace sendwright

#endif
