// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One irregular collective at one rank: a message for each block that is not empty. Among all ranks
// it begins with those that follow it, so that ranks do not all begin with one receiver; among
// neighbours with the first that the program names.

#ifndef SENDWRIGHT_RUNTIME_IRREGULAR_BLOCKEXCHANGE_H
#define SENDWRIGHT_RUNTIME_IRREGULAR_BLOCKEXCHANGE_H

#include "runtime/irregular/PlannedCommunicators.h"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sendwright::irregular {

/// Elements in the program's memory that one rank has for another.
struct Block {
  std::byte *at = nullptr;
  MPI_Count count = 0;
  std::uint64_t bytes = 0; ///< without gaps
  MPI_Datatype type = MPI_DATATYPE_NULL;
  int partner = 0; ///< its rank in the communicator
};

/// The blocks that are not empty, in the order in which they are sent. Several blocks of one
/// partner are in the order of the program's arguments, as at the other end.
struct Blocks {
  std::vector<Block> blocks;
  bool wrong = false; ///< MPI would refuse an argument
};

class BlockExchange {
public:
  BlockExchange(PlannedCommunicators &communicators, const PlannedCalls &planned)
      : communicators(communicators), planned(planned) {}
  BlockExchange(const BlockExchange &) = delete;
  BlockExchange &operator=(const BlockExchange &) = delete;

  /// Sends and receives, and returns when both are done. `inPlace`: what is sent lies where the
  /// received blocks go. Returns MPI's error code, without calling an error handler. Throws
  /// std::bad_alloc.
  int run(const Blocks &sent, const Blocks &received, bool inPlace);

private:
  void note(int mpiError);
  int worldRank(const Block &block) const;
  Block copyOf(const Block &block);
  void copyOwn(const Blocks &sent, const Blocks &received);
  void postReceives(const Blocks &received);
  void prepare(const Blocks &sent, bool inPlace);
  void send();
  bool leavesByRoute(const Block &block) const;
  bool comesByRoute(const Block &block) const;
  void pack(const Block &block);
  void unpack(const Blocks &received, int source, std::span<const std::byte> bytes);
  void followRoutes(const Blocks &received);
  std::size_t waitForAny(MPI_Status &status);
  void wait();
  void waitForEach();
  void abandon(std::size_t receives);
  std::string place() const;

  PlannedCommunicators &communicators;
  const PlannedCalls &planned;
  std::vector<MPI_Request> requests;                ///< of receives, then of sends
  std::vector<Block> outgoing;                      ///< that are messages
  std::vector<std::unique_ptr<std::byte[]>> copies; ///< in place
  int error = MPI_SUCCESS;                          ///< the first
};

} // namespace sendwright::irregular

#endif
