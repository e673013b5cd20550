// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A redistribution in steps: in each step a rank sends at most one message and receives at most
// one. A step begins when all messages of the previous step are done. So a step takes as long as
// its longest message, and a schedule takes the sum of its steps.

#ifndef SENDWRIGHT_ANALYSIS_REDISTRIBUTION_STEPSCHEDULE_H
#define SENDWRIGHT_ANALYSIS_REDISTRIBUTION_STEPSCHEDULE_H

#include "analysis/redistribution/Messages.h"

#include <cstdint>
#include <vector>

namespace sendwright {

struct StepSchedule {
  std::vector<std::vector<std::uint32_t>> steps; ///< indices of messages, ascending in each
  double cost = 0;                               ///< in elements; see messageCosts()
};

/// The cost of each message: its number of elements, for a local message divided by `ratio` (above
/// 0): how much longer an element takes to another rank than within a rank (Chen and Hsu's RLR).
/// Exact up to 2^53 elements if the ratio is a power of two.
std::vector<double> messageCosts(const std::vector<Message> &messages, double ratio);

/// The sum, over all steps, of the largest cost in the step.
double scheduleCost(const std::vector<std::vector<std::uint32_t>> &steps,
                    const std::vector<double> &costs);

/// Whether each wanted message is in exactly one step, no other message is in any step, and no rank
/// sends or receives two messages in one step. O(messages log messages).
bool isValidSchedule(const std::vector<std::vector<std::uint32_t>> &steps,
                     const std::vector<Message> &messages, bool localOnesToo);

/// The largest number of messages that a rank sends, or receives: no schedule has fewer steps.
std::uint32_t largestDegree(const std::vector<Message> &messages, bool localOnesToo);

} // namespace sendwright

#endif
