// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long a recorded run takes on a machine, as it was or under a plan. Every rank goes through
// its events again, computes as long as was recorded, and its messages travel in a
// MessageSimulation. Collectives become the schedules of the algorithms that are predicted to be
// best. Who meets whom is taken from the run and does not depend on time here.
//
// A plan's orders and windows are applied to batches as in the runtime, shared messages travel
// combined by the plan's routes, and loops that it makes collective operations follow its
// schedules. Its synchronisation is not simulated.

#ifndef SENDWRIGHT_ANALYSIS_REPLAY_RUNSIMULATION_H
#define SENDWRIGHT_ANALYSIS_REPLAY_RUNSIMULATION_H

#include "analysis/machine/Machine.h"
#include "analysis/redistribution/RedistributionMethod.h"
#include "analysis/run/SendLoops.h"
#include "analysis/run/Timeline.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sendwright {

struct RankCountPlan;

/// Seconds of one rank. The parts add up to the total.
struct SimulatedRank {
  double total = 0; ///< when the rank is done
  double computation = 0;
  double overhead = 0; ///< processor time for messages
  double waiting = 0;  ///< for messages to come or to leave
};

/// A place of the source and a function of MPI called there, over all ranks.
struct SimulatedPlace {
  std::string place;       ///< "file:line"; the caller's address if no line is known; may be empty
  std::string function;    ///< "MPI_Waitall"
  double waiting = 0;      ///< seconds, of all ranks together
  std::uint64_t waits = 0; ///< how often a rank had to wait here
  double pathComputation = 0; ///< on the critical path: computation before calls here
  double pathOverhead = 0;    ///< processor time for messages sent and received here
  double pathNetwork = 0;     ///< messages under way that were waited for here
};

/// One stay on a rank along the critical path; a message ended the previous stay.
struct PathStep {
  std::uint32_t rank = 0;
  double begin = 0, end = 0; ///< seconds; between two steps a message is under way
  std::uint32_t place = 0;   ///< where it ends: index into RunSimulation::places
};

struct RunSimulation {
  double seconds = 0;      ///< until the last rank is done
  double wholeSeconds = 0; ///< the same of the whole run; an estimate (WholeRun.h) if only the
                           ///< beginning was simulated
  std::vector<SimulatedRank> ranks;
  std::vector<SimulatedPlace> places;
  std::vector<PathStep> path; ///< the critical path, from the start of the run to its end
  std::uint64_t events = 0;   ///< of the ranks, without events inside collectives
  std::uint64_t messages = 0; ///< messages sent, including those of collectives
  std::map<std::string, std::uint64_t> leftOut; ///< calls that wait and are not modelled, by name
  std::uint64_t unmatched = 0;                  ///< messages with only one end in the timeline
  std::uint64_t stuck = 0;      ///< ranks that never reach the end of their timeline
  std::uint32_t stuckRank = 0;  ///< the first of these ranks
  std::uint32_t stuckPlace = 0; ///< the call in which that rank waits: index into places
};

/// A wait of a rank.
struct SimulatedWait {
  double begin = 0, end = 0;
  std::uint32_t position = 0; ///< of the event that waits
  bool lateReceiver = false;  ///< it waited for a receive to be posted, not for a message
};

/// When each rank did what, for drawings.
struct RunRecord {
  double begun = 0;                              ///< when the first events begin
  std::vector<std::vector<double>> ends;         ///< by rank and position: when each event was over
  std::vector<std::vector<SimulatedWait>> waits; ///< by rank, in order of time
};

/// Simulates. `loops` and `plan` are null for the run as it was; the plan must be for the same
/// number of ranks. `method`: how directives move their arrays. `record`: null, or where to put
/// when what happened; 8 bytes for each event and 24 for each wait. Messages beyond the eager limit
/// and synchronous messages use a handshake; ready sends never do. Memory is linear in the timeline
/// and its messages (about 80 bytes each); time is O(n log m) for n events and m messages that are
/// under way at the same time. Deterministic.
RunSimulation simulateRun(const Profile &profile, const Timeline &timeline, const Machine &machine,
                          const SendLoops *loops = nullptr, const RankCountPlan *plan = nullptr,
                          RedistributionMethod method = RedistributionMethod::Schedule,
                          RunRecord *record = nullptr);

} // namespace sendwright

#endif
