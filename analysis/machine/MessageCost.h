// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one message costs under LogGP (A. Alexandrov et al. 1995): processor time at each side, its
// way over the network, and how long it holds up the next message.

#ifndef SENDWRIGHT_ANALYSIS_MACHINE_MESSAGECOST_H
#define SENDWRIGHT_ANALYSIS_MACHINE_MESSAGECOST_H

#include "analysis/machine/Machine.h"

#include <algorithm>

namespace sendwright {

/// Seconds, for one message of a given size.
struct MessageCost {
  double send = 0;    ///< processor of the sender: o_send + n O
  double receive = 0; ///< processor of the receiver: o_recv + n O
  double stream = 0;  ///< from the first byte on the wire to the last: (n - 1) G
  double gap = 0;     ///< g, from the last byte at a port to the first of the next message
  double latency = 0; ///< L

  /// From the start of the send to the end of the receive: o_send + (n - 1) G + L + o_recv.
  double delivery() const { return send + stream + latency + receive; }
  /// The least time between two messages of this size from one sender.
  double sendInterval() const { return std::max(send, stream + gap); }
  /// The least time between two messages of this size at one receiver.
  double receiveInterval() const { return std::max(receive, stream + gap); }
  /// One step of a chain in which every rank receives and sends on.
  double step() const { return std::max({delivery(), sendInterval(), receiveInterval()}); }
};

/// What a message costs at the port of a node: only `stream` and `gap`.
inline MessageCost nodePortCost(const NodePort &port, double bytes) {
  return {0, 0, std::max(bytes - 1, 0.0) * port.G, port.g, 0};
}

inline MessageCost messageCost(const LinkParameters &link, double bytes) {
  if (link.large && bytes >= link.large->from)
    return {link.large->o_send + bytes * link.large->O,
            link.large->o_recv + bytes * link.large->O_recv, std::max(bytes - 1, 0.0) * link.G,
            link.g, link.L};
  return {link.o_send + bytes * link.O, link.o_recv + bytes * link.O_recv,
          std::max(bytes - 1, 0.0) * link.G, link.g, link.L};
}

} // namespace sendwright

#endif
