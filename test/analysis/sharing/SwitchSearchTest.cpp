// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small model of three ranks that learn routes between collective calls, and a search of all its
// interleavings: whenever ranks hear that routes are in use, all come to their ends. The rules are
// those of runtime/sharing/learned/WorldCalls.h. Each message goes through the third rank, which
// passes it on with its own messages of the same instance, and not while it is in a call. Rules
// without one of their conditions are found wrong.

#include "test/analysis/Sanitized.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

namespace {

constexpr int ranks = 3, leader = 0;

/// What may be left out of the rules.
enum class Fault {
  None,
  UnheardMeeting,  ///< ranks leave a meeting without having heard what another has
  SwitchInMeeting, ///< the leader switches after it said in a meeting that there is nothing
  NoMeeting,       ///< the leader switches although the next call is not a meeting
};

/// The steps of each rank: 'e' an exchange with the others, 'a' a call that no rank leaves before
/// all have come, 'b' a call that rank 0 leaves at once and the others after it has come, 'c' a
/// call that rank 2 leaves after all have come and the others at once.
struct Program {
  std::string steps;
  std::set<int> meetings; ///< numbers of the calls before which ranks meet while nothing is shared
};

struct State {
  // One entry for each rank.
  std::array<signed char, ranks> step{}, phase{}; ///< phase of the step: see advance()
  std::array<signed char, ranks> planned{}, ready{}, switching{}; ///< 1: under way; 2: arrived
  std::array<signed char, ranks> readyCalls{}, readyExecutions{}; ///< when it said it was ready
  std::array<signed char, ranks> heard{}, listed{}, said{}, contributed{};
  std::array<std::array<signed char, ranks>, ranks>
      captured{}; ///< instances, one bit each, by sender
  std::array<std::array<signed char, ranks>, ranks>
      passed{};                                 ///< instances of [sender] at [through]
  signed char switched = 0, first = 0, met = 0; ///< met: calls whose meeting is over

  auto operator<=>(const State &) const = default;
};

class Search {
public:
  Search(Program program, Fault fault) : program(std::move(program)), fault(fault) {}

  /// Whether every interleaving ends with all ranks at their ends.
  bool allEnd() { return visit(State()); }
  bool anyShared() const { return shared; }

private:
  int count(int step, bool ofCalls) const {
    return static_cast<int>(std::count_if(program.steps.begin(), program.steps.begin() + step,
                                          [&](char one) { return (one == 'e') != ofCalls; }));
  }
  int calls(const State &state, int rank) const { return count(state.step[rank], true); }
  bool atEnd(const State &state, int rank) const {
    return state.step[rank] == static_cast<int>(program.steps.size());
  }
  bool inCall(const State &state, int rank) const {
    return !atEnd(state, rank) && program.steps[state.step[rank]] != 'e' && state.phase[rank] == 2;
  }
  bool meets(const State &state, int rank, int call) const {
    return state.listed[rank] || program.meetings.contains(call);
  }

  /// Everything that ranks outside of calls pass on and contribute.
  void serve(State &state) const {
    for (int rank = 0; rank < ranks; ++rank) {
      if (inCall(state, rank))
        continue;
      if (state.heard[rank]) { // instances of executions that are over are empty
        state.contributed[rank] = static_cast<signed char>(
            std::max<int>(state.contributed[rank], executions(state, rank) - state.first));
      }
      for (int from = 0; from < ranks; ++from)
        state.passed[from][rank] = static_cast<signed char>(std::max<int>(
            state.passed[from][rank], std::min(state.contributed[from], state.contributed[rank])));
    }
  }

  /// Whether the rank has what all others sent it in its execution.
  bool hasAll(const State &state, int rank) const {
    const int execution = count(state.step[rank], false);
    for (int from = 0; from < ranks; ++from) {
      if (from == rank)
        continue;
      if (executions(state, from) <= execution)
        return false;
      const int instance = execution - state.first, through = ranks - from - rank;
      if (state.switched && instance >= 0 && (state.captured[from][0] >> instance & 1) &&
          state.passed[from][through] <= instance)
        return false;
    }
    return true;
  }

  bool mayLeave(const State &state, int rank) const {
    const char call = program.steps[state.step[rank]];
    if ((call == 'b' && rank == 0) || (call == 'c' && rank != 2))
      return true;
    for (int other = 0; other < ranks; ++other)
      if (call != 'b' || other == 0)
        if (state.step[other] < state.step[rank] ||
            (state.step[other] == state.step[rank] && state.phase[other] != 2))
          return false;
    return true;
  }

  static void sendSwitch(State &state, int first) {
    state.switched = 1;
    state.first = static_cast<signed char>(first);
    for (signed char &one : state.switching)
      one = 1;
    state.heard[leader] = 1;
    state.switching[leader] = 2;
  }

  bool allReady(const State &state) const {
    return std::ranges::all_of(state.ready, [](int one) { return one == 2; });
  }
  /// How many executions have sent their messages.
  int executions(const State &state, int rank) const {
    return count(state.step[rank], false) + (!atEnd(state, rank) &&
                                             program.steps[state.step[rank]] == 'e' &&
                                             state.phase[rank] == 1);
  }
  int firstShared(const State &state) const {
    return std::max<int>(*std::ranges::max_element(state.readyExecutions),
                         executions(state, leader)) +
           1;
  }

