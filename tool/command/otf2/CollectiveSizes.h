// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes of collective operations. A profile says what a rank contributes. Archives say what it
// sends and receives, as Score-P counts: as if every member sent its block to every member that
// needs it, itself included.

#ifndef SENDWRIGHT_TOOL_COMMAND_OTF2_COLLECTIVESIZES_H
#define SENDWRIGHT_TOOL_COMMAND_OTF2_COLLECTIVESIZES_H

#include "analysis/mpi/MpiFunctions.h"

#include <cstdint>

namespace sendwright {

/// Where a rank is in a collective operation.
struct CollectivePlace {
  std::uint64_t members = 1, index = 0; ///< of the communicator; of the rank in it
  bool isRoot = false;
};

struct CollectiveSizes {
  std::uint64_t sent = 0, received = 0;
};

/// The archive's sizes for what a rank contributes; saturating.
CollectiveSizes sizesOf(const MpiFunction &function, std::uint64_t bytes,
                        const CollectivePlace &place);

/// The inverse. Of a call with MPI_IN_PLACE, Score-P does not count the rank's own block.
std::uint64_t contributedBytes(const MpiFunction &function, const CollectiveSizes &sizes,
                               const CollectivePlace &place);

} // namespace sendwright

#endif
