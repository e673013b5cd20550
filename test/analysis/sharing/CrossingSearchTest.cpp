// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small model of three ranks in a ring that change from MPI's messages to the runtime's at an
// execution of a loop, and a search of all its interleavings: all ranks come to their ends, each
// receive gets its message whichever way both went, and ranks do cross where they can. Once a rank
// has crossed, its messages travel by the rank before it, as by the routes that the answer has. The
// rules are those of runtime/sharing/learned/Crossing.h. Rules without one of their conditions are
// found wrong.

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string>
#include <utility>

namespace crossing {

namespace {

constexpr int ranks = 3, leader = 0, root = 2;

/// What may be left out of the rules.
enum class Fault {
  None,
  AnySum,          ///< the leader does not look at the sums
  NoCalls,         ///< the sums do not contain collective calls
  DeafLeader,      ///< the leader does not serve others while it waits
  SilentAtCall,    ///< the leader enters a call without an answer
  EndlessPatience, ///< a rank at its cut never asks
  NothingKept,     ///< a rank at its cut forgets what it cannot pass on yet
};

/// The steps of each rank: 's' sends to the next rank, 'r' posts a receive from the previous one,
/// 'w' waits for all of these, 'x' is the end of an execution, 'c' a collective call that rank 2
/// leaves at once and the others after it has come.
using Programs = std::array<std::string, ranks>;

/// What a rank has done: by MPI, and by the runtime.
struct Counts {
  std::array<signed char, 2> sent{}, posted{};
  signed char calls = 0;
  auto operator<=>(const Counts &) const = default;
};

struct State {
  std::array<signed char, ranks> step{}, executions{};
  std::array<Counts, ranks> counts{}, atCut{};
  std::array<bool, ranks> carries{}, inCall{}, waits{}, asked{};
  std::array<signed char, ranks> moved{}; ///< 1: under way; 2: accepted; 3: over
  std::array<bool, ranks> cutUnderWay{}, cutHeard{}, refusalUnderWay{};
  std::array<signed char, ranks> answer{}; ///< 1: cross, under way; 2: go on, under way; 3: heard
  signed char attempt = 0, execution = 0;  ///< 1: open; 2: answered
  /// Messages of each rank that travel by the runtime: under way to the rank before it, kept there,
  /// and at the rank after it.
  std::array<signed char, ranks> toRelay{}, kept{}, arrived{};
  auto operator<=>(const State &) const = default;
};

class CrossingSearch {
public:
  CrossingSearch(Programs programs, Fault fault) : programs(std::move(programs)), fault(fault) {}

  /// Whether every interleaving ends with all ranks at their ends.
  bool allEnd() { return visit(State()); }
  bool anyCrossed() const { return crossed; }

private:
  char stepOf(const State &state, int rank) const {
    const std::string &steps = programs[rank];
    const auto at = static_cast<std::size_t>(state.step[rank]);
    return at < steps.size() ? steps[at] : '.';
  }

  /// The k-th receive of one way gets the k-th message of this way.
  bool hasAll(const State &state, int rank) const {
    const int before = (rank + ranks - 1) % ranks;
    return state.counts[before].sent[0] >= state.counts[rank].posted[0] &&
           state.arrived[before] >= state.counts[rank].posted[1];
  }

  bool sumIsZero(const State &state) const {
    for (int rank = 0; rank < ranks; ++rank) {
      const Counts &next = state.atCut[(rank + 1) % ranks];
      if (state.atCut[rank].sent[0] != next.posted[0])
        return false;
      if (fault != Fault::NoCalls && state.atCut[rank].calls != next.calls)
        return false;
    }
    return true;
  }

  static void answer(State &state, bool crosses) {
    state.attempt = 2;
    for (int rank = 0; rank < ranks; ++rank)
      state.answer[rank] = crosses ? 1 : 2;
  }

  /// Whether the rank takes what is to be passed on.
  bool takesIn(const State &state, int rank) const {
    const char step = stepOf(state, rank);
    return state.waits[rank] ||
           (state.carries[rank] && (step == 'w' || step == 'c' || step == '.'));
  }

  bool passOn(State state, int rank, bool &any) {
    const int sender = (rank + 1) % ranks;
    if (state.toRelay[sender] == 0 || !takesIn(state, rank))
      return true;
    any = true;
    --state.toRelay[sender];
    if (state.carries[rank])
      ++state.arrived[sender];
    else if (fault != Fault::NothingKept)
      ++state.kept[sender];
    return visit(state);
  }

