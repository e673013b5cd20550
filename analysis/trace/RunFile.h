// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs from files of either form.

#ifndef SENDWRIGHT_ANALYSIS_TRACE_RUNFILE_H
#define SENDWRIGHT_ANALYSIS_TRACE_RUNFILE_H

#include "analysis/trace/Profile.h"

#include <string>

namespace sendwright {

/// Reads a profile or a text trace, whichever the file `name` is ("-": standard input). Throws
/// FormatError as readProfile() and readTextTrace() do. Linear in the file's size.
Profile readRun(const std::string &name);

} // namespace sendwright

#endif
