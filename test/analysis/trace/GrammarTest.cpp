// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grammars give back exactly the sequence that they were built from, and loops cost nothing.

#include "analysis/trace/Grammar.h"

#include <gtest/gtest.h>

#include <random>

using namespace sendwright;

namespace {

using Sequence = std::vector<std::uint32_t>;

GrammarBuilder build(const Sequence &sequence) {
  GrammarBuilder builder;
  for (std::uint32_t number : sequence)
    builder.append(number);
  return builder;
}

Sequence expand(const Grammar &grammar) {
  Sequence sequence;
  grammar.forEach([&](std::uint32_t number) {
    sequence.push_back(number);
    return true;
  });
  return sequence;
}

std::size_t items(const Grammar &grammar) {
  std::size_t count = 0;
  for (const auto &rule : grammar.rules)
    count += rule.size();
  return count;
}

/// The grammar expands to `sequence`, and every rule of it is worth its place.
void expectGrammarOf(const Sequence &sequence) {
  Grammar grammar = build(sequence).grammar();
  ASSERT_EQ(expand(grammar), sequence);
  ASSERT_EQ(grammar.length(), sequence.size());
  ASSERT_TRUE(grammar.valid(1000));
  std::vector<std::uint64_t> counts(8);
  for (std::uint32_t number : sequence)
    ++counts[number];
  ASSERT_EQ(grammar.occurrences(8), counts);
  std::vector<std::uint64_t> uses(grammar.rules.size());
  for (const auto &rule : grammar.rules)
    for (std::size_t i = 0; i < rule.size(); ++i) {
      if (rule[i].isRule)
        uses[rule[i].symbol] += rule[i].repetitions;
      if (i > 0) {
        ASSERT_FALSE(rule[i].symbol == rule[i - 1].symbol && rule[i].isRule == rule[i - 1].isRule);
      }
    }
  for (std::size_t rule = 1; rule < grammar.rules.size(); ++rule) {
    ASSERT_GE(uses[rule], 2u);
    ASSERT_GE(grammar.rules[rule].size(), 2u);
  }
}

/// Nested loops, branches and noise, as programs make them.
void appendProgram(std::mt19937 &random, int depth, Sequence &sequence) {
  if (depth == 0 || sequence.size() > 3000) {
    sequence.push_back(random() % 6);
    return;
  }
  Sequence body;
  for (std::size_t statements = 1 + random() % 4; statements > 0; --statements)
    appendProgram(random, depth - 1, body);
  for (std::size_t times = random() % 3 ? 1 : 1 + random() % 7; times > 0; --times) {
    sequence.insert(sequence.end(), body.begin(), body.end());
    if (random() % 10 == 0)
      sequence.push_back(random() % 6);
  }
}

} // namespace

TEST(Grammar, GivesBackEveryShortSequence) {
  for (std::size_t length = 0; length <= 9; ++length) {
    std::size_t sequences = 1;
    for (std::size_t i = 0; i < length; ++i)
      sequences *= 3;
    for (std::size_t code = 0; code < sequences; ++code) {
      Sequence sequence;
      for (std::size_t i = 0, rest = code; i < length; ++i, rest /= 3)
        sequence.push_back(rest % 3);
      expectGrammarOf(sequence);
      if (HasFatalFailure())
        return;
    }
  }
}

TEST(Grammar, GivesBackRandomSequences) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 3000 && !HasFatalFailure(); ++trial) {
    Sequence sequence(random() % 400);
    const std::uint32_t numbers = 1 + random() % 8;
    for (std::uint32_t &number : sequence)
      number = random() % numbers;
    expectGrammarOf(sequence);
  }
}

TEST(Grammar, GivesBackProgramsOfLoops) {
  std::mt19937 random(11);
  for (int trial = 0; trial < 3000 && !HasFatalFailure(); ++trial) {
    Sequence sequence;
    appendProgram(random, 1 + static_cast<int>(random() % 6), sequence);
    expectGrammarOf(sequence);
  }
}

