// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A search of all interleavings of the model: whatever instances a rank leaves out or adds, all
// ranks come to their ends. So does a rank that sends synchronously to one that has posted the
// receive.

#include "test/analysis/Sanitized.h"
#include "test/analysis/sharing/ExpectedInstancesModel.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sendwright::instances_model {

namespace {

/// Members meet before each call.
Begin meeting() { return {ExpectedInstances(1), 0}; }

/// One instance has preceded each call, and members will not meet before the next `run` (up to 4).
Begin promising(std::size_t run) {
  Begin begin = meeting();
  while (begin.expected.meetsNext())
    begin.expected.agree({++begin.instances}, true);
  for (std::size_t left = 4; left > run; --left, ++begin.instances)
    begin.expected.pass();
  return begin;
}

/// The recorded run has these numbers of instances before its calls, and so had this run up to its
/// first call; members will not meet before the others. `steps` must outlive what is returned.
Begin following(const RecordedSteps &steps) {
  Begin begin{ExpectedInstances(1, &steps), steps[0][0]};
  begin.expected.agree({begin.instances}, true);
  return begin;
}

RecordedSteps recorded(const std::vector<std::uint64_t> &numbers) {
  RecordedSteps steps;
  for (const std::uint64_t number : numbers)
    steps.add({number});
  return steps;
}

constexpr std::size_t stride = sanitized ? 19 : 1;

/// Calls visit(program) for every program in which each of `ranks` ranks has one of the words.
template <typename Visit>
void forEachProgram(std::size_t ranks, const std::vector<std::string> &words, Visit visit) {
  Program program(ranks);
  std::size_t all = 1;
  for (std::size_t rank = 0; rank < ranks; ++rank)
    all *= words.size();
  for (std::size_t number = 0; number < all; number += stride) {
    std::size_t rest = number;
    for (std::string &word : program) {
      word = words[rest % words.size()];
      rest /= words.size();
    }
    visit(program);
  }
}

/// Three calls, and before each an instance or none.
std::vector<std::string> subsets() {
  std::vector<std::string> words;
  for (int bits = 0; bits < 8; ++bits)
    words.push_back(std::string(bits & 1 ? "a" : "") + "C" + (bits & 2 ? "b" : "") + "C" +
                    (bits & 4 ? "c" : "") + "C");
  return words;
}

/// Two calls, and before each up to two instances.
std::vector<std::string> extras() {
  std::vector<std::string> words;
  for (const char *first : {"", "a", "ab"})
    for (const char *second : {"", "c", "cd"})
      words.push_back(std::string(first) + "C" + second + "C");
  return words;
}

void expectAllEnd(const Network &network, const Program &program, const Begin &begin,
                  bool patience = false, bool tellsSteps = false) {
  for (const bool rootLeaves : {false, true}) {
    Search search(network, program, begin, {rootLeaves, patience, Fault::None, 2, tellsSteps});
    ASSERT_EQ(search.run(), "") << search.states() << " states";
  }
}

TEST(ExpectedInstancesSearch, RanksOnThePathNeedNoPatience) {
  for (const Network &network : {line(), grid()})
    for (const Begin &begin : {meeting(), promising(4), promising(1)})
      expectAllEnd(network, Program(network.ranks, "aCbCcC"), begin);
}

TEST(ExpectedInstancesSearch, AnyRanksMayLeaveOutAnyPromisedInstances) {
  forEachProgram(3, subsets(),
                 [](const Program &program) { expectAllEnd(line(), program, promising(4)); });
}

TEST(ExpectedInstancesSearch, AnyRanksMayDoSomethingElseThanTheRecordedRun) {
  for (const RecordedSteps &steps :
       {recorded({0, 2, 0, 1}), recorded({0, 0, 2, 0}), recorded({1, 0, 1})})
    for (const std::vector<std::string> &words : {subsets(), extras()})
      forEachProgram(3, words, [&](const Program &program) {
        expectAllEnd(line(), program, following(steps), steps.size() == 3);
      });
}

TEST(ExpectedInstancesSearch, OneOfFourMayLeaveOutAnyPromisedInstances) {
  for (std::size_t rank = 0; rank < 4; ++rank)
    for (const std::string &word : subsets()) {
      Program program(4, "aCbCcC");
      program[rank] = word;
      expectAllEnd(grid(), program, promising(4));
    }
}

TEST(ExpectedInstancesSearch, AnyRanksMayBeginInstancesBeyondThePromised) {
  forEachProgram(3, extras(),
                 [](const Program &program) { expectAllEnd(line(), program, promising(4)); });
}

/// Three calls with an instance before each; a word after or before that of `segment`.
std::string withStep(std::string word, std::size_t segment, char step, bool atEnd) {
  std::size_t at = 0;
  for (std::size_t call = 0; call < segment; ++call)
    at = word.find('C', at) + 1;
  return word.insert(atEnd ? word.find('C', at) : at, 1, step);
}

/// Calls visit(program, receiver) for programs in which rank 0 sends synchronously where the
/// receiver, rank 1 or 2, has posted the receive, or does without waiting for rank 0; it waits for
/// the message last. Rank 0, and the rank that does not receive, leave out any instances.
template <typename Visit> void forEachSynchronousSend(Visit visit) {
  std::size_t number = 0;
  for (const std::size_t receiver : {1u, 2u})
    for (const std::string &sends : subsets())
      for (const std::string &others : subsets())
        for (std::size_t posted = 0; posted < 3; ++posted)
          for (std::size_t sent = posted; sent < 3; ++sent)
            for (const bool atEnd : {false, true}) {
              if (number++ % stride != 0)
                continue;
              Program program(3, others);
              program[0] = withStep(sends, sent, 'S', atEnd);
              program[receiver] = withStep("aCbCcC", posted, 'P', false) + "W";
              visit(program, receiver);
            }
}

TEST(ExpectedInstancesSearch, SynchronousSendsEndIfTheirReceivesArePosted) {
  forEachSynchronousSend([](const Program &program, std::size_t receiver) {
    for (const bool rootLeaves : {false, true}) {
      Search search(line(), program, promising(4), {rootLeaves, false, Fault::None, receiver});
      ASSERT_EQ(search.run(), "") << search.states() << " states";
    }
  });
}

TEST(ExpectedInstancesSearch, SynchronousSendsEndAroundMeetings) {
  forEachSynchronousSend([](const Program &program, std::size_t receiver) {
    Search search(line(), program, promising(1), {true, true, Fault::None, receiver});
    ASSERT_EQ(search.run(), "") << search.states() << " states";
  });
}

TEST(ExpectedInstancesSearch, MeetingsAmongPromisesEndWithPatience) {
  forEachProgram(3, subsets(),
                 [](const Program &program) { expectAllEnd(line(), program, promising(1), true); });
}

TEST(ExpectedInstancesSearch, PromisesAfterOtherInstancesThanExpectedEndWithPatience) {
  for (const std::vector<std::string> &words : {subsets(), extras()})
    forEachProgram(3, words, [](const Program &program) {
      expectAllEnd(line(), program, promising(1), true, true);
    });
}

TEST(ExpectedInstancesSearch, MeetingsEndWithPatience) {
  forEachProgram(3, subsets(),
                 [](const Program &program) { expectAllEnd(line(), program, meeting(), true); });
  forEachProgram(3, extras(),
                 [](const Program &program) { expectAllEnd(line(), program, meeting(), true); });
}

// The search finds what the rules prevent.

TEST(ExpectedInstancesSearch, WithoutPatienceARankThatLeavesOutAnInstanceHoldsUpOthers) {
  Search search(line(), {"aC", "C", "aC"}, meeting(), {});
  EXPECT_NE(search.run(), "");
}

TEST(ExpectedInstancesSearch, ARankThatEntersAtOnceHoldsUpOthers) {
  Search search(line(), {"aC", "C", "aC"}, promising(4), {false, false, Fault::EntersAtOnce});
  EXPECT_NE(search.run(), "");
}

TEST(ExpectedInstancesSearch, AReceiverThatTellsNothingHoldsUpASynchronousSend) {
  Search search(line(), {"aSC", "aC", "PaCW"}, promising(4),
                {false, false, Fault::TellsNothing, 2});
  EXPECT_NE(search.run(), "");
}

TEST(ExpectedInstancesSearch, ASharedInstanceBeyondThePromisedHoldsUpOthers) {
  Search search(line(), {"abC", "aC", "abC"}, promising(4),
                {false, false, Fault::SharesUnexpected});
  EXPECT_NE(search.run(), "");
}

} // namespace

} // namespace sendwright::instances_model
