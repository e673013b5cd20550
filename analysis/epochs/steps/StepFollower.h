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

  /// How to synchronise before the next call (Synchronize, Announce or Await), or null where that
  /// is not due. Constant.
  const Step *due() const;
  /// That was done. Constant on average, like all that follows.
  void synchronized() { cursor.next(); }

  /// The program makes a call (also a completion in its order). False where another is expected;
  /// nothing was followed then. Nothing may be due.
  bool follow(const Step &step);

  /// Of the call that was followed last, a receive from any source: the world rank whose message it
  /// took in the profile; else noPeer.
  int expectedSource() const { return source; }

  /// True where the next completion in any order is expected. Nothing may be due.
  bool expectsCompletions() const;
  /// As many as `count` requests completed in any order. Returns how many of them do not belong to
  /// what was due: after what is due() is done they are to be told again. Where it returns
  /// `count`, and nothing is due, the program goes another way.
  std::uint64_t complete(std::uint64_t count);

  /// Behind the last step.
  bool atEnd() const { return cursor.atEnd(); }
  /// The step that is expected, for messages; not at the end.
  const Step &expected() const { return steps.steps[cursor.number()]; }

private:
  const RankSteps &steps;
  GrammarCursor cursor;
  std::uint64_t completedHere = 0; // of the present Completions
  int source = noPeer;
};

} // namespace sendwright

#endif
