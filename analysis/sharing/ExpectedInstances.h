// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many instances of each exchange the members of a communicator contribute to before its next
// blocking collective call. A rank inside such a call passes nothing on. So before it enters, it
// must have contributed to, and passed on, what any other member may wait for on its way there.
//
// If members meet before the call, each serves all others until they are there, and any number of
// instances may precede it. A meeting also tells how many there were. Once these numbers repeat,
// the next calls are made without meetings: each member expects the numbers to go on repeating. A
// member that has begun fewer instances contributes empty ones; what it begins beyond the number is
// not shared. So every member keeps its promise without knowing what the others do, and none waits
// for more than the promised instances. After some calls members meet again, and agree whether all
// had expected right.
//
// A program may make a call more now and then, say every 20 iterations. The members notice that
// each by itself, and go on with what was expected up to the next meeting. There they agree on how
// many instances each step had in truth, and look for the longest sequence of steps that came
// before and is that of the latest ones: what followed it is expected again. So numbers that repeat
// after a hundred calls are found, too.
//
// A plan has the numbers of the run that it was made from (RecordedSteps.h). While a run does the
// same, they are expected instead, from the first call on, whether they repeat or not. A run that
// does something else, or goes on for longer, finds its place in the recorded one again once four
// steps in a row are those of the recorded run, and twice as many each time that it leaves it.
// Where the numbers of a run have repeated for long, and then the recorded run does something else,
// members meet: it may be that this run goes on for longer. So they do where the recorded run had
// many instances before a call: what exceeds the expected number would not be shared.
//
// Why nobody waits for ever: what is expected is computed from agreed numbers and the plan alone,
// so it is equal at all members. Before its n-th call a member contributes K(n) instances before it
// waits for anything; then it waits until it has passed on its part of these K(n), which needs
// contributions of other members alone. Each of them comes to its n-th call, or is on its way there
// and serves others in each wait. After that, no message of an instance below K(n) is still to pass
// through the member, and instances from K(n) on are not begun by anybody before the n-th call.
//
// The program's own messages are no reason to wait either. A member inside the call serves no send
// that waits for its runtime. Of these, a synchronous send to a receive that the member has posted
// ends by what the member told before it entered (PostedReceives.h); a send to one that it posts
// later would wait as long in the program as written. Other sends are copied, or MPI serves
// them: it has the receives that the runtime would look after. And what a member does after the
// n-th call nobody needs to come to it or to leave it, because MPI's call may itself be a meeting.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_EXPECTEDINSTANCES_H
#define SENDWRIGHT_ANALYSIS_SHARING_EXPECTEDINSTANCES_H

#include "analysis/sharing/RecordedSteps.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace sendwright {

class ExpectedInstances {
public:
  /// One number for each exchange.
  using Counts = RecordedSteps::Counts;
  /// The number of instances before a call at which members meet.
  static constexpr std::uint64_t anyNumber = UINT64_MAX;

  /// `recorded`: of the run that the plan was made from; must outlive this. Null: not known.
  explicit ExpectedInstances(std::size_t exchanges, const RecordedSteps *recorded = nullptr)
      : total(exchanges), recorded(recorded) {
    if (recorded && recorded->size() != 0)
      place = 0;
  }

  /// Whether members meet before the next call.
  bool meetsNext() const { return left == 0; }
  /// After how many calls the same instances are expected again; 0: not so soon.
  std::size_t lengthOfPeriod() const { return period <= longestPeriod ? period : 0; }
  /// How many instances of the exchange precede the next call, counted from the first.
  std::uint64_t beforeNext(std::size_t exchange) const;
  /// The next call is made without a meeting, by each member.
  void pass();
  /// Members have met, and agreed on how many instances there were: the largest number of any of
  /// them. `asExpected`: all had the same numbers, none contributed an empty instance or began one
  /// too many since the last meeting, and none has another reason to meet.
  void agree(const Counts &counts, bool asExpected);
  /// The same where members have begun the same numbers, but not those that they had expected, and
  /// have no other reason to meet: `made` are the steps since the last meeting as all of them made
  /// them, the last one before this meeting. Empty if they made different ones.
  void agree(const Counts &counts, const std::vector<Counts> &made);
  /// How many calls were made without a meeting since the last one.
  std::size_t passedCalls() const { return passed; }
  /// All members make the next call while nothing is shared.
  void leaveOut() { advance(); }
  /// The steps that repeat, from the one before the next call on; empty if they do not, or if a
  /// member should not promise as much.
  std::vector<Counts> repeated() const;
  /// Before the first call: such steps of one member, from before there was anything to agree on.
  /// The same at all members. If they still hold at the first meeting, calls without one follow.
  void begin(const std::vector<Counts> &repeatedSteps);
  /// How many steps can repeat.
  static constexpr std::size_t longestPeriod = 16;

private:
  static constexpr std::size_t evidence = 6;                    ///< repeated calls, at least
  static constexpr std::size_t evidenceLater = 4;               ///< once any have repeated
  static constexpr std::size_t mostKept = 256;                  ///< steps
  static constexpr std::uint64_t firstRun = 4, longestRun = 32; ///< calls without a meeting
  /// Where no instance is expected: the next phase of the program, which has instances, begins
  /// with as many unexpected ones, which are not shared.
  static constexpr std::uint64_t longestIdleRun = 2;
  /// As many steps must be those of the recorded run before it is followed again, at first and at
  /// most. If a run leaves it more often, it is another run.
  static constexpr std::size_t leastLikeness = 4, largestLikeness = 64;

  /// Instances in a step of the recorded run before which members do not meet.
  static constexpr std::uint64_t longestStep = 32;

  const Counts &expectedStep() const {
    return place ? (*recorded)[*place] : steps[steps.size() - period];
  }
  void advance();
  void leaveRecorded(bool goesOn);
  bool isSteady() const;
  static bool isLong(const Counts &step);
  std::uint64_t undoubted(std::uint64_t most) const;
  void seekPlace(std::size_t from);
  void setRun(bool wentOn);
  bool isLike(std::size_t end) const;
  std::size_t findPeriod() const;
  bool isIdle() const;
  void append(Counts step);

  std::vector<Counts> steps; ///< instances between a call and the one before; the latest are last
  Counts total;              ///< before the last call
  std::size_t period = 0;    ///< the next steps are expected to be those before so many; 0: none
  bool hasRepeated = false;  ///< there has been such a period
  std::size_t passed = 0;    ///< calls since the last meeting
  std::uint64_t left = 0;    ///< calls before the next meeting
  std::uint64_t run = 0;     ///< how many these were at first

  const RecordedSteps *recorded;    ///< null: not known, or too often not this run's
  std::optional<std::size_t> place; ///< in the recorded run: of the step before the next call
  std::size_t lastPlace = 0;
  std::size_t likeness = leastLikeness / 2; ///< doubled before the place is sought
};

} // namespace sendwright

#endif
