// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rank 0 finds out whether ranks that have been blocked for long are deadlocked. It asks all ranks
// for reports; if those show a deadlock, it asks again. Every second report is later than all first
// reports. So if a rank's two reports are equal, they hold at the moment in between; if this is
// true for all ranks of the set, the deadlock exists. Delays only decide when it is found.

#ifndef SENDWRIGHT_RUNTIME_STRICT_INVESTIGATION_H
#define SENDWRIGHT_RUNTIME_STRICT_INVESTIGATION_H

#include "runtime/strict/Deadlock.h"

#include <set>
#include <string>

namespace sendwright::strict {

class Investigation {
public:
  /// Some rank has been blocked for long.
  void suspect() { suspected = true; }
  /// Takes the next step, if it is time for one. Ends the program if there is a deadlock.
  void step();

private:
  enum class Phase { Idle, First, Second };
  void ask(Phase next);
  void collect();
  void judgeFirst();
  void judgeSecond();
  [[noreturn]] void endProgram(const std::set<std::int64_t> &stuck);
  void rest();

  Phase phase = Phase::Idle;
  bool suspected = false;
  std::int64_t question = 0;
  double askedAt = 0, idleUntil = 0;
  std::set<std::int64_t> asked;
  Reports first, answers;
};

/// What this rank now waits for, to be sent to rank 0.
RankReport makeReport(std::int64_t question);

} // namespace sendwright::strict

#endif
