// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Super epochs: consecutive epochs, joined as long as their messages need no more buffers at once
// than each rank has. Between super epochs ranks synchronise; within a super epoch no send waits
// for a buffer that never becomes free.
//
// After algorithm 1 of J. Sampson, Buffer allocation in message passing systems (UNLV 2007), made
// linear: epochs come in an executable order, and each joins the last super epoch of the epochs
// that it waits for, or the next super epoch if it does not fit. A super epoch begins with simple
// epochs (its head), which need no buffers; only what depends on its first complex epoch (its tail)
// counts.
//
// Beyond the source: non-blocking calls, whose messages may lie in a buffer from where they were
// posted until their receive; and components, the ranks of a super epoch that exchange messages in
// it, directly or through others. Only the ranks of a component need to wait for one another before
// it.

#ifndef SENDWRIGHT_ANALYSIS_EPOCHS_SUPEREPOCHS_H
#define SENDWRIGHT_ANALYSIS_EPOCHS_SUPEREPOCHS_H

#include "analysis/epochs/Epochs.h"
#include "analysis/epochs/graph/CommunicationGraph.h"
#include "analysis/epochs/graph/UnboundedExecution.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sendwright {

/// Figures of single epochs.
struct EpochFigures {
  std::uint64_t epochs = 0;           ///< that send a message
  std::uint64_t complexEpochs = 0;    ///< that need a buffer
  std::vector<std::uint32_t> buffers; ///< by rank: the least that suffices for every epoch
  /// By rank: the buffers with which no send of the whole run ever waits for its receiver.
  std::vector<std::uint32_t> wholeProgramBuffers;
  std::vector<bool> complex; ///< by epoch, in order
  /// By node type: how many messages such calls send in complex epochs, which cause the need.
  std::vector<std::uint64_t> buffered;
};

/// Linear in the graph.
EpochFigures measureEpochs(const CommunicationGraph &graph, const Epochs &epochs,
                           const Dependencies &dependencies);

/// Measures a run part by part (RunParts.h).
class EpochMeasurement {
public:
  explicit EpochMeasurement(const CommunicationGraph &firstPart);
  EpochMeasurement(EpochMeasurement &&) noexcept;
  ~EpochMeasurement();

  /// Measures the next part. Returns its EpochFigures::complex. Linear in the part.
  std::vector<bool> add(const CommunicationGraph &graph, const Epochs &epochs,
                        const Dependencies &dependencies);
  /// The figures so far; `complex` is empty.
  const EpochFigures &figures() const;

private:
  class State;
  std::unique_ptr<State> state;
};

/// A rank's part of one super epoch.
struct RankSuperEpoch {
  std::uint32_t superEpoch = 0;
  std::uint32_t end = 0; ///< how many of the rank's nodes are done when the super epoch ends
  std::uint32_t component = 0;
};

struct SuperEpochs {
  std::uint32_t count = 0;
  /// By rank, ascending: the super epochs in which the rank has nodes or is sent messages.
  std::vector<std::vector<RankSuperEpoch>> ranks;
  std::vector<std::uint32_t> componentSizes;          ///< by component: its number of ranks
  std::uint64_t full = 0, partial = 0, component = 0; ///< synchronisations of each kind
};

/// Builds super epochs in which no rank needs more than `buffers`, which must be at least what
/// measureEpochs() found. Linear in the graph, times the logarithm of the buffers; also takes
/// twelve bytes for each rank and super epoch.
SuperEpochs buildSuperEpochs(const CommunicationGraph &graph, const Epochs &epochs,
                             const Dependencies &dependencies, const EpochFigures &figures,
                             const std::vector<std::uint32_t> &buffers);

/// Counts the super epochs of a run part by part (RunParts.h). Keeps those in which some rank may
/// still have something: few, where ranks go forward together.
class SuperEpochCounter {
public:
  /// `partners`: all pairs of ranks that may take part in a message or a collective together; of a
  /// collective, pairs that connect its ranks suffice.
  SuperEpochCounter(std::uint32_t ranks,
                    std::vector<std::pair<std::uint32_t, std::uint32_t>> partners);
  SuperEpochCounter(SuperEpochCounter &&) noexcept;
  ~SuperEpochCounter();

  /// Adds the next part, whose epochs need no more than `buffers`; `complex` is what
  /// EpochMeasurement::add() returned for it. The result is that of buildSuperEpochs() if `buffers`
  /// are the same for all parts that have complex epochs. Costs as there.
  void add(const CommunicationGraph &graph, const Epochs &epochs, const Dependencies &dependencies,
           const std::vector<bool> &complex, const std::vector<std::uint32_t> &buffers);
  /// The counts of the whole run, without lists of ranks and components. The last call.
  SuperEpochs finish();

private:
  class State;
  std::unique_ptr<State> state;
};

} // namespace sendwright

#endif
