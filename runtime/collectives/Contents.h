// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the slots of one operation hold at one rank: blocks, pieces of a message, or pieces of a
// reduction. Slots travel as bytes, without the gaps of a datatype.

#ifndef SENDWRIGHT_RUNTIME_COLLECTIVES_CONTENTS_H
#define SENDWRIGHT_RUNTIME_COLLECTIVES_CONTENTS_H

#include "runtime/collectives/LocalSchedule.h"
#include "runtime/collectives/Scratch.h"
#include "runtime/include/sendwright/collectives.h"
#include "runtime/sharing/planned/PostedReceive.h"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace sendwright::collectives {

/// What the program passes. The function that takes it has the same name.
using CollectiveCall = struct ::sendwright_collective;

/// What is known about an operation before it begins.
struct OperationFacts {
  const PlannedCollective &collective;
  const LocalSchedule &schedule;
  const CollectiveCall &call; ///< its counts are not negative
  std::uint32_t rank;         ///< in the collective's communicator
  MPI_Comm self;              ///< a communicator of this process alone
  Scratch &scratch;
};

/// Blocks of the program: for rank k, `count` elements at `address(k)`.
struct ProgramBlocks {
  ProgramBlocks() = default;
  explicit ProgramBlocks(const sendwright_blocks &blocks);
  std::byte *address(int block) const { return first + stride * block; }
  /// Where a block begins and ends, gaps included, relative to its address. Empty if there are
  /// none.
  struct Span {
    long long begin = 0, end = 0;
  };
  Span span() const;

  std::byte *first = nullptr;
  long long stride = 0;
  int count = 0;
  MPI_Datatype datatype = MPI_DATATYPE_NULL;
  std::uint64_t bytes = 0; ///< of a block without its gaps
  bool plain = true;       ///< no gaps: `bytes` bytes from its address on
  bool exist = false;
};

class Contents {
public:
  virtual ~Contents() = default;

  /// Whether the loop does something other than the operation. If so, the program's memory stays
  /// untouched, also by finish().
  virtual bool refuses() const { return false; }
  /// This rank's bytes of a slot. Throws std::bad_alloc.
  virtual std::span<std::byte> slot(std::uint32_t slot) = 0;
  /// Bytes of the whole message of which the slots are pieces; 0 for blocks.
  virtual std::uint64_t whole() const = 0;
  /// For pieces: appends the sizes of the slots in a received message, whose sender says how large
  /// the whole is. Throws std::bad_alloc.
  virtual void sizesOf(const LocalStep &step, std::uint64_t whole,
                       std::vector<std::uint64_t> &sizes) = 0;
  /// The bytes of the step's message if all ranks contribute as much as this one; more may arrive.
  virtual std::uint64_t expected(const LocalStep &step) const = 0;
  /// Where the first bytes of the step's message, at most `room`, may be received before anything
  /// is known about it. Without an address: the receive must wait. Throws std::bad_alloc.
  virtual std::span<std::byte> early(const LocalStep &step, std::uint64_t room) = 0;
  /// Where the message with slots of these sizes must be received. Null: anywhere.
  virtual std::byte *place(const LocalStep &step, std::span<const std::uint64_t> sizes) = 0;
  /// The message is at `data`, which lasts as long as the operation.
  virtual void arrived(const LocalStep &step, std::span<const std::uint64_t> sizes,
                       std::byte *data) = 0;
  /// All steps are done: writes what the program's memory still lacks. Returns bytes and error of
  /// the operation, for the status.
  virtual exchange::PostedReceive finish() = 0;

  /// MPI's first error in packing or combining.
  int error = MPI_SUCCESS;

protected:
  void note(int mpiError) {
    if (error == MPI_SUCCESS)
      error = mpiError;
  }
  /// Packs the elements of a block at `from` into `to`. Notes MPI's error, if any.
  void pack(const ProgramBlocks &blocks, const std::byte *from, std::byte *to, MPI_Comm self);
  /// The opposite, for `bytes` received for a block; returns what was received, for the status.
  exchange::PostedReceive unpack(const ProgramBlocks &blocks, std::byte *to,
                                 std::span<const std::byte> bytes, MPI_Comm self);
};

/// Throws std::bad_alloc.
std::unique_ptr<Contents> blockContents(const OperationFacts &facts);
std::unique_ptr<Contents> broadcastContents(const OperationFacts &facts);
std::unique_ptr<Contents> reductionContents(const OperationFacts &facts);

/// MPI's operation if it applies to the datatype, which all ranks decide in the same way; else
/// MPI_OP_NULL.
MPI_Op reductionOf(const CollectiveCall &call);

} // namespace sendwright::collectives

#endif
