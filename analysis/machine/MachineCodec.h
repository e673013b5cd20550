// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A machine as bytes, as plans hold it.

#ifndef SENDWRIGHT_ANALYSIS_MACHINE_MACHINECODEC_H
#define SENDWRIGHT_ANALYSIS_MACHINE_MACHINECODEC_H

#include "analysis/file/Bytes.h"
#include "analysis/machine/Machine.h"

namespace sendwright {

/// Without what only planners need: measured collectives and algorithms.
void encodeMachine(ByteWriter &out, const Machine &machine);
/// Throws FormatError where a parameter is out of range.
Machine decodeMachine(ByteReader &in);

} // namespace sendwright

#endif
