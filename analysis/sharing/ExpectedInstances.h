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
// Why nobody waits for ever: what is expected is computed from agreed numbers alone, so it is equal
// at all members. Before its n-th call a member contributes K(n) instances before it waits for
// anything; then it waits until it has passed on its part of these K(n), which needs contributions
// of other members alone. Each of them comes to its n-th call, or is on its way there and serves
// others in each wait. After that, no message of an instance below K(n) is still to pass through
// the member, and instances from K(n) on are not begun by anybody before the n-th call.
//
// The program's own messages are no reason to wait either. A member inside the call serves no send
// that waits for its runtime. Of these, a synchronous send to a receive that the member has posted
// ends by what the member told before it entered (PostedReceives.h); a send to one that it posts
// later would wait as long in the program as written. Other sends are copied, or MPI serves
// them: it has the receives that the runtime would look after. And what a member does after the
// n-th call nobody needs to come to it or to leave it, because MPI's call may itself be a meeting.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_EXPECTEDINSTANCES_H
#define SENDWRIGHT_ANALYSIS_SHARING_EXPECTEDINSTANCES_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sendwright {

class ExpectedInstances {
public:
  /// One number for each exchange.
  using Counts = std::vector<std::uint64_t>;
  /// The number of instances before a call at which members meet.
  static constexpr std::uint64_t anyNumber = UINT64_MAX;

  explicit ExpectedInstances(std::size_t exchanges) : total(exchanges) {}

  /// Whether members meet before the next call.
  bool meetsNext() const { return left == 0; }
  /// After how many calls the same instances are expected again; 0: nothing is expected.
  std::size_t lengthOfPeriod() const { return period; }
  /// How many instances of the exchange precede the next call, counted from the first.
  std::uint64_t beforeNext(std::size_t exchange) const;
  /// The next call is made without a meeting, by each member.
  void pass();
  /// Members have met, and agreed on how many instances there were: the largest number of any of
  /// them. `asExpected`: all had the same numbers, none contributed an empty instance or began one
  /// too many since the last meeting, and none has another reason to meet.
  void agree(const Counts &counts, bool asExpected);

private:
  static constexpr std::size_t longestPeriod = 16;              ///< in calls
  static constexpr std::size_t evidence = 6;                    ///< repeated calls, at least
  static constexpr std::uint64_t firstRun = 4, longestRun = 32; ///< calls without a meeting
  /// Where no instance is expected: the next phase of the program, which has instances, begins
  /// with as many unexpected ones, which are not shared.
  static constexpr std::uint64_t longestIdleRun = 2;

  const Counts &expectedStep() const { return steps[steps.size() - period]; }
  std::size_t findPeriod() const;
  bool isIdle() const;
  bool repeats(std::size_t length) const;
  void append(Counts step);

  std::vector<Counts> steps; ///< instances between a call and the one before; the latest are last
  Counts total;              ///< before the last call
  std::size_t period = 0;    ///< of the last steps; 0: none
  std::uint64_t left = 0;    ///< calls before the next meeting
  std::uint64_t run = 0;     ///< how many these were at first
};

} // namespace sendwright

#endif
