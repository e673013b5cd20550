// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a simulated run goes under a transformation's part of a plan. The simulation
// (analysis/replay/RunSimulation.h) asks at the events of each rank; messages have the numbers of
// the run's timeline, or of the MessageSimulation where the transformation adds its own.

#ifndef SENDWRIGHT_ANALYSIS_TRANSFORMATION_RUNBEHAVIOUR_H
#define SENDWRIGHT_ANALYSIS_TRANSFORMATION_RUNBEHAVIOUR_H

#include "analysis/machine/Machine.h"
#include "analysis/machine/MessageSimulation.h"
#include "analysis/run/SendLoops.h"
#include "analysis/run/Timeline.h"
#include "analysis/schedules/Schedule.h"
#include "analysis/transformation/RankCountPlan.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace sendwright {

/// A run that is simulated under a plan. Everything outlives the behaviours in it.
struct SimulatedPlan {
  const Timeline &timeline;
  const Machine &machine;
  const SendLoops &loops;
  const RankCountPlan &plan;
  const std::map<int, std::uint32_t> &planned; ///< sites of the plan by sites of the profile: those
                                               ///< that the plan rewrites
  MessageSimulation &simulation;
};

/// A message that waits until its batch is issued.
struct HeldMessage {
  std::uint32_t message = 0;
  std::size_t position = 0; ///< of the send in the rank's timeline
  int destination = 0;
};

/// Messages that a rank issues one after another.
struct IssuedBatch {
  std::vector<HeldMessage> messages;
  std::uint32_t window = 0; ///< in flight at once; 0: no limit
};

/// A schedule that the ranks go through instead of a loop.
struct ScheduledLoop {
  std::uint32_t instance = 0; ///< the same for all ranks that go through it, and no other
  std::shared_ptr<const Schedule> schedule;
  const std::vector<int> *members = nullptr; ///< world ranks
  double scale = 1,
         head = 0; ///< bytes of a message: those of the schedule times `scale`, and `head`
  std::optional<double> seconds; ///< of a function that was measured and does it in one piece
};

class RunBehaviour {
public:
  RunBehaviour() = default;
  RunBehaviour(const RunBehaviour &) = delete;
  RunBehaviour &operator=(const RunBehaviour &) = delete;
  virtual ~RunBehaviour() = default;

  /// Ranks agree in MPI_Init, and make a communicator: one for all behaviours.
  virtual bool startsTogether() const { return false; }
  /// Seconds that ranks need in MPI_Init besides.
  virtual double startSeconds() const { return 0; }
  /// All ranks meet in MPI_Finalize.
  virtual bool endsTogether() const { return false; }
  /// Members meet before a blocking collective call: the number of its communicator in the
  /// timeline, and its index among the modelled collective calls there.
  virtual bool meetsBefore(std::uint32_t /*communicator*/, std::uint32_t /*call*/) const {
    return false;
  }

  /// True if the rank does not send `message` at this position, which is a send, as written.
  virtual bool hold(std::uint32_t /*rank*/, std::size_t /*position*/, std::uint32_t /*message*/,
                    const Event &) {
    return false;
  }
  /// What the rank issues at this position, of what was held; nothing if it issues nothing here, or
  /// does it by messages of its own.
  virtual std::optional<IssuedBatch> issue(std::uint32_t /*rank*/, std::size_t /*position*/) {
    return {};
  }

  /// Seconds in which the rank copies what it sends at this position: it then never waits until
  /// `message` has left. Nothing: it waits as written. Asked once, right before the send.
  virtual std::optional<double> copySeconds(std::uint32_t /*rank*/, std::size_t /*position*/,
                                            std::uint32_t /*message*/, const Event &) {
    return {};
  }

  /// The schedule that the rank enters at this position, or nothing.
  virtual std::optional<ScheduledLoop> entered(std::uint32_t /*rank*/,
                                               std::size_t /*position*/) const {
    return {};
  }
  /// True for a kind of event of which it knows how a simulated run does it, and no other.
  virtual bool models(std::uint32_t /*rank*/, std::uint32_t /*event*/) const { return false; }
  /// True for a message of the timeline that is neither sent nor waited for.
  virtual bool replaces(std::uint32_t /*message*/) const { return false; }

  /// True for a message of its own that is under way.
  virtual bool owns(std::uint32_t /*message*/) const { return false; }
  /// The receiver, which is inside MPI at this position, has got that message.
  virtual void take(std::uint32_t /*message*/, std::size_t /*position*/) {}
  /// Where the rank was that sent the message, where that is not the sender as written.
  virtual std::optional<std::uint32_t> causePosition(std::uint32_t /*message*/) const { return {}; }
  /// Messages of its own, so far.
  virtual std::uint64_t sent() const { return 0; }
};

} // namespace sendwright

#endif
