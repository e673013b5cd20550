// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sequitur with repetition counts, and a shortcut for loops.
//
// The sequence and the body of every rule are doubly linked lists of nodes (symbol, repetitions).
// Two properties hold between appends:
//  - neighbours have different symbols: equal neighbours become one node with the sum of their
//    repetitions;
//  - no pair of neighbours (symbols and repetitions) occurs twice: a second occurrence makes a
//  rule,
//    which replaces both.
// A rule with a single use is put back in place, unless that use repeats it. A change may break the
// properties next to it; places to check again wait in queues, so that nothing changes while a
// pointer into the lists is held.
//
// Appended numbers are first gathered into runs of equal numbers. When the sequence ends with a
// repeated rule, the next runs probably repeat it once more. Then they are only compared with the
// rule's expansion. A complete match adds one repetition; a mismatch appends the matched part in
// the ordinary way. So an iteration of a known loop is as cheap as comparing it.

#include "analysis/file/PairTable.h"
#include "analysis/trace/Grammar.h"

#include <algorithm>
#include <utility>

namespace sendwright {

namespace {

constexpr std::uint32_t none = PairTable::none;
constexpr std::uint32_t wholeRule = 0;          // the sequence itself
constexpr std::size_t longestPrediction = 4096; // runs

enum class GrammarNodeKind : std::uint8_t { Number, Rule, Guard, Free };

struct GrammarNode {
  std::uint32_t previous = none, next = none;
  std::uint32_t symbol = 0; ///< number, rule, or for a guard the rule whose body it closes
  GrammarNodeKind kind = GrammarNodeKind::Free;
  std::uint64_t repetitions = 1;
  std::uint32_t previousUse = none, nextUse = none; ///< among the nodes of the same rule
};

struct Rule {
  std::uint32_t guard = none; ///< none: not in use
  std::uint32_t firstUse = none;
  std::uint32_t uses = 0; ///< nodes
};

struct Run {
  std::uint32_t number = 0;
  std::uint64_t repetitions = 0;
};

} // namespace

struct GrammarBuilder::State {
  State() { newRule(); }

  void append(std::uint32_t number) {
    if (number == current.number && current.repetitions > 0) {
      ++current.repetitions;
      return;
    }
    Run complete = std::exchange(current, {number, 1});
    if (complete.repetitions > 0)
      push(complete);
  }

  /// Puts everything that is waiting into the lists.
  void flush() {
    Run complete = std::exchange(current, {});
    if (complete.repetitions > 0)
      push(complete);
    endPrediction();
  }

  /// The whole grammar; what waits is put into the lists first.
  Grammar flushed();

  std::size_t memory() const {
    // While a list that is nearly full grows, there are two.
    const bool isGrowing = nodes.size() + PairTable::soon > nodes.capacity();
    return nodes.capacity() * sizeof(GrammarNode) * (isGrowing ? 3 : 1) +
           rules.capacity() * sizeof(Rule) + pairs.memory() +
           (freeNodes.capacity() + freeRules.capacity() + checks.capacity() +
            singleUses.capacity() + singleNodes.capacity()) *
               sizeof(std::uint32_t) +
           predicted.capacity() * sizeof(Run);
  }

private:
  // The shortcut.

  void push(const Run &run) {
    if (predicting) {
      const Run &expected = predicted[matched];
      if (expected.number == run.number && expected.repetitions == run.repetitions) {
        if (++matched == predicted.size()) {
          matched = 0;
          ++wholeMatches;
        }
        return;
      }
      endPrediction();
    }
    link(run);
    startPrediction();
  }

  void startPrediction() {
    const GrammarNode &end = nodes[lastOf(wholeRule)];
    if (end.kind != GrammarNodeKind::Rule || end.repetitions < 2 || !expand(end.symbol))
      return;
    predicting = true;
    matched = 0;
    wholeMatches = 0;
  }

  void endPrediction() {
    if (!std::exchange(predicting, false))
      return;
    if (wholeMatches > 0) {
      const std::uint32_t end = lastOf(wholeRule);
      forgetPair(nodes[end].previous);
      nodes[end].repetitions += wholeMatches;
      checks.push_back(nodes[end].previous);
      restore();
    }
    // A rule that was put back in place is harmless here: `predicted` is a copy.
    for (std::size_t i = 0; i < matched; ++i)
      link(predicted[i]);
  }

