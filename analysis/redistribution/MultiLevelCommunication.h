// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Multi-level communication scheduling (MLC) of S.-C. Chen and C.-H. Hsu: local messages get a step
// of their own, so that they take no place from messages that cross the network; those are
// scheduled by two-phase degree reduction.

#ifndef SENDWRIGHT_ANALYSIS_REDISTRIBUTION_MULTILEVELCOMMUNICATION_H
#define SENDWRIGHT_ANALYSIS_REDISTRIBUTION_MULTILEVELCOMMUNICATION_H

#include "analysis/redistribution/TwoPhaseDegreeReduction.h"

namespace sendwright {

/// The steps of reduceDegrees() for the remote messages, and one behind them with all local ones if
/// there are any. `costs` as of messageCosts(). The cost counts the local step.
StepSchedule scheduleInLevels(const std::vector<Message> &messages,
                              const std::vector<double> &costs,
                              PaperReading reading = PaperReading::Text);

/// The cost of a step with all local messages: what this form costs more than its remote steps.
double localStepCost(const std::vector<Message> &messages, const std::vector<double> &costs);

} // namespace sendwright

#endif
