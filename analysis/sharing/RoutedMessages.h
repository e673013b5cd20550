// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The messages that a plan shares, in a simulated run. What a rank sends in one execution of a
// shared loop (an instance) is packed. Combined messages follow the plan's routes; each leaves once
// everything that may go into it has arrived. A rank receives, delivers and passes on whenever it
// is inside MPI, which in the simulation means: whenever it waits. A long combined message travels
// as two: see sharedFirstPart.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_ROUTEDMESSAGES_H
#define SENDWRIGHT_ANALYSIS_SHARING_ROUTEDMESSAGES_H

#include "analysis/machine/MessageSimulation.h"
#include "analysis/run/Timeline.h"
#include "analysis/sharing/PlannedExecutions.h"
#include "analysis/sharing/SharedExchanges.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace sendwright {

class RoutedMessages {
public:
  /// An instance is shared only if the timelines of all its senders contain it: a run that was cut
  /// may hold parts of later instances, and these are sent as written. All arguments but `plan` and
  /// `executions` must outlive this object.
  RoutedMessages(const Timeline &timeline, const Machine &machine,
                 const PlannedExecutions &executions, const SharedExchanges &plan,
                 MessageSimulation &simulation);

  /// True when the plan shares anything.
  bool any() const { return !exchanges.empty(); }

  /// Packs message `message` of the timeline, which `rank` sends by `event`, into the rank's open
  /// instance. False if the plan has no message with this communicator, destination and tag.
  bool pack(std::uint32_t exchange, std::uint32_t rank, std::uint32_t message, const Event &event);
  /// The rank has finished the loop: combined messages that wait for nothing else leave, on the
  /// rank's processor. `position` in its timeline is kept for the critical path.
  void close(std::uint32_t exchange, std::uint32_t rank, std::size_t position);

  /// True for the number of a combined message under way, or of its second part. O(log n) for n
  /// open instances.
  bool isCombined(std::uint32_t message) const;
  /// The receiver has a combined message, at its clock. Posts the receive of the second part; or,
  /// if nothing is missing, delivers the contents to the messages of the timeline and sends on
  /// whatever waited only for them. The combined message's numbers are invalid afterwards.
  void take(std::uint32_t combined, std::size_t position);

  /// The sender's position when it sent this combined message, or the combined message that
  /// delivered this message of the timeline. For a second part that came before its receive was
  /// posted: the receiver's position.
  std::uint32_t causePosition(std::uint32_t message) const;
  /// True for a message of the timeline that a combined message delivered.
  bool wasDelivered(std::uint32_t message) const {
    return message < causes.size() && causes[message] != noPosition;
  }
  /// Combined messages sent so far.
  std::uint64_t sent() const { return count; }

private:
  struct CombinedRoute {
    std::uint32_t from = 0, to = 0;
    std::vector<std::uint32_t> messages; // indices into the pattern
    std::vector<std::uint32_t> feeds;    // combined messages that wait for it at `to`
    std::uint32_t awaited = 0;           // how many still have to feed it, its sender's own
                                         // messages counted as one
  };
  struct Exchange {
    Communicator communicator;
    std::vector<CombinedRoute> combined;             // by sender and stage
    std::vector<std::vector<std::uint32_t>> withOwn; // by rank: combined messages that hold its own
    std::vector<std::pair<int, int>> pairs;          // of the pattern: source, destination
    std::vector<std::map<std::pair<int, int>, std::uint32_t>> own; // by rank: destination, tag
    std::vector<std::uint64_t> done;                               // instances, by rank
    std::uint64_t instances = 0;
    std::map<std::uint64_t, std::uint32_t> open; // first message, by instance
  };
  /// An instance numbers its combined messages consecutively, and then their second parts.
  struct Instance {
    std::uint32_t exchange = 0;
    std::uint64_t number = 0;
    std::vector<double> bytes;                        // by message of the pattern
    std::vector<std::vector<std::uint32_t>> contents; // messages of the timeline, likewise
    std::vector<std::uint32_t> awaited, positions;    // by combined message
    std::vector<std::uint32_t> parts, restPosted;     // by combined message: parts not yet taken;
                                                      // positions of receives
    std::size_t left = 0;                             // combined messages not taken
  };

  Exchange exchangeOf(const SharedExchanges &plan, std::uint32_t number) const;
  void joinRoutes(Exchange &exchange) const;
  Instance &instanceAt(std::uint32_t exchange, std::uint32_t rank);
  void arrived(Instance &instance, std::uint32_t combined, std::size_t position);
  void send(Instance &instance, std::uint32_t combined);
  void sendPart(std::uint32_t message, const CombinedRoute &route, double bytes, bool expected);

  const Timeline &timeline;
  const Machine &machine;
  MessageSimulation &simulation;
  std::vector<Exchange> exchanges;
  std::map<std::uint32_t, Instance> instances; // open ones, by their first combined message
  std::vector<std::uint32_t> causes;           // by message of the timeline
  std::uint64_t count = 0;
};

} // namespace sendwright

#endif