  /// Fills `predicted` with the runs of a rule; false if there are too many.
  bool expand(std::uint32_t rule) {
    struct Frame {
      std::uint32_t node;
      std::uint64_t repetitionsLeft;
    };
    std::vector<Frame> stack;
    predicted.clear();
    auto enter = [&](std::uint32_t inner) {
      const std::uint32_t first = nodes[rules[inner].guard].next;
      stack.push_back({first, nodes[first].repetitions});
    };
    for (enter(rule); !stack.empty();) {
      Frame &top = stack.back();
      const GrammarNode &node = nodes[top.node];
      if (node.kind == GrammarNodeKind::Guard) {
        stack.pop_back();
      } else if (node.kind == GrammarNodeKind::Rule && top.repetitionsLeft > 0) {
        --top.repetitionsLeft;
        enter(node.symbol);
      } else {
        if (node.kind == GrammarNodeKind::Number) {
          if (predicted.size() == longestPrediction)
            return false;
          predicted.push_back({node.symbol, node.repetitions});
        }
        top = {node.next, nodes[node.next].repetitions};
      }
    }
    return true;
  }

  // The lists.

  std::uint32_t lastOf(std::uint32_t rule) const { return nodes[rules[rule].guard].previous; }
  bool isGuard(std::uint32_t node) const { return nodes[node].kind == GrammarNodeKind::Guard; }
  bool sameSymbol(std::uint32_t a, std::uint32_t b) const {
    return nodes[a].symbol == nodes[b].symbol && nodes[a].kind == nodes[b].kind && !isGuard(a);
  }

  std::uint32_t newNode() {
    if (!freeNodes.empty()) {
      std::uint32_t node = freeNodes.back();
      freeNodes.pop_back();
      return node;
    }
    nodes.emplace_back();
    return static_cast<std::uint32_t>(nodes.size() - 1);
  }

  void freeNode(std::uint32_t node) {
    nodes[node].kind = GrammarNodeKind::Free;
    freeNodes.push_back(node);
  }

  std::uint32_t newRule() {
    std::uint32_t rule;
    if (!freeRules.empty()) {
      rule = freeRules.back();
      freeRules.pop_back();
    } else {
      rule = static_cast<std::uint32_t>(rules.size());
      rules.emplace_back();
    }
    const std::uint32_t guard = newNode();
    nodes[guard] = {guard, guard, rule, GrammarNodeKind::Guard, 1, none, none};
    rules[rule] = {guard, none, 0};
    return rule;
  }

  void freeRule(std::uint32_t rule) {
    freeNode(rules[rule].guard);
    rules[rule] = {};
    freeRules.push_back(rule);
  }

  void connect(std::uint32_t a, std::uint32_t b) {
    nodes[a].next = b;
    nodes[b].previous = a;
  }

  /// Gives a node its symbol and enters it into the uses of its rule.
  void setSymbol(std::uint32_t node, GrammarNodeKind kind, std::uint32_t symbol,
                 std::uint64_t repetitions) {
    GrammarNode &it = nodes[node];
    it.kind = kind;
    it.symbol = symbol;
    it.repetitions = repetitions;
    it.previousUse = it.nextUse = none;
    if (kind != GrammarNodeKind::Rule)
      return;
    Rule &rule = rules[symbol];
    it.nextUse = rule.firstUse;
    if (rule.firstUse != none)
      nodes[rule.firstUse].previousUse = node;
    rule.firstUse = node;
    ++rule.uses;
  }

  /// Takes a node out of the uses of its rule.
  void dropSymbol(std::uint32_t node) {
    const GrammarNode &it = nodes[node];
    if (it.kind != GrammarNodeKind::Rule)
      return;
    Rule &rule = rules[it.symbol];
    (it.previousUse == none ? rule.firstUse : nodes[it.previousUse].nextUse) = it.nextUse;
    if (it.nextUse != none)
      nodes[it.nextUse].previousUse = it.previousUse;
    if (--rule.uses == 1)
      singleUses.push_back(it.symbol);
  }

  // Pairs.

  static std::uint32_t mix(std::uint64_t value) {
    value *= 0x9e3779b97f4a7c15u;
    return static_cast<std::uint32_t>(value >> 32 ^ value);
  }

  std::uint32_t hashPair(std::uint32_t node) const {
    const GrammarNode &a = nodes[node], &b = nodes[a.next];
    const std::uint64_t first = (std::uint64_t{a.symbol} << 1) + (a.kind == GrammarNodeKind::Rule);
    const std::uint64_t second = (std::uint64_t{b.symbol} << 1) + (b.kind == GrammarNodeKind::Rule);
    return mix(first + a.repetitions * 0xc2b2ae3d27d4eb4fu +
               (second + b.repetitions * 0x165667b19e3779f9u) * 0xff51afd7ed558ccdu);
  }

