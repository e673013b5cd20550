// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file that calibration writes and every prediction reads (docs/file-formats.md).

#ifndef SENDWRIGHT_ANALYSIS_CALIBRATION_MACHINEFILE_H
#define SENDWRIGHT_ANALYSIS_CALIBRATION_MACHINEFILE_H

#include "analysis/machine/Machine.h"

#include <string>

namespace sendwright {

/// Reads a machine file (JSON; "-" reads standard input). Throws FormatError.
Machine readMachine(const std::string &name);

/// The same from memory; `name` is for messages.
Machine parseMachine(const std::string &text, const std::string &name);

} // namespace sendwright

#endif
