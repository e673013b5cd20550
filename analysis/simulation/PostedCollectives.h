// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Non-blocking collective operations of a simulated run. A rank posts its part and goes on; it
// waits where its request is completed. Meanwhile the operation goes on by itself: a rank is done
// with it when the last rank has posted its part and the schedule's time for this rank has passed.

#ifndef SENDWRIGHT_ANALYSIS_SIMULATION_POSTEDCOLLECTIVES_H
#define SENDWRIGHT_ANALYSIS_SIMULATION_POSTEDCOLLECTIVES_H

#include "analysis/machine/MessageSimulation.h"
#include "analysis/simulation/CollectiveCalls.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace sendwright {

class PostedCollectives {
public:
  /// All arguments must outlive this object.
  PostedCollectives(const Machine &machine, CollectiveCalls &calls, MessageSimulation &simulation,
                    std::size_t ranks)
      : machine(machine), calls(calls), simulation(simulation), requests(ranks) {}

  /// The rank posts its part of a group's call at this position. O(members) for the last rank.
  void post(std::uint32_t rank, std::size_t position, const Event &event, std::uint32_t number,
            std::uint32_t call);

  /// Calls waitFor(message) for each operation that the rank completes here: the operation is over
  /// for the rank when the message has arrived. O(log n) for each request.
  template <typename WaitFor>
  void complete(std::uint32_t rank, const Event &event, WaitFor &&waitFor) {
    if (requests[rank].empty())
      return;
    for (const int request : event.requests)
      if (const auto found = requests[rank].find(request); found != requests[rank].end()) {
        waitFor(found->second);
        requests[rank].erase(found);
      }
  }

  /// True for messages that complete() passed to waitFor. O(log n) for n operations.
  bool isPart(std::uint32_t message) const { return operationOf(message) != operations.end(); }
  /// The position of the rank that came last to the operation of this message.
  std::uint32_t causePosition(std::uint32_t message) const {
    return operationOf(message)->second.lastPosition;
  }

private:
  struct Operation {
    std::uint32_t members = 0, posted = 0;
    std::uint32_t last = 0, lastPosition = 0; ///< the world rank that came last, and its position
    double begun = 0;                         ///< when it came
  };
  using Operations = std::map<std::uint32_t, Operation>; // by their first message

  Operations::const_iterator operationOf(std::uint32_t message) const;
  const std::vector<double> &secondsOf(const std::shared_ptr<const Schedule> &schedule);

  const Machine &machine;
  CollectiveCalls &calls;
  MessageSimulation &simulation;
  Operations operations;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>
      known;                                          // group, call: first message
  std::vector<std::map<int, std::uint32_t>> requests; // by rank and request: the message that ends
                                                      // it
  std::map<std::shared_ptr<const Schedule>, std::vector<double>> seconds;
};

} // namespace sendwright

#endif
