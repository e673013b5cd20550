// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The patterns of a loop at this rank, in whatever order they come: when they were sent, what they
// consist of, and how long executions with them take.

#ifndef SENDWRIGHT_RUNTIME_SHARING_LEARNED_OWNPATTERNS_H
#define SENDWRIGHT_RUNTIME_SHARING_LEARNED_OWNPATTERNS_H

#include "analysis/sharing/ExecutionTimes.h"
#include "analysis/sharing/PatternHistory.h"
#include "runtime/sharing/learned/PatternProposal.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace sendwright::adaptation {

struct Execution;

class OwnPatterns {
public:
  /// An execution is over, after so many collective calls of all ranks.
  void note(const Execution &execution, std::uint64_t calls);
  /// The time between the ends of the last two executions; it counts for the earlier one's
  /// pattern.
  void noteSeconds(double seconds, bool disturbed);

  /// The number of what was sent so far, or 0.
  std::uint32_t numberOf(const Execution &execution) const;
  /// The number of the last execution's pattern; 0: it sent nothing.
  std::uint32_t last() const { return lastNumber; }
  /// The same of the execution before; 0 also if that was forgotten.
  std::uint32_t beforeLast() const { return lastButOne; }
  const PatternRecord &record() const { return past; }
  /// How long executions with this pattern took, as far as noted. Valid until the next note().
  const ExecutionTimes &times(std::uint32_t number) const;
  void forgetTimes();
  /// What this rank proposes, after so many collective calls.
  PatternProposal proposal(std::uint64_t calls) const;
  /// Whether any pattern has more than so many messages.
  bool haveMoreThan(std::size_t messages) const;

private:
  struct Known {
    std::map<std::int32_t, double> bytes; ///< by destination, over all samples
    unsigned samples = 0;
    bool irregular = false; ///< has something that cannot be shared
    ExecutionTimes times;
  };
  std::map<std::uint32_t, Known> known;
  PatternRecord past;
  std::uint64_t forgotten = 0;
  std::uint32_t lastNumber = 0, lastButOne = 0;
};

} // namespace sendwright::adaptation

#endif
