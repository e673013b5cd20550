// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long a phase of large messages takes in a given order if every rank has one port to send and
// one port to receive, and a message occupies both for its length.
//
// A sender turns to its next message when the previous message is out. A receiver takes messages
// one at a time, in the order in which their senders turned to them (ties by the sender's rank);
// meanwhile the sender waits.

#ifndef SENDWRIGHT_ANALYSIS_ORDERING_PORTMODEL_H
#define SENDWRIGHT_ANALYSIS_ORDERING_PORTMODEL_H

#include "analysis/ordering/StaggeredOrder.h"

#include <functional>
#include <vector>

namespace sendwright {

/// What the port model needs of a machine, in seconds.
struct PortCosts {
  double latency = 0;    ///< from when the ports are free again until the receiver has the message
  double perMessage = 0; ///< both ports are occupied for perMessage + bytes * perByte
  double perByte = 0;
};

/// max over ranks of (when the rank has sent and received everything) + tail[rank], in seconds, if
/// every rank sends its messages in the order of its list. `tail`: what each rank does afterwards.
/// Deterministic. O(m log n) for m messages of n ranks.
double portCompletion(const SizedLists &messages, const std::vector<double> &tail,
                      const PortCosts &costs);

/// How many times as long `senders` messages of `bytes` bytes take if they arrive at one receiver
/// together instead of one after another.
using IncastFactor = std::function<double(std::size_t senders, double bytes)>;

/// The same if every rank starts all its messages at once, so that order does not matter: each
/// receiver takes the load of its port times the incast factor for its senders. Linear.
double incastCompletion(const SizedLists &messages, const std::vector<double> &tail,
                        const PortCosts &costs, const IncastFactor &factor);

/// A lower bound for any order: max over ranks of (the load of the rank's busier port) + tail.
/// Linear.
double portLowerBound(const SizedLists &messages, const std::vector<double> &tail,
                      const PortCosts &costs);

} // namespace sendwright

#endif
