// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far a simulated rank is in its run, and what it waits for.

#ifndef SENDWRIGHT_ANALYSIS_COST_RANKRUN_H
#define SENDWRIGHT_ANALYSIS_COST_RANKRUN_H

#include "analysis/cost/PlannedBatches.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sendwright {

struct RankRun {
  enum Stage : std::uint8_t {
    Work,
    Issue,
    Perform,
    InCollective,
    InRedistribution,
    Next,
    Done
  } stage = Work;
  std::size_t position = 0;
  std::uint32_t nextSend = 0;       // message
  bool held = false;                // the send at hand belongs to a batch
  std::vector<std::uint32_t> waits; // 2 * message + 1 for its arrival, + 0 for its departure
  std::size_t settled = 0;          // of them
  // Issuing a batch.
  std::vector<HeldMessage> issuing;
  std::size_t issued = 0;
  std::uint32_t window = 0;
  std::vector<std::uint32_t> inFlight, blocking; // messages that shake hands
  // In a collective.
  std::uint64_t collective = 0; // key
  std::uint32_t member = 0;
  std::size_t operation = 0, posted = 0;
  std::vector<std::uint32_t> calls; // made so far, by communicator
};

} // namespace sendwright

#endif
