// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/source/MpiHeaders.h"

#include <llvm/ADT/StringSet.h>
#include <llvm/Support/Path.h>

namespace sendwright {

bool isMpiHeader(llvm::StringRef file) {
  static const llvm::StringSet<> names = {"mpi.h",    "mpio.h",   "mpi_proto.h", "mpi-ext.h",
                                          "mpiext.h", "mpicxx.h", "smpi.h",      "pmpi_cxx.h"};
  return names.contains(llvm::sys::path::filename(file)) || file.contains("/ompi/mpi/cxx/") ||
         file.contains("/openmpi/ompi/");
}

} // namespace sendwright
