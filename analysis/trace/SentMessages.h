// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who sends how many messages to whom, in a whole run or a part of it, without expanding the run.

#ifndef SENDWRIGHT_ANALYSIS_TRACE_SENTMESSAGES_H
#define SENDWRIGHT_ANALYSIS_TRACE_SENTMESSAGES_H

#include "analysis/file/MatrixFile.h"
#include "analysis/trace/Profile.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace sendwright {

/// Calls `visit` with each event that sends a message to a rank of the run, and how often it
/// happened: rank by rank, in the order in which a rank's events first occurred. Statistics count
/// on where the recording of the sequence stopped at its limit. Linear in the compressed run.
void forEachSend(
    const Profile &profile,
    const std::function<void(std::size_t rank, const Event &event, std::uint64_t count)> &visit);

/// A site as a user names it.
struct SitePlace {
  std::string file; ///< a path, or its last components
  unsigned line = 0;
};

/// Which messages a matrix counts, and how.
struct MatrixChoice {
  std::optional<SitePlace> site;        ///< only those of the marked loops and blocks there
  std::optional<unsigned> communicator; ///< only those of this one, by its number in text traces
  bool bytes = false;                   ///< an item is a byte; otherwise it is a message
};

/// The point-to-point messages of a run as a matrix, with its number of ranks declared. Ranks are
/// world ranks; with a communicator, its own. Destinations of a rank are in the order of its first
/// messages to them. Counts saturate. Throws FormatError, beginning with `name`, if there is no
/// such site or communicator (the line names those that come nearest), if files of several folders
/// have the site, or if the communicator is an intercommunicator. Linear in the compressed run.
CommunicationMatrix matrixOfRun(const Profile &profile, const std::string &name,
                                const MatrixChoice &choice);

} // namespace sendwright

#endif
