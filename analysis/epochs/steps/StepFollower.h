// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows one rank's steps while the program makes its calls: when to synchronise, and whether the
// program still goes the way of the profile.

#ifndef SENDWRIGHT_ANALYSIS_EPOCHS_STEPS_STEPFOLLOWER_H
#define SENDWRIGHT_ANALYSIS_EPOCHS_STEPS_STEPFOLLOWER_H

#include "analysis/epochs/steps/SynchronizationSteps.h"
#include "analysis/trace/GrammarCursor.h"

namespace sendwright {

class StepFollower {
public:
  /// `steps` must outlive this.
  explicit StepFollower(const RankSteps &steps) : steps(steps), cursor(steps.sequence) {}

  /// How to synchronise before the next call (Synchronize, Announce or Await), or null if nothing
  /// is due. Constant time.
  const Step *due() const;
  /// What was due is done. Constant time on average, like all functions below.
  void synchronized() { cursor.next(); }

  /// The program makes a call (or an ordered completion). False if another call is expected; then
  /// nothing was followed. Nothing may be due.
  bool follow(const Step &step);

  /// If the last followed call is a receive from any source: the world rank whose message it took
  /// in the profile. Otherwise noPeer.
  int expectedSource() const { return source; }

  /// True if the next completion in any order is expected. Nothing may be due.
  bool expectsCompletions() const;
  /// `count` requests completed in any order. Returns how many of them do not belong to the current
  /// step: tell them again when what is due() has been done. If the result is `count` and nothing
  /// is due, the program has left the profile's way.
  std::uint64_t complete(std::uint64_t count);

  /// True after the last step.
  bool atEnd() const { return cursor.atEnd(); }
  /// The expected step, for messages; not to be called at the end.
  const Step &expected() const { return steps.steps[cursor.number()]; }

private:
  const RankSteps &steps;
  GrammarCursor cursor;
  std::uint64_t completedHere = 0; // of the current Completions
  int source = noPeer;
};

} // namespace sendwright

#endif
