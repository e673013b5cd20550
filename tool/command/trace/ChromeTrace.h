// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run in the Trace Event Format of Chrome (JSON), which https://ui.perfetto.dev and other viewers
// open: ranks are tracks, calls are slices on them, messages are flows between slices.

#ifndef SENDWRIGHT_TOOL_COMMAND_TRACE_CHROMETRACE_H
#define SENDWRIGHT_TOOL_COMMAND_TRACE_CHROMETRACE_H

#include "analysis/run/Timeline.h"
#include "analysis/trace/Profile.h"
#include "tool/command/trace/TimedRun.h"

#include <functional>
#include <string>
#include <string_view>

namespace sendwright {

/// Writes the run in pieces. `title` names it in the viewer. Arguments of a slice: the place in the
/// source, bytes, peer (a world rank), tag, communicator (0 is MPI_COMM_WORLD), requests. Linear;
/// 24 bytes of memory for each message, 4 for each event.
void formatChromeTrace(const Profile &profile, const Timeline &timeline, const TimedRun &times,
                       const std::string &title,
                       const std::function<void(std::string_view)> &write);

} // namespace sendwright

#endif
