// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LogGP parameters of a machine; every prediction is based on them.

#ifndef SENDWRIGHT_ANALYSIS_MACHINE_MACHINE_H
#define SENDWRIGHT_ANALYSIS_MACHINE_MACHINE_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sendwright {

/// Processor time of large messages, which MPI handles in another way.
struct LargeMessages {
  double from = 0; ///< bytes, the smallest such message
  double o_send = 0, o_recv = 0, O = 0, O_recv = 0;
};

/// LogGP between two ranks, in seconds and bytes.
struct LinkParameters {
  double L = 0;           ///< latency, seconds
  double o_send = 0;      ///< processor time per message sent, seconds
  double o_recv = 0;      ///< processor time per message received, seconds
  double g = 0;           ///< gap between messages of one rank, seconds
  double G = 0;           ///< gap per byte, seconds
  double O = 0;           ///< processor time per byte, seconds
  double O_recv = 0;      ///< likewise for each byte received, if different; otherwise equal to O
  double eager_limit = 0; ///< bytes up to which a send does not wait for its receive
  std::optional<double> handshake = {}; ///< seconds that the request of a larger message takes, and
                                        ///< the grant that answers it; nothing: L
  std::optional<LargeMessages> large = {}; ///< nothing: one line for all sizes
};

/// What the ranks of a node share on their way to the network: all messages that leave the node
/// pass one such port, and all messages that enter it another.
struct NodePort {
  double g = 0; ///< from the last byte of a message to the first of the next, seconds
  double G = 0; ///< seconds per byte
};

/// `senders` ranks that send `bytes` each to one receiver take `factor` times the time by its
/// bandwidth.
struct IncastRow {
  int senders = 0;
  double bytes = 0;
  double factor = 1;
};

/// What one of MPI's own collective functions takes, from when all ranks begin until all are done.
struct MeasuredCollective {
  std::string operation; ///< a name from Collectives.h, "broadcast" to "reduce"
  int ranks = 0;
  double bytes = 0; ///< as in CollectiveTask
  double seconds = 0;
};

/// The time to duplicate a communicator of `ranks` ranks.
struct Duplication {
  int ranks = 1;
  double seconds = 0;
};

/// The algorithm that the MPI at hand uses from this many ranks and this many bytes on.
struct AlgorithmRow {
  int ranks = 1;
  double bytes = 0;
  std::string algorithm;
  double setup = 0; ///< seconds by which a communicator's first such call is slower
};

struct Machine {
  std::string name;
  LinkParameters between;               ///< between nodes
  std::optional<LinkParameters> within; ///< within a node ("intra")
  int ranks_per_node = 1;
  bool shared_ports = false; ///< messages at a port at the same time share it (SharedPorts.h);
                             ///< otherwise they pass it one after another
  bool intra_ports = true;   ///< messages within a node pass ports of their own
  std::vector<IncastRow> incast;
  std::vector<MeasuredCollective> measured_collectives = {};
  std::optional<Duplication> duplication = {}; ///< nothing: unknown, counts as zero time
  std::vector<std::string> unstable = {}; ///< figures that varied when calibrate measured them:
                                          ///< "between nodes: L" (CalibratedMachine.h)
  /// "collectives", by the name of the operation (MpiAlgorithms.h).
  std::map<std::string, std::vector<AlgorithmRow>> collectives = {};
  std::optional<NodePort> node_port = {}; ///< nothing: the ranks of a node share nothing
  /// The node of each rank, from 0, where a run's profile tells it (Placement.h); empty: ranks are
  /// placed on nodes in order, ranks_per_node on each.
  std::vector<std::uint32_t> nodes = {};

  /// The port of a node where the machine has one.
  NodePort nodePort() const { return node_port.value_or(NodePort()); }
};

/// The node of a rank, from 0; there are at most as many nodes as ranks.
inline std::size_t nodeOf(const Machine &machine, std::size_t rank) {
  return rank < machine.nodes.size() ? machine.nodes[rank]
                                     : rank / static_cast<std::size_t>(machine.ranks_per_node);
}

/// The parameters between two ranks. Within a node they are those of `within`, if the machine has
/// them.
inline const LinkParameters &linkBetween(const Machine &machine, std::size_t one,
                                         std::size_t other) {
  return machine.within && nodeOf(machine, one) == nodeOf(machine, other) ? *machine.within
                                                                          : machine.between;
}

/// Seconds that ranks need to make a communicator: it takes as many rounds as a tree of them has
/// levels. 0 if the machine file does not say how long it takes.
double duplicationSeconds(const Machine &machine, std::uint32_t ranks);

/// The machine as seen by a group of ranks, which are numbered by their places in it.
Machine machineOfGroup(const Machine &machine, const std::vector<int> &group);

/// The values used until a machine is measured: a switched Ethernet cluster. `plan` prints them.
Machine defaultMachine();

} // namespace sendwright

#endif
