// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which headers belong to an MPI. Open MPI and MPICH put mpi.h into a folder given by -I, so Clang
// takes it for a user's header.

#ifndef SENDWRIGHT_TOOL_SOURCE_MPIHEADERS_H
#define SENDWRIGHT_TOOL_SOURCE_MPIHEADERS_H

#include <llvm/ADT/StringRef.h>

namespace sendwright {

/// Whether the file is a header of Open MPI, of MPICH and its derivatives, or of SimGrid.
bool isMpiHeader(llvm::StringRef file);

} // namespace sendwright

#endif