  /// Whether the rank looks at what others have said.
  bool listens(const State &state, int rank) const {
    const char step = stepOf(state, rank);
    if (state.waits[rank] || step == 'x' || step == '.')
      return true;
    return rank == leader && state.attempt == 1 && fault != Fault::DeafLeader && step == 'w' &&
           !hasAll(state, rank);
  }

  /// A leader that is at its end answers.
  bool visit(State state) {
    if (stepOf(state, leader) == '.' && state.attempt == 1)
      answer(state, false);
    if (!seen.insert(state).second)
      return true;
    bool any = false;
    for (int rank = 0; rank < ranks; ++rank) {
      if (!listen(state, rank, any) || !passOn(state, rank, any) || !advance(state, rank, any))
        return false;
    }
    if (any)
      return true; // the last state of each interleaving is looked at
    for (int rank = 0; rank < ranks; ++rank)
      if (stepOf(state, rank) != '.' ||
          state.counts[rank].sent[0] != state.counts[(rank + 1) % ranks].posted[0])
        return false;
    return true;
  }

  /// One thing that the rank hears.
  bool listen(const State &state, int rank, bool &any) {
    if (!listens(state, rank))
      return true;
    return hearMove(state, rank, any) && hearAnswer(state, rank, any) &&
           (rank != leader || hearMembers(state, any));
  }

  bool hearMove(State state, int rank, bool &any) {
    if (state.moved[rank] != 1)
      return true;
    any = true;
    if (state.executions[rank] < state.execution && stepOf(state, rank) != '.') {
      state.moved[rank] = 2;
    } else {
      state.moved[rank] = 3;
      state.refusalUnderWay[rank] = true;
    }
    return visit(state);
  }

  bool hearAnswer(State state, int rank, bool &any) {
    if (state.answer[rank] != 1 && state.answer[rank] != 2)
      return true;
    any = true;
    if (state.waits[rank]) {
      state.carries[rank] = state.answer[rank] == 1;
      crossed |= state.carries[rank];
      const int sender = (rank + 1) % ranks;
      state.arrived[sender] += std::exchange(state.kept[sender], 0);
      state.waits[rank] = false;
      ++state.step[rank];
    }
    state.moved[rank] = 3;
    state.answer[rank] = 3;
    return visit(state);
  }

  bool hearMembers(const State &before, bool &any) {
    for (int rank = 0; rank < ranks; ++rank) {
      if (before.refusalUnderWay[rank]) {
        State state = before;
        any = true;
        state.refusalUnderWay[rank] = false;
        if (state.attempt == 1)
          answer(state, false);
        if (!visit(state))
          return false;
      }
      if (before.cutUnderWay[rank]) {
        State state = before;
        any = true;
        state.cutUnderWay[rank] = false;
        state.cutHeard[rank] = true;
        if (state.attempt == 1 && state.cutHeard == std::array{true, true, true})
          answer(state, fault == Fault::AnySum || sumIsZero(state));
        if (!visit(state))
          return false;
      }
    }
    return true;
  }

  static void enterCut(State &state, int rank) {
    state.waits[rank] = true;
    state.atCut[rank] = state.counts[rank];
    state.cutUnderWay[rank] = true;
  }

  bool advance(State state, int rank, bool &any) {
    const char step = stepOf(state, rank);
    if (step == '.')
      return true;
    if (state.waits[rank])
      return ask(state, rank, any);
    switch (step) {
    case 's':
      ++state.counts[rank].sent[state.carries[rank]];
      state.toRelay[rank] += state.carries[rank];
      break;
    case 'r':
      ++state.counts[rank].posted[state.carries[rank]];
      break;
    case 'w':
      if (!hasAll(state, rank))
        return true;
      break;
    case 'c':
      return call(state, rank, any);
    default:
      return endExecution(state, rank, any);
    }
    any = true;
    ++state.step[rank];
    return visit(state);
  }

  bool ask(State state, int rank, bool &any) {
    if (state.asked[rank] || fault == Fault::EndlessPatience)
      return true;
    any = true;
    state.asked[rank] = state.refusalUnderWay[rank] = true;
    return visit(state);
  }

  /// While the runtime carries messages, ranks meet before the call.
  bool mayLeave(const State &state, int rank) const {
    const auto hasCome = [&](int other) {
      return state.counts[other].calls > state.counts[rank].calls ||
             (state.inCall[other] && state.counts[other].calls == state.counts[rank].calls);
    };
    if (!state.carries[rank])
      return rank == root || hasCome(root);
    for (int other = 0; other < ranks; ++other)
      if (!state.carries[other] || !hasCome(other) ||
          state.atCut[other].calls > state.counts[rank].calls)
        return false;
    return true;
  }

