// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LogGP parameters of a machine; every prediction is based on them.

#ifndef SENDWRIGHT_ANALYSIS_MACHINE_MACHINE_H
#define SENDWRIGHT_ANALYSIS_MACHINE_MACHINE_H

#include <cstddef>
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
};

/// The parameters between two ranks; ranks are placed on nodes in order, ranks_per_node on each.
/// Within a node they are those of `within`, if the machine has them.
inline const LinkParameters &linkBetween(const Machine &machine, std::size_t one,
                                         std::size_t other) {
  const auto perNode = static_cast<std::size_t>(machine.ranks_per_node);
  return machine.within && one / perNode == other / perNode ? *machine.within : machine.between;
}

/// The values used until a machine is measured: a switched Ethernet cluster. `plan` prints them.
Machine defaultMachine();

} // namespace sendwright

#endif
