// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a process knows while its buffers are limited.

#ifndef SENDWRIGHT_RUNTIME_STRICT_STRICTRANK_H
#define SENDWRIGHT_RUNTIME_STRICT_STRICTRANK_H

#include "runtime/base/Process.h"
#include "runtime/strict/BufferPool.h"
#include "runtime/strict/CommunicatorRecords.h"
#include "runtime/strict/GroupMeetings.h"
#include "runtime/strict/Investigation.h"
#include "runtime/strict/Requests.h"
#include "runtime/strict/Sends.h"
#include "runtime/strict/Tokens.h"

#include <mpi.h>

namespace sendwright::strict {

struct BlockedCall;

struct StrictRank final : Layer {
  static constexpr LayerPlace place = LayerPlace::StrictBuffers;

  StrictRank(MPI_Comm world, MPI_Comm self, int buffers);
  /// Waits until all ranks are here, serving them.
  void finish() override;

  /// Sends a token, or hands it over where it is for this rank.
  void tell(int to, const Token &token);
  void handle(const Token &token, int from);
  void makeProgress();

  int rank = 0, ranks = 0;
  MPI_Comm world; ///< private, like MPI_COMM_WORLD
  MPI_Comm self;  ///< private, like MPI_COMM_SELF
  int tagLimit = 32767;

  Tokens tokens;
  BufferPool pool;
  CommunicatorRecords communicators;
  Sends sends;
  Requests requests;
  GroupMeetings meetings;
  Investigation investigation; ///< of use at rank 0

  /// What was said at boundaries between super epochs: how often, by rank.
  std::map<std::int64_t, std::int64_t> toldTo, toldBy;

  Origin caller;                        ///< the program's latest call
  std::int64_t calls = 0;               ///< their number
  const BlockedCall *blocked = nullptr; ///< what the program waits for, if it does
  bool progressing = false;
};

/// Null while buffers are not limited.
inline StrictRank *strictRank() { return process.find<StrictRank>(); }

/// What a rank that finalizes takes part in, as the id of a collective.
inline constexpr std::int64_t finalizeId = 1;

} // namespace sendwright::strict

#endif
