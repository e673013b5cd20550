// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The communication of the five programs that J. Sampson, Buffer allocation in message passing
// systems (UNLV 2007), measures. The thesis does not print its programs: the orders of their
// messages are inferred from its tables. In every exchange the send comes before the receive.

#ifndef SENDWRIGHT_TEST_BENCHMARK_EPOCHS_APPLICATIONS_H
#define SENDWRIGHT_TEST_BENCHMARK_EPOCHS_APPLICATIONS_H

#include "analysis/trace/Profile.h"

namespace sendwright {

// `ranks` counts all ranks, `rounds` how often the program repeats its exchange. Rounds are
// repetitions in the profile's grammar, so a run of any length is small.

/// Pipe and roll: rank 0 sends each worker two messages; the workers form a torus of k by k; k
/// rounds, each with a pipe eastward in every row, begun by another column each round, and a shift
/// northward; one message back. `ranks` is a square plus one.
Profile matrixMultiplication(int ranks);

/// Rank 0 sends a message to each other rank, then all exchange over one dimension of a hypercube
/// after another, most significant bit first. `ranks` is a power of two.
Profile fourierTransform(int ranks, int rounds = 2250);

/// Rank 0 sends each worker five messages; workers in a line exchange with both neighbours, twice a
/// round; three messages back.
Profile heatGrid(int ranks, int rounds = 1000);

/// Rank 0 sends each other rank a message; ranks - 1 shifts around the ring; one message back.
Profile bodyRing(int ranks, int rounds = 10);

/// Workers in a line exchange with both neighbours; at the end each sends rank 0 a message.
Profile equationString(int ranks, int rounds = 1000);

} // namespace sendwright

#endif
