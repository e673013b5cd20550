// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a process keeps while its buffers are limited.

#ifndef SENDWRIGHT_RUNTIME_STRICT_STRICTRANK_H
#define SENDWRIGHT_RUNTIME_STRICT_STRICTRANK_H

#include "runtime/base/Process.h"
#include "runtime/strict/BufferPool.h"
#include "runtime/strict/BufferTokens.h"
#include "runtime/strict/CommunicatorRecords.h"
#include "runtime/strict/GroupMeetings.h"
#include "runtime/strict/Investigation.h"
#include "runtime/strict/Requests.h"
#include "runtime/strict/Sends.h"

#include <mpi.h>

namespace sendwright::strict {

struct BlockedCall;

struct StrictRank final : Layer {
  static constexpr LayerPlace place = LayerPlace::StrictBuffers;

  StrictRank(MPI_Comm world, MPI_Comm self, int buffers);
  /// Waits until all ranks have come, and serves them meanwhile.
  void finish() override;

  /// Sends a token, or delivers it directly if it is for this rank.
  void tell(int to, const Token &token);
  void handle(const Token &token, int from);
  void makeProgress();

  int rank = 0, ranks = 0;
  MPI_Comm world; ///< private, like MPI_COMM_WORLD
  MPI_Comm self;  ///< private, like MPI_COMM_SELF
  int tagLimit = 32767;

  BufferTokens tokens;
  BufferPool pool;
  CommunicatorRecords communicators;
  Sends sends;
  Requests requests;
  GroupMeetings meetings;
  Investigation investigation; ///< used on rank 0 only

  /// How often something was told at boundaries between super epochs, keyed by rank.
  std::map<std::int64_t, std::int64_t> toldTo, toldBy;

  Origin caller;                        ///< the program's latest call
  std::int64_t calls = 0;               ///< number of the program's calls
  const BlockedCall *blocked = nullptr; ///< what the program waits for, or null
  bool progressing = false;
};

/// Null while buffers are not limited.
inline StrictRank *strictRank() { return process.find<StrictRank>(); }

/// The id of the meeting at the end of MPI, in place of a communicator's id.
inline constexpr std::int64_t finalizeId = 1;

} // namespace sendwright::strict

#endif
