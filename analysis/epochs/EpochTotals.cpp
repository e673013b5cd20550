// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The least number of buffers is known at the end of the run, but super epochs need it from the
// start. Programs repeat themselves, so the least is nearly always known after the first part. If a
// later part needs more, the run is analysed once more.

#include "analysis/epochs/EpochTotals.h"

#include "analysis/epochs/LastingMessages.h"
#include "analysis/epochs/graph/GraphBuilder.h"
#include "analysis/epochs/graph/RunParts.h"
#include "analysis/file/FormatError.h"
#include "analysis/file/Progress.h"

#include <algorithm>

namespace sendwright {

namespace {

/// Events of all ranks in a part of a run: so few that a part's graph stays near the processor.
constexpr std::uint64_t eventsOfPart = std::uint64_t{1} << 16;

/// Goes through a run part by part.
class TotalsOfParts {
public:
  TotalsOfParts(const Profile &profile, const TraceLocation &locate, std::uint64_t events)
      : profile(profile), locate(locate), builder(profile, locate),
        parts(profile, builder, events > 0 ? events : partSize()), knowledge(ranks()) {}

  /// Nothing if the run must be analysed as a whole. `buffers`: one number for each rank, or empty
  /// for the least that is known when a part is analysed. leastWasKnown() tells afterwards whether
  /// this was the least of the whole run.
  std::optional<EpochAnalysis> run(const std::vector<std::uint32_t> &buffers) {
    SuperEpochCounter superEpochs(ranks(), parts.partners());
    Progress progress("calls", builder.eventShapes().nodes(), Progress::Total::AtMost);
    NextPart next;
    while ((next = parts.next()) == NextPart::Found) {
      if (!add(buffers, superEpochs))
        return std::nullopt;
      progress.advance(graph->nodes() - ranks());
    }
    if (next == NextPart::Impossible || !measurement)
      return std::nullopt;
    EpochAnalysis result;
    result.figures = measurement->figures();
    result.superEpochs = superEpochs.finish();
    result.buffers = buffers.empty() ? result.figures.buffers : buffers;
    result.graph.types = graph->types;
    result.graph.begin.assign(ranks() + 1, 0);
    result.graph.messages = graph->messages;
    result.graph.wildcardReceives = graph->wildcardReceives;
    return result;
  }

  /// Whether `buffers` were the least of the whole run before super epochs needed them.
  bool leastWasKnown() const { return known; }

private:
  std::uint32_t ranks() const { return static_cast<std::uint32_t>(profile.ranks.size()); }
  std::uint64_t partSize() const {
    return std::max<std::uint64_t>(
        {eventsOfPart, 16 * profile.ranks.size(), 4 * builder.messageChannels().size()});
  }

  bool add(const std::vector<std::uint32_t> &buffers, SuperEpochCounter &superEpochs) {
    graph = &builder.part(parts.events());
    EpochFinder finder(*graph);
    const Dependencies dependencies = executeUnbounded(
        *graph, profile, locate, [&](Node node) { finder.visit(node); }, knowledge);
    const Epochs epochs = finder.take();
    if (!measurement)
      measurement.emplace(*graph);
    const std::vector<std::uint32_t> before = measurement->figures().buffers;
    const std::vector<bool> complex = measurement->add(*graph, epochs, dependencies);
    const EpochFigures &figures = measurement->figures();
    // A message that lasts beyond its epoch counts in other parts, too.
    lasts = lasts || !findLastingMessages(*graph, epochs, dependencies).empty();
    if (lasts && figures.complexEpochs > 0)
      return false;
    known = known && (complexBefore == 0 || figures.buffers == before);
    complexBefore = figures.complexEpochs;
    if (known || !buffers.empty())
      superEpochs.add(*graph, epochs, dependencies, complex,
                      buffers.empty() ? figures.buffers : buffers);
    return true;
  }

  const Profile &profile;
  const TraceLocation &locate;
  GraphBuilder builder;
  RunParts parts;
  RankKnowledge knowledge;
  const CommunicationGraph *graph = nullptr;
  std::optional<EpochMeasurement> measurement;
  bool known = true, lasts = false;
  std::uint64_t complexBefore = 0;
};

} // namespace

std::optional<EpochAnalysis> analyzeInParts(const Profile &profile, const TraceLocation &locate,
                                            std::vector<std::uint32_t> buffers,
                                            std::uint64_t events) {
  if (buffers.size() == 1)
    buffers.assign(profile.ranks.size(), buffers[0]);
  if (!buffers.empty() && buffers.size() != profile.ranks.size())
    return std::nullopt;
  try {
    TotalsOfParts first(profile, locate, events);
    std::optional<EpochAnalysis> result = first.run(buffers);
    if (!result || !buffers.empty() || first.leastWasKnown())
      return result;
    return TotalsOfParts(profile, locate, events).run(result->figures.buffers);
  } catch (const FormatError &) { // the whole run knows the place
    return std::nullopt;
  }
}

} // namespace sendwright
