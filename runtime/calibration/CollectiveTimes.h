// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long MPI's own collective functions take on all ranks together.

#ifndef SENDWRIGHT_RUNTIME_CALIBRATION_COLLECTIVETIMES_H
#define SENDWRIGHT_RUNTIME_CALIBRATION_COLLECTIVETIMES_H

#include "analysis/calibration/CalibratedMachine.h"

#include <mpi.h>

#include <vector>

namespace sendwright {

/// Measures each function with blocks of 8 bytes to 128 kB, smallest first, 5 to 15 times: from a
/// barrier until the slowest rank is done. Starts no measurement after `seconds`, and leaves out
/// what needs more than 4 MB on a rank. Collective; every rank gets the same result.
std::vector<CalibratedCollective> measureCollectives(MPI_Comm communicator, double seconds);

} // namespace sendwright

#endif
