// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A machine that was measured: its parameters with their spread, and the machine file that states
// them (docs/file-formats.md).

#ifndef SENDWRIGHT_ANALYSIS_CALIBRATION_CALIBRATEDMACHINE_H
#define SENDWRIGHT_ANALYSIS_CALIBRATION_CALIBRATEDMACHINE_H

#include "analysis/calibration/Calibration.h"
#include "analysis/machine/Machine.h"
#include "analysis/mpi/Collective.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sendwright {

/// Measurements between ranks of different nodes, or within a node.
struct CalibratedLink {
  LinkFigures figures;
  double eagerLimit = 0;          ///< bytes: the largest send that did not wait for its receive
  bool eagerLimitFound = true;    ///< false: even the largest send that was tried did not wait
  std::vector<SizeTimes> small;   ///< medians over the rounds
  std::vector<StreamTimes> large; ///< likewise
  std::vector<std::pair<int, double>> latencies; ///< L, seconds, to each rank that was tried
  int rounds = 0;
};

/// `senders` ranks send `bytes` each to one receiver.
struct CalibratedIncast {
  int senders = 0;
  double bytes = 0;
  Figure factor;  ///< how many times the time that the parameters predict
  Figure seconds; ///< from the first sender's start to the last byte
};

/// One of MPI's own collective functions on all ranks.
struct CalibratedCollective {
  Collective operation = Collective::Broadcast;
  double bytes = 0; ///< as CollectiveTask has them
  Figure seconds;   ///< from when all begin until all are done
};

struct CalibratedMachine {
  std::string name;
  std::string mpi; ///< name and version
  int ranks = 0, nodes = 1, ranksPerNode = 1;
  int processorsPerNode = 0;                     ///< processors that the ranks of a node may use;
                                                 ///< 0: unknown
  std::optional<CalibratedLink> between, within; ///< at least one of them
  std::optional<NodePortFigures> nodePort; ///< if several ranks of two nodes could be measured
  std::vector<CalibratedIncast> incast; ///< between nodes, or within the node if there is only one
  std::vector<CalibratedCollective> collectives;
  double duplication = 0; ///< seconds of MPI_Comm_dup on all ranks
  double seconds = 0;     ///< that measuring took
};

/// How many times longer than its bandwidth predicts a receiver took for `senders` large messages.
/// They had arrived `seconds` after the receiver began to ask the senders, one after another, by 1
/// byte each. The model predicts: the way to the first sender, its message, and for each other
/// sender the longest of (n-1) G, g, o_recv and the time to ask. 0 if the parameters predict no
/// time at all.
double incastFactor(const LinkFigures &link, int senders, double bytes, double seconds);

/// The medians, as predictions use them.
LinkParameters parametersOf(const CalibratedLink &link);

/// Names of the figures that are not stable, such as "between nodes: L".
std::vector<std::string> unstableFigures(const CalibratedMachine &machine);

/// The text of the machine file. If there is only one node, the figures within it stand for those
/// between nodes, too.
std::string machineFileOf(const CalibratedMachine &machine);

} // namespace sendwright

#endif
