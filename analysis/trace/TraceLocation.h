// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where in its file a run did something, for messages: FILE:LINE for a text trace; for a profile
// the file, the rank and the call, with its site or caller if known.

#ifndef SENDWRIGHT_ANALYSIS_TRACE_TRACELOCATION_H
#define SENDWRIGHT_ANALYSIS_TRACE_TRACELOCATION_H

#include "analysis/trace/Profile.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace sendwright {

class TraceLocation {
public:
  /// `text` is the trace's text, or empty for a profile. Both references must outlive this object.
  TraceLocation(std::string name, const Profile &profile, std::string_view text = {})
      : name(std::move(name)), profile(profile), text(text) {}

  /// Throws FormatError, "FILE:LINE: PROBLEM" or "FILE: rank R, MPI_Send at app.c:12: PROBLEM", for
  /// event number `position` of the rank (from 0, counting events of all kinds). Linear in the run.
  [[noreturn]] void fail(std::uint32_t rank, std::uint64_t position,
                         const std::string &problem) const;
  /// "rank 3, MPI_Send at app.c:12" (for a text trace "rank 3, send at line 7").
  std::string describe(std::uint32_t rank, std::uint64_t position) const;
  /// Throws FormatError: "FILE: PROBLEM".
  [[noreturn]] void fail(const std::string &problem) const;

private:
  const Event *eventAt(std::uint32_t rank, std::uint64_t position) const;
  std::uint64_t lineOf(std::uint32_t rank, std::uint64_t position) const;

  std::string name;
  const Profile &profile;
  std::string_view text;
};

/// Where `event` of `rank` was called: the call's line if it was marked ("app.c:12"), otherwise the
/// line of the loop around it, otherwise the caller's address, or empty. For a marked call in a
/// function that wraps it, where that function is called: "app.c:12 (through layer.c:40)"; if this
/// is unknown, the loop around it. The rank's callers hold that line, in marked loops, too.
std::string callPlace(const Profile &profile, const RankProfile &rank, const Event &event);

} // namespace sendwright

#endif
