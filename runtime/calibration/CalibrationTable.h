// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was measured, as tables for a person.

#ifndef SENDWRIGHT_RUNTIME_CALIBRATION_CALIBRATIONTABLE_H
#define SENDWRIGHT_RUNTIME_CALIBRATION_CALIBRATIONTABLE_H

#include "analysis/calibration/CalibratedMachine.h"

namespace sendwright {

/// Prints to standard output: parameters with median and spread, what is not stable and why, and
/// what many senders cost.
void printCalibration(const CalibratedMachine &machine);

} // namespace sendwright

#endif
