// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long a phase of large messages takes in a given order, where every rank has one port to send
// and one to receive, and a message occupies both for its length.
//
// A sender turns to its next message when the last one is out. A receiver takes messages one at a
// time in the order in which their senders turned to them (at equal times, by the sender's rank);
// meanwhile the sender waits.

#ifndef SENDWRIGHT_ANALYSIS_ORDERING_PORTMODEL_H
#define SENDWRIGHT_ANALYSIS_ORDERING_PORTMODEL_H

#include "analysis/ordering/StaggeredOrder.h"

#include <functional>
#include <vector>

namespace sendwright {

/// What the port model needs of a machine, in seconds.
struct PortCosts {
  double latency = 0;    ///< until the receiver has the message, after the ports are free again
  double perMessage = 0; ///< both ports are occupied for perMessage + bytes * perByte
  double perByte = 0;
};

/// max over ranks of (when the rank has sent and received everything) + tail[rank], in seconds,
/// when every rank sends its messages in the order of its list. `tail`: what each rank does
/// afterwards. Deterministic. O(m log n) for m messages of n ranks.
double portCompletion(const SizedLists &messages, const std::vector<double> &tail,
                      const PortCosts &costs);

/// `senders` messages of `bytes` each that arrive at one receiver together take this many times as
/// long as one after another.
using IncastFactor = std::function<double(std::size_t senders, double bytes)>;

/// The same where every rank hands over all its messages at once, so that order does not matter:
/// each receiver takes the load of its port times the incast factor for its senders. Linear.
double incastCompletion(const SizedLists &messages, const std::vector<double> &tail,
                        const PortCosts &costs, const IncastFactor &factor);

/// No order is faster: max over ranks of (the load of its busier port) + tail. Linear.
double portLowerBound(const SizedLists &messages, const std::vector<double> &tail,
                      const PortCosts &costs);

} // namespace sendwright

#endif
