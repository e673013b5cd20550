// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is in the slots of one operation at one rank: blocks, pieces of a message, or pieces of what
// is reduced. Slots travel as bytes, without the gaps of a datatype.

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

/// What the program passes. The function that it is passed to has the same name.
using CollectiveCall = struct ::sendwright_collective;

/// What is known of an operation before it begins.
struct OperationFacts {
  const PlannedCollective &collective;
  const LocalSchedule &schedule;
  const CollectiveCall &call; ///< its counts are not negative
  std::uint32_t rank;         ///< in the collective's communicator
  MPI_Comm self;              ///< a communicator of this process alone
  Scratch &scratch;
};

/// Blocks of the program's: of rank k `count` elements at `address(k)`.
struct ProgramBlocks {
  ProgramBlocks() = default;
  explicit ProgramBlocks(const sendwright_blocks &blocks);
  std::byte *address(int block) const { return first + stride * block; }
  /// Where a block begins and ends, gaps included, as seen from its address. None: nowhere.
  struct Span {
    long long begin = 0, end = 0;
  };
  Span span() const;

  std::byte *first = nullptr;
  long long stride = 0;
  int count = 0;
  MPI_Datatype datatype = MPI_DATATYPE_NULL;
  std::uint64_t bytes = 0; ///< of a block, without gaps
  bool plain = true;       ///< there are none: `bytes` bytes from its address on
  bool exist = false;
};

class Contents {
public:
  virtual ~Contents() = default;

  /// Whether the loop does something else than the operation. Then finish() and what comes before
  /// leave the program's memory alone.
  virtual bool refuses() const { return false; }
  /// The bytes of a slot that this rank has. Throws std::bad_alloc.
  virtual std::span<std::byte> slot(std::uint32_t slot) = 0;
  /// Bytes of the whole message that the slots are pieces of. Of blocks none: 0.
  virtual std::uint64_t whole() const = 0;
  /// Of pieces: appends the sizes of the slots of a message that has come, whose sender says how
  /// large the whole is. Throws std::bad_alloc.
  virtual void sizesOf(const LocalStep &step, std::uint64_t whole,
                       std::vector<std::uint64_t> &sizes) = 0;
  /// The bytes of the step's message where all ranks give as much as this one; more may come.
  virtual std::uint64_t expected(const LocalStep &step) const = 0;
  /// Where the first bytes of the step's message may be received before anything is known of it,
  /// at most `room` of them. Without an address: that must wait. Throws std::bad_alloc.
  virtual std::span<std::byte> early(const LocalStep &step, std::uint64_t room) = 0;
  /// Where the message with slots of these sizes is to be received. Null: anywhere.
  virtual std::byte *place(const LocalStep &step, std::span<const std::uint64_t> sizes) = 0;
  /// It is at `data`, for as long as the operation lasts.
  virtual void arrived(const LocalStep &step, std::span<const std::uint64_t> sizes,
                       std::byte *data) = 0;
  /// All steps are done: the program's memory gets what it does not have yet. The operation's
  /// outcome, for the status: bytes and error.
  virtual exchange::PostedReceive finish() = 0;

  /// MPI's first error in packing or combining.
  int error = MPI_SUCCESS;

protected:
  void note(int mpiError) {
    if (error == MPI_SUCCESS)
      error = mpiError;
  }
  /// The elements of a block at `from`, packed at `to`. Notes what MPI has against it.
  void pack(const ProgramBlocks &blocks, const std::byte *from, std::byte *to, MPI_Comm self);
  /// The opposite, of `bytes` that came for a block; what came, for the status.
  exchange::PostedReceive unpack(const ProgramBlocks &blocks, std::byte *to,
                                 std::span<const std::byte> bytes, MPI_Comm self);
};

/// Throws std::bad_alloc.
std::unique_ptr<Contents> blockContents(const OperationFacts &facts);
std::unique_ptr<Contents> broadcastContents(const OperationFacts &facts);
std::unique_ptr<Contents> reductionContents(const OperationFacts &facts);

/// MPI's operation and whether it is one for that datatype, which all ranks answer alike;
/// MPI_OP_NULL where it is not.
MPI_Op reductionOf(const CollectiveCall &call);

} // namespace sendwright::collectives

#endif
