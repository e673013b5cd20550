// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs from and to archives in the Open Trace Format 2, which Score-P writes, and Vampir, Scalasca
// and others read: NAME.otf2 (the anchor), NAME.def and the folder NAME/ beside it. A build without
// the library has both functions, which then throw.

#ifndef SENDWRIGHT_TOOL_COMMAND_OTF2_OTF2ARCHIVE_H
#define SENDWRIGHT_TOOL_COMMAND_OTF2_OTF2ARCHIVE_H

#include "analysis/run/Timeline.h"
#include "analysis/trace/Profile.h"
#include "tool/command/trace/TimedRun.h"

#include <string>

namespace sendwright {

/// Writes an archive whose anchor is `name`, which must end in ".otf2". It is written in a folder
/// beside, and renamed; an older archive of this name is replaced. Records: Enter and Leave of each
/// call; messages, requests and collective operations within. What OTF2 cannot say is left out:
/// loops, which receives had wildcards, room of receives, messages to MPI_PROC_NULL. Throws
/// FormatError. Not thread-safe, as the library's errors go to one place. Linear.
void writeOtf2Archive(const Profile &profile, const Timeline &timeline, const TimedRun &times,
                      const std::string &title, const std::string &name);

/// Reads the archive whose anchor is `name`. Ranks are the locations of MPI; calls are regions with
/// records of MPI within, their sites the lines of the regions (or else, the innermost function
/// around that has a line). Times become statistics, as in recorded profiles. Throws FormatError if
/// the archive is damaged, has no MPI, or exceeds the limits of text traces. Not thread-safe.
/// Expected linear time; memory for the open requests of a rank and the resulting profile.
Profile readOtf2Archive(const std::string &name);

} // namespace sendwright

#endif
