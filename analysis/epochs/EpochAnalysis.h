// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many buffers a run needs, and where its ranks must synchronise so that a given number of
// buffers suffices: graph, epochs and super epochs in one call.

#ifndef SENDWRIGHT_ANALYSIS_EPOCHS_EPOCHANALYSIS_H
#define SENDWRIGHT_ANALYSIS_EPOCHS_EPOCHANALYSIS_H

#include "analysis/epochs/Epochs.h"
#include "analysis/epochs/SuperEpochs.h"
#include "analysis/epochs/graph/CommunicationGraph.h"
#include "analysis/epochs/graph/UnboundedExecution.h"
#include "analysis/trace/TraceLocation.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sendwright {

struct EpochAnalysis {
  CommunicationGraph graph;
  Epochs epochs;
  EpochFigures figures;
  SuperEpochs superEpochs;
  Dependencies dependencies;
  std::vector<std::uint32_t> buffers; ///< by rank: the allocation that superEpochs is made for
  /// Sends and receives by calls; a non-blocking receive counts where it is posted.
  std::uint64_t events() const { return 2 * graph.messages; }
  /// No message ever needs a buffer, whatever MPI does.
  bool safeWithoutBuffers() const { return figures.complexEpochs == 0; }
};

/// What an analysis keeps.
enum class EpochDetail : std::uint8_t {
  Everything,
  /// The graph's ranks, types and counts, and the counts of the super epochs. Everything else is
  /// empty.
  Totals
};

/// Analyses a run. `buffers` has one number for each rank, one number for all, or is empty for the
/// least. Throws FormatError at the place that `locate` names (see buildCommunicationGraph), and if
/// `buffers` is less than the least: the message names the first such rank and its need. Linear in
/// the run; at most about 28 bytes for each call.
EpochAnalysis analyzeEpochs(const Profile &profile, const TraceLocation &locate,
                            std::vector<std::uint32_t> buffers = {},
                            EpochDetail detail = EpochDetail::Everything);

/// Reads an allocation: "4", "0,1,2,1", or "@FILE" with numbers separated by white space or commas
/// and comments behind '#'. `option` names it in messages. Throws FormatError.
std::vector<std::uint32_t> parseBuffers(const std::string &value, const std::string &option);

/// Writes the boundaries file (docs/file-formats.md) in pieces. Linear in the run.
void formatBoundaries(const EpochAnalysis &analysis,
                      const std::function<void(std::string_view)> &write);

/// A place in the source, and the number of calls there.
struct PlaceCount {
  std::string name; ///< for people: "app.c:12", a caller, or empty
  std::uint64_t count = 0;
};

/// Where messages that need a buffer are sent, most first. Linear in the types of nodes.
std::vector<PlaceCount> placesInNeed(const Profile &profile, const EpochAnalysis &analysis);

} // namespace sendwright

#endif
