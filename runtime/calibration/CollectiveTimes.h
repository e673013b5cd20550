// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long MPI's own collective functions take on all ranks together.

#ifndef SENDWRIGHT_RUNTIME_CALIBRATION_COLLECTIVETIMES_H
#define SENDWRIGHT_RUNTIME_CALIBRATION_COLLECTIVETIMES_H

#include "analysis/calibration/CalibratedMachine.h"

#include <mpi.h>

#include <vector>

namespace sendwright {

/// Each function with blocks of 8 bytes to 128 kB, the smallest first, from 5 to 15 times: from a
/// barrier until the rank that takes longest is done. Begins nothing new after `seconds`, and
/// leaves out what needs more than 4 MB at a rank. Collective; every rank gets the same.
std::vector<CalibratedCollective> measureCollectives(MPI_Comm communicator, double seconds);

} // namespace sendwright

#endif
