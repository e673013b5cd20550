// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a rank tells rank 0 about itself: what it waits for, and what decides whether other ranks'
// waits can end. Two equal reports of one rank mean that nothing changed on it in between.

#ifndef SENDWRIGHT_RUNTIME_STRICT_REPORT_H
#define SENDWRIGHT_RUNTIME_STRICT_REPORT_H

#include "runtime/strict/BufferPool.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sendwright::strict {

inline constexpr std::int64_t anyRank = -1, anyTagValue = -1;

/// Where a call stands: its function, and "module\n0x12" (an offset as addr2line accepts it) or
/// "file:line".
struct Place {
  std::string function;
  std::string address;
  bool operator==(const Place &) const = default;
};

/// One thing that a blocked call waits for.
struct WaitItem {
  enum Kind : std::int64_t {
    Unknown,   ///< may end through something not modelled
    Sending,   ///< a message to `peer`
    Receiving, ///< a message from `peer`, or from one of `members`
    Probing,   ///< the same, without taking it
    Meeting,   ///< all `members` beginning collective `number` of the communicator
    Boundary   ///< `peer` announcing a boundary between super epochs, or its end (`number` is 1)
  };
  std::int64_t kind = Unknown;
  std::int64_t peer = 0, tag = 0, communicator = 0, number = 0;
  std::vector<std::int64_t> members; ///< world ranks
  std::int64_t wholeWorld = 0;       ///< the communicator is MPI_COMM_WORLD
  Place origin;
};

/// A message that is not matched yet.
struct PendingSend {
  std::int64_t number, destination, tag, communicator, limited;
};

struct ReportedReceive {
  std::int64_t source, tag, communicator;
};

struct RankReport {
  std::int64_t question = 0; ///< which this report answers
  std::int64_t rank = 0;
  std::int64_t calls = 0;   ///< made by the program
  std::int64_t blocked = 0; ///< in a call that waits
  std::int64_t any = 0;     ///< whether one of the items suffices; else all are needed
  Place call;
  std::vector<WaitItem> items; ///< the incomplete ones
  std::vector<PendingSend> sends;
  std::vector<ReportedReceive> receives;
  std::int64_t buffers = 0;
  std::vector<Ticket> holders, waiting;
  std::map<std::int64_t, std::int64_t> matchedTo, receivedFrom; ///< messages, keyed by rank
  std::int64_t receivesUncounted = 0;
  std::map<std::int64_t, std::int64_t> toldTo, toldBy; ///< at boundaries, keyed by rank
  std::map<std::int64_t, std::int64_t> collectives;    ///< begun, keyed by communicator

  std::string write() const;
  static RankReport read(const std::string &text);
};

} // namespace sendwright::strict

#endif
