// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random text traces that are possible, in all modes of MPI.

#ifndef SENDWRIGHT_TEST_ANALYSIS_EPOCHS_RANDOMTRACE_H
#define SENDWRIGHT_TEST_ANALYSIS_EPOCHS_RANDOMTRACE_H

#include <cstdint>
#include <string>

namespace sendwright {

/// A trace of `ranks` ranks and `communications` messages and collectives. It can be executed with
/// a buffer for every message; with fewer it may deadlock. `blocking`: only plain sends and
/// receives.
std::string randomTrace(std::uint64_t seed, int ranks, int communications, bool blocking = false);

} // namespace sendwright

#endif