  bool equalPairs(std::uint32_t a, std::uint32_t b) const {
    auto equal = [](const GrammarNode &x, const GrammarNode &y) {
      return x.symbol == y.symbol && x.repetitions == y.repetitions && x.kind == y.kind;
    };
    return equal(nodes[a], nodes[b]) && equal(nodes[nodes[a].next], nodes[nodes[b].next]);
  }

  PairTable::Slot &findPair(std::uint32_t node, std::uint32_t hash) {
    return pairs.find(hash, [&](std::uint32_t other) { return equalPairs(node, other); });
  }

  /// Must be called before a node or the next node changes.
  void forgetPair(std::uint32_t node) {
    if (isGuard(node) || isGuard(nodes[node].next))
      return;
    PairTable::Slot &slot = findPair(node, hashPair(node));
    if (slot.node == node)
      pairs.erase(slot);
  }

  // Changes.

  void link(const Run &run) {
    const std::uint32_t end = lastOf(wholeRule), node = newNode();
    setSymbol(node, GrammarNodeKind::Number, run.number, run.repetitions);
    connect(end, node);
    connect(node, rules[wholeRule].guard);
    checks.push_back(end);
    restore();
  }

  /// Works the queues off until both properties hold again.
  void restore() {
    while (true) {
      if (!singleNodes.empty())
        dissolveSingleNode(takeLast(singleNodes));
      else if (!singleUses.empty())
        putBack(takeLast(singleUses));
      else if (!checks.empty())
        check(takeLast(checks));
      else
        return;
    }
  }

  static std::uint32_t takeLast(std::vector<std::uint32_t> &queue) {
    std::uint32_t value = queue.back();
    queue.pop_back();
    return value;
  }

  /// Handles the pair that begins at `node` if it also occurs elsewhere.
  void check(std::uint32_t node) {
    if (nodes[node].kind == GrammarNodeKind::Free || isGuard(node) || isGuard(nodes[node].next))
      return;
    const std::uint32_t hash = hashPair(node);
    PairTable::Slot &slot = findPair(node, hash);
    const std::uint32_t other = slot.node;
    if (other == none) {
      pairs.insert(slot, node, hash);
      return;
    }
    if (other == node)
      return;
    if (std::uint32_t rule = ruleWithBody(other); rule != none) {
      replacePair(node, rule);
    } else if (rule = ruleWithBody(node); rule != none) {
      slot.node = node;
      replacePair(other, rule);
    } else {
      makeRule(other, node);
    }
  }

  /// The rule whose whole body is the pair that begins at `node`.
  std::uint32_t ruleWithBody(std::uint32_t node) const {
    const std::uint32_t before = nodes[node].previous, after = nodes[nodes[node].next].next;
    return isGuard(before) && before == after && nodes[before].symbol != wholeRule
               ? nodes[before].symbol
               : none;
  }

  void makeRule(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t rule = newRule(), first = newNode(), second = newNode();
    auto copy = [&](std::uint32_t from, std::uint32_t to) {
      const GrammarNode node = nodes[from];
      setSymbol(to, node.kind, node.symbol, node.repetitions);
    };
    copy(a, first);
    copy(nodes[a].next, second);
    connect(rules[rule].guard, first);
    connect(first, second);
    connect(second, rules[rule].guard);
    replacePair(a, rule);
    replacePair(b, rule);
    checks.push_back(first);
  }

  /// Replaces the pair that begins at `node` by one node of `rule`.
  void replacePair(std::uint32_t node, std::uint32_t rule) {
    const std::uint32_t second = nodes[node].next;
    forgetPair(nodes[node].previous);
    forgetPair(node);
    forgetPair(second);
    connect(node, nodes[second].next);
    dropSymbol(node);
    dropSymbol(second);
    freeNode(second);
    setSymbol(node, GrammarNodeKind::Rule, rule, 1);
    checkAround(node);
  }

  /// To be called after `node` got a new symbol or neighbour: merges equal neighbours, and checks
  /// both sides.
  void checkAround(std::uint32_t node) {
    if (sameSymbol(node, nodes[node].next))
      absorbNext(node);
    if (sameSymbol(nodes[node].previous, node)) {
      node = nodes[node].previous;
      absorbNext(node);
    }
    const std::uint32_t before = nodes[node].previous;
    if (isGuard(before) && nodes[node].next == before && nodes[before].symbol != wholeRule)
      singleNodes.push_back(nodes[before].symbol);
    checks.push_back(node);
    checks.push_back(before);
  }

