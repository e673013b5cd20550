// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A machine as bytes, in plans.

#ifndef SENDWRIGHT_ANALYSIS_MACHINE_MACHINECODEC_H
#define SENDWRIGHT_ANALYSIS_MACHINE_MACHINECODEC_H

#include "analysis/file/Bytes.h"
#include "analysis/machine/Machine.h"

namespace sendwright {

/// Leaves out what only planners need: measured collectives and algorithms.
void encodeMachine(ByteWriter &out, const Machine &machine);
/// Throws FormatError if a parameter is out of range.
Machine decodeMachine(ByteReader &in);

} // namespace sendwright

#endif