  bool call(State state, int rank, bool &any) {
    if (!state.inCall[rank]) {
      any = true;
      state.inCall[rank] = true;
      if (rank == leader && state.attempt == 1 && fault != Fault::SilentAtCall)
        answer(state, false);
      return visit(state);
    }
    if (!mayLeave(state, rank))
      return true;
    any = true;
    state.inCall[rank] = false;
    ++state.counts[rank].calls;
    ++state.step[rank];
    return visit(state);
  }

  bool endExecution(const State &before, int rank, bool &any) {
    any = true;
    State state = before;
    ++state.executions[rank];
    if (state.moved[rank] == 2 && state.executions[rank] >= state.execution)
      enterCut(state, rank);
    else
      ++state.step[rank];
    if (!visit(state))
      return false;
    if (rank != leader || before.attempt != 0)
      return true;
    state = before;
    ++state.executions[rank];
    ++state.step[rank];
    state.attempt = 1;
    state.execution = static_cast<signed char>(state.executions[rank] + 1);
    state.moved.fill(1);
    return visit(state);
  }

  const Programs programs;
  const Fault fault;
  std::set<State> seen;
  bool crossed = false;
};

Programs same(const std::string &steps) { return {steps, steps, steps}; }

bool isRight(const Programs &programs, Fault fault = Fault::None) {
  return CrossingSearch(programs, fault).allEnd();
}

bool crosses(const Programs &programs) {
  CrossingSearch search(programs, Fault::None);
  return search.allEnd() && search.anyCrossed();
}

/// The root, which waits for nobody, is past its call before the end of an execution; the others
/// make it after.
const Programs callsApart = {"rsxwrsxcwrsw", "rsxwrsxcwrsw", "rsxwrscxwrsw"};

} // namespace

TEST(CrossingSearch, RanksCrossWhereReceivesArePostedBeforeTheEnd) {
  EXPECT_TRUE(crosses(same("rsxwrsxwrsw")));
}

TEST(CrossingSearch, RanksGoOnWhereReceivesArePostedAfterTheEnd) {
  EXPECT_TRUE(isRight(same("sxrwsxrw")));
  EXPECT_FALSE(crosses(same("sxrwsxrw")));
}

TEST(CrossingSearch, NobodyWaitsWhereRanksNeedALaterExecutionOfAnother) {
  EXPECT_TRUE(isRight({"rsxwrsxwrsw", "rsxwrsxwrsw", "rxxswrswrsw"}));
  EXPECT_TRUE(isRight({"rwsxrwsx", "srwxsrwx", "rwsxrwsx"}));
}

TEST(CrossingSearch, CallsBetweenExecutionsDoNotHinder) {
  EXPECT_TRUE(isRight(same("rsxwcrsxwc")));
}

TEST(CrossingSearch, RanksThatMakeACallBeforeTheEndOfAnExecutionAndOthersAfterItGoOn) {
  EXPECT_TRUE(isRight(callsApart));
}

TEST(CrossingSearch, ARankThatLeavesTheLoopHindersNobody) {
  EXPECT_TRUE(isRight({"rsxwrsxwrsw", "rsxwrsxwrsw", "rsxwrswrsw"}));
}

TEST(CrossingSearch, SumsAreNeeded) {
  EXPECT_FALSE(isRight({"sxrwsxrwsrw", "rsxwrsxwrsw", "rsxwrsxwrsw"}, Fault::AnySum));
}

TEST(CrossingSearch, CallsInTheSumsAreNeeded) { EXPECT_FALSE(isRight(callsApart, Fault::NoCalls)); }

TEST(CrossingSearch, TheLeaderMustServe) {
  EXPECT_FALSE(isRight({"rsxwrsxwrsw", "rsxwrsxwrsw", "rxxswrswrsw"}, Fault::DeafLeader));
}

TEST(CrossingSearch, TheLeaderMustAnswerBeforeACall) {
  EXPECT_FALSE(isRight({"rsxwrscxw", "rsxwrsxcw", "rsxwrsxcw"}, Fault::SilentAtCall));
}

TEST(CrossingSearch, RanksMustAskAtTheirCuts) {
  EXPECT_FALSE(isRight({"rsxwrsxwrsw", "rsxwrsxwrsw", "rsxwrswrsw"}, Fault::EndlessPatience));
}

TEST(CrossingSearch, RanksMustKeepWhatTheyCannotPassOnYet) {
  EXPECT_FALSE(isRight(same("rsxwrsxwrsw"), Fault::NothingKept));
}

} // namespace crossing