  void absorbNext(std::uint32_t node) {
    const std::uint32_t next = nodes[node].next;
    forgetPair(nodes[node].previous);
    forgetPair(next);
    nodes[node].repetitions += nodes[next].repetitions;
    connect(node, nodes[next].next);
    dropSymbol(next);
    freeNode(next);
  }

  /// Replaces a rule that is used once, and not repeated, by its body.
  void putBack(std::uint32_t rule) {
    if (rules[rule].guard == none || rules[rule].uses != 1)
      return;
    const std::uint32_t use = rules[rule].firstUse;
    if (nodes[use].repetitions != 1)
      return;
    const std::uint32_t before = nodes[use].previous, after = nodes[use].next;
    const std::uint32_t first = nodes[rules[rule].guard].next, last = lastOf(rule);
    forgetPair(before);
    forgetPair(use);
    connect(before, first);
    connect(last, after);
    freeNode(use);
    freeRule(rule);
    const bool one = first == last;
    checkAround(last);
    if (!one)
      checkAround(first);
  }

  /// Replaces a rule of one node (such rules arise when neighbours become equal) by that node.
  void dissolveSingleNode(std::uint32_t rule) {
    if (rules[rule].guard == none)
      return;
    const std::uint32_t body = nodes[rules[rule].guard].next;
    if (nodes[body].next != rules[rule].guard)
      return;
    while (rules[rule].firstUse != none) {
      const std::uint32_t use = rules[rule].firstUse;
      forgetPair(nodes[use].previous);
      forgetPair(use);
      dropSymbol(use);
      setSymbol(use, nodes[body].kind, nodes[body].symbol,
                nodes[use].repetitions * nodes[body].repetitions);
      checkAround(use);
    }
    dropSymbol(body);
    freeNode(body);
    freeRule(rule);
  }

  std::vector<GrammarNode> nodes;
  std::vector<Rule> rules;
  std::vector<std::uint32_t> freeNodes, freeRules;
  PairTable pairs;
  std::vector<std::uint32_t> checks, singleUses, singleNodes; // queues
  Run current;                                                // not yet in the lists
  std::vector<Run> predicted;
  std::size_t matched = 0;        // runs of `predicted` that were appended but are in no list yet
  std::uint64_t wholeMatches = 0; // likewise: repetitions of the last node
  bool predicting = false;
};

Grammar GrammarBuilder::State::flushed() {
  flush();
  const State &whole = *this;
  Grammar result;
  std::vector<std::uint32_t> numbers(whole.rules.size(), none); // in the order of first mention
  std::vector<std::uint32_t> mentioned{wholeRule};
  numbers[wholeRule] = 0;
  for (std::size_t i = 0; i < mentioned.size(); ++i) {
    std::vector<GrammarItem> &items = result.rules.emplace_back();
    const std::uint32_t guard = whole.rules[mentioned[i]].guard;
    for (std::uint32_t at = whole.nodes[guard].next; at != guard; at = whole.nodes[at].next) {
      const GrammarNode &node = whole.nodes[at];
      GrammarItem &item = items.emplace_back();
      item.isRule = node.kind == GrammarNodeKind::Rule;
      item.repetitions = node.repetitions;
      item.symbol = node.symbol;
      if (!item.isRule)
        continue;
      if (numbers[node.symbol] == none) {
        numbers[node.symbol] = static_cast<std::uint32_t>(mentioned.size());
        mentioned.push_back(node.symbol);
      }
      item.symbol = numbers[node.symbol];
    }
  }
  if (result.rules.size() == 1 && result.rules[0].empty())
    result.rules.clear();
  return result;
}

GrammarBuilder::GrammarBuilder() : state(std::make_unique<State>()) {}
GrammarBuilder::~GrammarBuilder() = default;
GrammarBuilder::GrammarBuilder(GrammarBuilder &&) noexcept = default;
GrammarBuilder &GrammarBuilder::operator=(GrammarBuilder &&) noexcept = default;

void GrammarBuilder::append(std::uint32_t number) { state->append(number); }

std::size_t GrammarBuilder::memory() const { return sizeof(State) + state->memory(); }

Grammar GrammarBuilder::grammar() const { return State(*state).flushed(); }

} // namespace sendwright
