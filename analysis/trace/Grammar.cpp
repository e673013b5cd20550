// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grammars as data: expansion, length, validity. GrammarBuilder.cpp builds them.

#include "analysis/trace/Grammar.h"

#include <limits>

namespace sendwright {

namespace {

/// Lists rules so that each comes after everything that it contains; false if a rule contains
/// itself or an index is wrong.
bool innerRulesFirst(const Grammar &grammar, std::vector<std::uint32_t> &order) {
  enum : std::uint8_t { Untouched, Open, Done };
  struct Frame {
    std::uint32_t rule;
    std::size_t next;
  };
  std::vector<std::uint8_t> state(grammar.rules.size(), Untouched);
  std::vector<Frame> stack;
  for (std::uint32_t start = 0; start < grammar.rules.size(); ++start) {
    if (state[start] != Untouched)
      continue;
    state[start] = Open;
    stack.push_back({start, 0});
    while (!stack.empty()) {
      const std::uint32_t rule = stack.back().rule;
      if (stack.back().next == grammar.rules[rule].size()) {
        state[rule] = Done;
        order.push_back(rule);
        stack.pop_back();
        continue;
      }
      const GrammarItem &item = grammar.rules[rule][stack.back().next++];
      if (!item.isRule)
        continue;
      if (item.symbol >= grammar.rules.size() || state[item.symbol] == Open)
        return false;
      if (state[item.symbol] == Untouched) {
        state[item.symbol] = Open;
        stack.push_back({item.symbol, 0});
      }
    }
  }
  return true;
}

/// sum += a * b, saturating.
void addProduct(std::uint64_t &sum, std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product) || __builtin_add_overflow(sum, product, &sum))
    sum = std::numeric_limits<std::uint64_t>::max();
}

} // namespace

void Grammar::forEach(const std::function<bool(std::uint32_t)> &visit) const {
  struct Frame {
    const std::vector<GrammarItem> *rule;
    std::size_t next;
    std::uint64_t repetitionsLeft; // of the item at `next`, once it has begun
  };
  if (rules.empty() || rules[0].empty())
    return;
  std::vector<Frame> stack{{&rules[0], 0, rules[0][0].repetitions}};
  while (!stack.empty()) {
    Frame &top = stack.back();
    if (top.repetitionsLeft == 0) {
      if (++top.next == top.rule->size())
        stack.pop_back();
      else
        top.repetitionsLeft = (*top.rule)[top.next].repetitions;
      continue;
    }
    const GrammarItem &item = (*top.rule)[top.next];
    if (item.isRule) {
      --top.repetitionsLeft;
      const std::vector<GrammarItem> &inner = rules[item.symbol];
      if (!inner.empty())
        stack.push_back({&inner, 0, inner[0].repetitions});
      else
        top.repetitionsLeft = 0; // an empty rule, however often
      continue;
    }
    for (; top.repetitionsLeft > 0; --top.repetitionsLeft)
      if (!visit(item.symbol))
        return;
  }
}

std::uint64_t Grammar::length() const {
  std::vector<std::uint32_t> order;
  std::vector<std::uint64_t> lengths(rules.size());
  if (rules.empty() || !innerRulesFirst(*this, order))
    return 0;
  for (std::uint32_t rule : order)
    for (const GrammarItem &item : rules[rule])
      addProduct(lengths[rule], item.isRule ? lengths[item.symbol] : 1, item.repetitions);
  return lengths[0];
}

std::vector<std::uint64_t> Grammar::occurrences(std::uint32_t numbers) const {
  std::vector<std::uint64_t> counts(numbers), uses(rules.size());
  std::vector<std::uint32_t> order;
  if (rules.empty() || !innerRulesFirst(*this, order))
    return counts;
  uses[0] = 1;
  for (auto rule = order.rbegin(); rule != order.rend(); ++rule) // outer rules first
    for (const GrammarItem &item : rules[*rule])
      if (item.isRule)
        addProduct(uses[item.symbol], uses[*rule], item.repetitions);
      else if (item.symbol < numbers)
        addProduct(counts[item.symbol], uses[*rule], item.repetitions);
  return counts;
}

bool Grammar::valid(std::uint32_t numbers) const {
  for (const std::vector<GrammarItem> &rule : rules)
    for (const GrammarItem &item : rule)
      if (item.repetitions == 0 || (!item.isRule && item.symbol >= numbers))
        return false;
  // Otherwise an expansion could pass through any number of rules for each number that it visits.
  for (std::size_t rule = 1; rule < rules.size(); ++rule)
    if (rules[rule].empty() ||
        (rules[rule].size() == 1 && rules[rule][0].isRule && rules[rule][0].repetitions == 1))
      return false;
  std::vector<std::uint32_t> order;
  return innerRulesFirst(*this, order);
}

} // namespace sendwright
