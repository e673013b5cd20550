// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A redistribution in steps: in each, a rank sends at most one message and receives at most one.
// The next step begins when all of one are done, so that a step takes as long as its longest
// message, and a schedule the sum of its steps.

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

/// What each message costs: its elements, a local one's divided by `ratio`, how much longer an
/// element takes to another rank than within one (Chen and Hsu's RLR; above 0). Exact up to 2^53
/// elements where the ratio is a power of two.
std::vector<double> messageCosts(const std::vector<Message> &messages, double ratio);

/// The sum over steps of the largest cost in each.
double scheduleCost(const std::vector<std::vector<std::uint32_t>> &steps,
                    const std::vector<double> &costs);

/// Whether each message that is wanted is in exactly one step, no other is in any, and no rank has
/// two messages to send, or two to receive, in one step. O(messages log messages).
bool isValidSchedule(const std::vector<std::vector<std::uint32_t>> &steps,
                     const std::vector<Message> &messages, bool localOnesToo);

/// The largest number of messages that a rank sends, or receives: no schedule has fewer steps.
std::uint32_t largestDegree(const std::vector<Message> &messages, bool localOnesToo);

} // namespace sendwright

#endif
