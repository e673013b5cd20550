// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two-phase degree reduction (TPDR) of S.-C. Chen and C.-H. Hsu, with as few steps as the
// busiest port has messages.
//
// First phase: while some port has more than two messages left, a step takes the smallest message
// of each port that has the most, and other messages that do not lengthen the step. Second phase:
// the remaining messages form paths and circles, and alternate between two steps.
//
// The paper (Multi-Level Communication Scheduling for Irregular Data Redistribution) leaves some
// points open, and the table of its example (Fig. 5) is not what its text gives. So there are two
// readings:
//
//  Text    Ports of the largest degree are served by decreasing load. Each port takes its smallest
//          message whose other end is free. Then all messages that are smaller than the step's
//          length join if both ends are free, largest first. In the second phase each path has its
//          largest message in the first step.
//  Figure  A port prefers messages that no remaining message connects to the step's messages.
//          Messages as large as the step's length join, too. Nothing is swapped in the second
//          phase: each path begins, with its first message along the array, in the first step. This
//          gives Fig. 5, message by message.
//
// Local message reduction (LMR) is in the costs: messageCosts() with a ratio above 1.

#ifndef SENDWRIGHT_ANALYSIS_REDISTRIBUTION_TWOPHASEDEGREEREDUCTION_H
#define SENDWRIGHT_ANALYSIS_REDISTRIBUTION_TWOPHASEDEGREEREDUCTION_H

#include "analysis/redistribution/StepSchedule.h"

#include <cstdint>
#include <vector>

namespace sendwright {

enum class PaperReading { Text, Figure };

/// Schedules the messages, including local ones if wanted. Between gen_block distributions there
/// are as many steps as the largest degree; other patterns may take more. The two steps of the
/// second phase come first. Deterministic. O(m log m + m d), d the largest degree.
StepSchedule reduceDegrees(const std::vector<Message> &messages, const std::vector<double> &costs,
                           bool localOnesToo, PaperReading reading = PaperReading::Text);

} // namespace sendwright

#endif
