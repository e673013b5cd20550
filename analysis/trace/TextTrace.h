// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text traces (docs/file-formats.md): profiles that people and other programs can read and write.

#ifndef SENDWRIGHT_ANALYSIS_TRACE_TEXTTRACE_H
#define SENDWRIGHT_ANALYSIS_TRACE_TEXTTRACE_H

#include "analysis/trace/CommunicatorNumbers.h"
#include "analysis/trace/Profile.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sendwright {

// Limits of imported traces, of text or of other tools.
inline constexpr std::uint64_t mostTraceRanks = 16384;
inline constexpr std::size_t mostTraceCommunicators = 4096; ///< of a rank

/// Reads a text trace ("-": standard input). Throws FormatError "NAME:LINE: ..." if it cannot be
/// read or breaks the grammar. The profile has no statistics; computation is separate events; every
/// communicator holds all ranks; and a non-blocking receive's `from` is a match of the event that
/// completes it (of the receive itself if it is never completed). Expected linear time.
Profile readTextTrace(const std::string &name);

/// The same from memory; `name` is for messages.
Profile parseTextTrace(std::string_view text, const std::string &name);

/// Writes the trace in pieces. It leaves out what a text trace cannot say: statistics (computation
/// becomes the mean before each event, to the nanosecond), callers, marked loops other than as
/// `site` of calls, probes, calls that neither communicate nor complete a request. A Sendrecv
/// becomes three events. Throws FormatError with `name` if the run has more than a thousand million
/// events. Importing the result and exporting it again gives the same text. Linear in the expanded
/// run.
void formatTextTrace(const Profile &profile, const std::string &name,
                     const std::function<void(std::string_view)> &write);

/// The numbers by which text traces call communicators (`comm=`), in the order of `numbers`, which
/// must tell the sides of intercommunicators apart: communicators of all `ranks` ranks are called
/// by their instance, MPI_COMM_WORLD is 0; the others get free numbers. O(n log n).
std::vector<unsigned> textCommunicators(const CommunicatorNumbers &numbers, std::size_t ranks);

} // namespace sendwright

#endif