  /// The leader's decision once all are ready.
  void decide(State &state) const {
    if (!allReady(state) || state.switched)
      return;
    const int call = calls(state, leader);
    const bool isEqual =
        std::ranges::all_of(state.readyCalls, [&](int one) { return one == call; });
    const bool isMeeting = !atEnd(state, leader) && program.steps[state.step[leader]] != 'e' &&
                           state.phase[leader] == 1;
    if (isEqual && !inCall(state, leader) &&
        (meets(state, leader, call) || fault == Fault::NoMeeting) &&
        (!isMeeting || fault == Fault::SwitchInMeeting))
      sendSwitch(state, firstShared(state));
  }

  /// The next step of a rank's own program; false if it waits.
  bool advance(State &state, int rank) const {
    if (atEnd(state, rank))
      return false;
    signed char &phase = state.phase[rank];
    const auto next = [&] {
      ++state.step[rank];
      phase = 0;
      return true;
    };
    if (program.steps[state.step[rank]] == 'e') {
      if (phase == 1)
        return hasAll(state, rank) && next();
      const int instance = count(state.step[rank], false) - state.first;
      if (state.heard[rank] && instance >= 0 && state.contributed[rank] == instance)
        state.captured[rank][0] = static_cast<signed char>(state.captured[rank][0] | 1 << instance);
      phase = 1;
      return true;
    }
    const int call = calls(state, rank);
    if (phase == 2)
      return mayLeave(state, rank) && next();
    if (phase == 0 && !meets(state, rank, call)) {
      phase = 2;
      return true;
    }
    if (phase == 0) {
      phase = 1;
      state.said[rank] = state.heard[rank] && !state.listed[rank];
      return true;
    }
    return leaveMeeting(state, rank, call);
  }

  /// All have come: they know whether one of them has heard of a switch, and wait until they have.
  bool leaveMeeting(State &state, int rank, int call) const {
    if (state.met <= call) {
      for (int other = 0; other < ranks; ++other)
        if (state.step[other] != state.step[rank] || state.phase[other] != 1)
          return false;
      state.met = static_cast<signed char>(call + 1);
      if (!state.switched && allReady(state)) {
        sendSwitch(state, firstShared(state));
        state.said[leader] = 1;
      }
      const bool any = std::ranges::any_of(state.said, [](int one) { return one != 0; });
      for (signed char &one : state.said)
        one = any;
      return true;
    }
    if (state.said[rank] && fault != Fault::UnheardMeeting) {
      if (!state.heard[rank])
        return false;
      state.listed[rank] = 1;
    }
    state.said[rank] = 0;
    state.phase[rank] = 2;
    return true;
  }

  /// Messages between the leader and the others arrive at any time, but not in a call.
  template <typename Visit> void forEachArrival(const State &state, Visit visitNext) const {
    for (int rank = 0; rank < ranks; ++rank) {
      State next = state;
      if (!inCall(state, rank) && state.planned[rank] < 2) {
        next.planned[rank] = 2;
        next.ready[rank] = 1;
        next.readyCalls[rank] = static_cast<signed char>(calls(state, rank));
        next.readyExecutions[rank] = static_cast<signed char>(executions(state, rank));
        visitNext(next);
      }
      next = state;
      if (!inCall(state, leader) && state.ready[rank] == 1) {
        next.ready[rank] = 2;
        decide(next);
        visitNext(next);
      }
      next = state;
      if (!inCall(state, rank) && state.switching[rank] == 1) {
        next.switching[rank] = 2;
        next.heard[rank] = 1;
        visitNext(next);
      }
    }
  }

  bool visit(State state) {
    serve(state);
    if (!seen.insert(state).second)
      return true;
    bool any = false, good = true;
    shared |= std::ranges::any_of(state.captured, [](const auto &one) { return one[0] != 0; });
    for (int rank = 0; rank < ranks && good; ++rank) {
      State next = state;
      if (advance(next, rank)) {
        any = true;
        good = visit(next);
      }
    }
    forEachArrival(state, [&](const State &next) {
      any = true;
      good = good && visit(next);
    });
    const bool isOver = atEnd(state, 0) && atEnd(state, 1) && atEnd(state, 2);
    return good && (any || isOver);
  }

  const Program program;
  const Fault fault;
  std::set<State> seen;
  bool shared = false;
};

std::vector<Program> programs() {
  return {{"eee", {}},        {"eea", {}},        {"eec", {0}},     {"eecea", {1}},
          {"beeae", {0, 1}},  {"eaeea", {0}},     {"eceec", {0}},   {"eaebea", {0, 1}},
          {"eecaec", {0, 2}}, {"beebec", {0, 1}}, {"cbeea", {0, 2}}};
}

constexpr std::size_t longest = sendwright::sanitized ? 4 : 6;

bool isFound(Fault fault, const Program &program) { return !Search(program, fault).allEnd(); }

TEST(SwitchSearch, AllRanksComeToTheirEnds) {
  bool shared = false;
  for (const Program &program : programs()) {
    if (program.steps.size() > longest)
      continue;
    Search search(program, Fault::None);
    EXPECT_TRUE(search.allEnd()) << program.steps;
    shared |= search.anyShared();
  }
  EXPECT_TRUE(shared);
}

TEST(SwitchSearch, TheNextCallMustBeAMeeting) {
  EXPECT_TRUE(isFound(Fault::NoMeeting, {"eea", {}}));
}

TEST(SwitchSearch, RanksMustHearInTheMeetingWhatOthersHaveHeard) {
  EXPECT_TRUE(isFound(Fault::UnheardMeeting, {"eaeea", {0}}));
}

TEST(SwitchSearch, TheLeaderMustNotSwitchInAMeetingInWhichItSaidNothing) {
  EXPECT_TRUE(isFound(Fault::SwitchInMeeting, {"eaeea", {0}}));
}

} // namespace
