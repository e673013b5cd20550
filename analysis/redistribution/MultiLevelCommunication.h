// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Multi-level communication scheduling (MLC) of S.-C. Chen and C.-H. Hsu: local messages get a step
// of their own, so that they take no place from messages that cross the network. Two-phase degree
// reduction schedules the remote messages.

#ifndef SENDWRIGHT_ANALYSIS_REDISTRIBUTION_MULTILEVELCOMMUNICATION_H
#define SENDWRIGHT_ANALYSIS_REDISTRIBUTION_MULTILEVELCOMMUNICATION_H

#include "analysis/redistribution/TwoPhaseDegreeReduction.h"

namespace sendwright {

/// The steps of reduceDegrees() for the remote messages, followed by one step with all local
/// messages, if there are any. `costs` as from messageCosts(). The schedule's cost includes the
/// local step.
StepSchedule scheduleInLevels(const std::vector<Message> &messages,
                              const std::vector<double> &costs,
                              PaperReading reading = PaperReading::Text);

/// The cost of a step with all local messages: what scheduleInLevels() adds to its remote steps.
double localStepCost(const std::vector<Message> &messages, const std::vector<double> &costs);

} // namespace sendwright

#endif