TEST(Grammar, MayBeAskedForAtAnyTime) {
  std::mt19937 random(13);
  Sequence whole;
  appendProgram(random, 6, whole);
  GrammarBuilder builder;
  Sequence soFar;
  for (std::uint32_t number : whole) {
    builder.append(number);
    soFar.push_back(number);
    ASSERT_EQ(expand(builder.grammar()), soFar);
  }
}

TEST(Grammar, MillionIterationsAreAsSmallAsOne) {
  GrammarBuilder builder;
  for (int iteration = 0; iteration < 1000000; ++iteration)
    for (std::uint32_t number = 0; number < 50; ++number)
      builder.append(number);
  Grammar grammar = builder.grammar();
  EXPECT_EQ(grammar.length(), 50000000u);
  EXPECT_LE(items(grammar), 60u);
  EXPECT_LT(builder.memory(), 100000u);
}

TEST(Grammar, NestedLoopsStaySmall) {
  GrammarBuilder builder;
  std::uint64_t length = 0;
  auto append = [&](std::uint32_t number) {
    builder.append(number);
    ++length;
  };
  for (int outer = 0; outer < 1000; ++outer) {
    append(100);
    for (int middle = 0; middle < 20; ++middle) {
      append(101);
      for (int inner = 0; inner < 50; ++inner)
        for (std::uint32_t number = 0; number < 10; ++number)
          append(number);
    }
    append(102);
  }
  Grammar grammar = builder.grammar();
  EXPECT_EQ(grammar.length(), length);
  EXPECT_LE(items(grammar), 40u);
}

TEST(Grammar, LoopsWhoseLengthVariesStaySmall) {
  GrammarBuilder builder;
  std::mt19937 random(3);
  for (int outer = 0; outer < 20000; ++outer) {
    builder.append(30);
    for (std::size_t inner = 10 + random() % 20; inner > 0; --inner)
      for (std::uint32_t number = 0; number < 20; ++number)
        builder.append(number);
  }
  EXPECT_LE(items(builder.grammar()), 40000u); // a number in each outer iteration gives its length
}

TEST(Grammar, IncompressibleInputKeepsItsLength) {
  std::mt19937 random(5);
  Sequence sequence(100000);
  for (std::uint32_t &number : sequence)
    number = random();
  Grammar grammar = build(sequence).grammar();
  EXPECT_EQ(expand(grammar), sequence);
  EXPECT_LE(items(grammar), sequence.size());
}

TEST(Grammar, VisitorEndsTheExpansion) {
  GrammarBuilder builder = build({1, 2, 1, 2, 1, 2, 3});
  int visited = 0;
  builder.grammar().forEach([&](std::uint32_t) { return ++visited < 4; });
  EXPECT_EQ(visited, 4);
}

TEST(Grammar, RefusesWhatIsNoGrammar) {
  auto valid = [](std::vector<std::vector<GrammarItem>> rules) {
    return Grammar{std::move(rules)}.valid(3);
  };
  EXPECT_TRUE(valid({}));
  EXPECT_FALSE(valid({{{1, true, 2}}, {{2, true, 1}}, {{0, false, 1}}})); // a chain costs steps
  EXPECT_TRUE(valid({{{2, false, 5}, {1, true, 2}}, {{0, false, 1}}}));
  EXPECT_FALSE(valid({{{3, false, 1}}})) << "no such number";
  EXPECT_FALSE(valid({{{1, true, 1}}})) << "no such rule";
  EXPECT_FALSE(valid({{{0, false, 0}}})) << "repeated zero times";
  EXPECT_FALSE(valid({{{0, true, 1}}})) << "contains itself";
  EXPECT_FALSE(valid({{{1, true, 1}}, {{2, true, 1}}, {{1, true, 1}}})) << "contains itself";
  EXPECT_FALSE(valid({{{1, true, 1}}, {}})) << "an empty rule";
}

TEST(Grammar, LengthSaturates) {
  Grammar grammar;
  grammar.rules.resize(9);
  for (std::uint32_t rule = 0; rule < 8; ++rule)
    grammar.rules[rule] = {{rule + 1, true, UINT64_MAX}};
  grammar.rules[8] = {{0, false, 2}};
  EXPECT_EQ(grammar.length(), UINT64_MAX);
}
