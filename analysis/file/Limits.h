// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Limits on what a file may ask for. A few bytes can stand for any number of ranks, calls or
// messages, so every such number is compared with its limit here before memory or time is spent on
// it. The limits keep files of up to a megabyte within ten seconds and a gigabyte.
//
// Exceeding a limit is a FormatError of one form: "FILE: FOUND WHAT, expected at most MOST",
// followed by the option that changes the limit, if there is one.

#ifndef SENDWRIGHT_ANALYSIS_FILE_LIMITS_H
#define SENDWRIGHT_ANALYSIS_FILE_LIMITS_H

#include "analysis/file/FormatError.h"

#include <cstdint>
#include <string>

namespace sendwright {

struct Limit {
  const char *what; ///< what is counted, after its number
  std::uint64_t most;
  const char *remedy = nullptr; ///< what the user can do, part of a sentence

  /// This limit with another number, which the user gave.
  constexpr Limit raisedTo(std::uint64_t number) const { return {what, number, remedy}; }

  /// Throws FormatError if `found` is more. `where`: "FILE" or "FILE:LINE".
  void check(const std::string &where, std::uint64_t found) const {
    if (found > most)
      fail(where, std::to_string(found));
  }
  [[noreturn]] void fail(const std::string &where, const std::string &found) const {
    throw FormatError(where + ": " + found + " " + what + ", expected at most " +
                      std::to_string(most) + (remedy ? std::string(" (") + remedy + ")" : ""));
  }
};

/// Memory that grows with the size of a file.
struct MemoryLimit {
  std::uint64_t least, factor;
  std::uint64_t of(std::uint64_t fileBytes) const { return least + factor * fileBytes; }
};

/// The most ranks that a plan may be for.
inline constexpr int mostPlannedRanks = 1 << 22;

namespace limits {

// Profiles and plans. A section of zeros may unpack to a thousand times its size, and 4 bytes may
// decode to an event of 200. Each rank's section repeats the members of MPI_COMM_WORLD, as zeros.
inline constexpr MemoryLimit unpacked{std::uint64_t{512} << 20, 64};
inline constexpr std::uint64_t members = 64'000'000; ///< of communicators, each list counted once
inline constexpr MemoryLimit decoded{std::uint64_t{512} << 20, 64};

/// The most bytes read from a device such as a terminal: /dev/zero never ends.
inline constexpr std::size_t bytesOfDevice = std::size_t{16} << 20;

/// Levels of lists and objects in JSON.
inline constexpr std::size_t jsonNesting = 64;

// Runs.
/// Events that relative tags stand for, some 300 bytes each. Of longer runs the first part is kept.
inline constexpr std::uint64_t eventsOfRelativeTags = 1'000'000;
inline constexpr Limit followedCalls{"calls of all ranks", 20'000'000, "--calls N allows more"};
inline constexpr Limit plannedBuffersCalls{"calls of all ranks", followedCalls.most,
                                           "analyze epochs --calls N follows more"};
/// Most epochs that are listed one by one, at some 500 bytes each.
inline constexpr Limit listedEpochs{"ranks of epochs, counted once for each epoch", 500'000};

/// Most calls in a drawing that a person can follow.
inline constexpr Limit drawnVertices{"calls to draw", 2000, "--epoch N draws another"};

/// A collective that sends a message between every pair is simulated message by message up to this
/// many ranks. Beyond, its time comes from a formula.
inline constexpr std::size_t scheduledRanks = 1024;

/// The most messages that simulated collectives may make, for each event that the user asks for.
inline constexpr double messagesOfSimulatedEvent = 2;

// Matrices. More ranks or messages take minutes to share.
inline constexpr Limit sharedRanks{"ranks", 32'768, nullptr};
inline constexpr Limit sharedMessages{"messages between ranks", 250'000, nullptr};

// Redistributions.
inline constexpr Limit redistributedRanks{"blocks", 50'000, nullptr};

/// Calls of all ranks that a plan decides by, some 250 bytes each. Further calls are only counted.
inline constexpr std::uint64_t plannedCalls = 3'000'000;

// Plans of a run.
inline constexpr Limit patternsOfRanks{"patterns of send loops, counted once for each rank",
                                       2'000'000};

} // namespace limits

} // namespace sendwright

#endif
