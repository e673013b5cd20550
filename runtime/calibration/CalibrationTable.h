// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The measured figures, as tables for a person.

#ifndef SENDWRIGHT_RUNTIME_CALIBRATION_CALIBRATIONTABLE_H
#define SENDWRIGHT_RUNTIME_CALIBRATION_CALIBRATIONTABLE_H

#include "analysis/calibration/CalibratedMachine.h"

namespace sendwright {

/// Prints to standard output: parameters with median and spread, unstable figures with the reason,
/// and the cost of many senders.
void printCalibration(const CalibratedMachine &machine);

} // namespace sendwright

#endif
