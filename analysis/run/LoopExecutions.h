// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The executions of each send loop at one rank, with those in which it sent nothing: a rank on the
// boundary, or without work on a coarse level, executes the loop like all others. At run time an
// execution is an instance of the exchange whether the rank sends in it or not.

#ifndef SENDWRIGHT_ANALYSIS_RUN_LOOPEXECUTIONS_H
#define SENDWRIGHT_ANALYSIS_RUN_LOOPEXECUTIONS_H

#include "analysis/run/SendLoops.h"
#include "analysis/run/Timeline.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace sendwright {

struct LoopExecution {
  static constexpr std::size_t none = SIZE_MAX;
  std::size_t batch = none; ///< index into RankBatches::batches; none: it sends nothing
  std::size_t end = 0;      ///< position where it is known what it sends
};

/// The executions of one loop by its marks; for loopExecutions().
struct MarkedExecutions {
  std::vector<LoopExecution> list;
  std::vector<std::size_t> begins; // positions
  bool open = false, nested = false;

  void follow(const Event &event, std::size_t position) {
    if (event.kind == EventKind::SiteLeave) {
      if (open)
        list.back().end = position;
      open = false;
      return;
    }
    nested |= open;
    open = event.kind == EventKind::SiteEnter;
    list.push_back({LoopExecution::none, position});
    begins.push_back(position);
  }

  /// False if the batch is in no execution, or in one that has a batch already.
  bool add(std::size_t batch, std::size_t firstSend, std::size_t issued) {
    const auto after = std::upper_bound(begins.begin(), begins.end(), firstSend);
    if (after == begins.begin())
      return false;
    LoopExecution &execution = list[static_cast<std::size_t>(after - begins.begin()) - 1];
    if (execution.batch != LoopExecution::none)
      return false;
    execution = {batch, issued};
    return true;
  }
};

/// By site, for each loop that has batches at the rank. If batches do not follow from the loop's
/// marks (text traces, recursion, several batches in one execution), each batch is an execution.
/// Linear in the timeline.
inline std::map<int, std::vector<LoopExecution>> loopExecutions(const RankTimeline &rank,
                                                                const RankBatches &batches) {
  std::map<int, MarkedExecutions> marked;
  for (const RecordedBatch &batch : batches.batches)
    marked[batch.site];
  for (std::size_t position = 0; position < rank.size(); ++position) {
    const Event &event = rank.at(position);
    if (event.kind != EventKind::SiteEnter && event.kind != EventKind::SiteLeave &&
        event.kind != EventKind::SiteSkip)
      continue;
    if (const auto loop = marked.find(event.site); loop != marked.end())
      loop->second.follow(event, position);
  }
  std::map<int, std::vector<LoopExecution>> written;
  std::map<int, bool> fits;
  for (std::size_t number = 0; number < batches.batches.size(); ++number) {
    const RecordedBatch &batch = batches.batches[number];
    written[batch.site].push_back({number, batch.issued});
    const auto [known, isNew] = fits.try_emplace(batch.site, !marked[batch.site].nested);
    known->second =
        known->second && marked[batch.site].add(number, batches.sends[batch.first], batch.issued);
  }
  for (auto &[site, executions] : written)
    if (fits[site])
      executions = std::move(marked[site].list);
  return written;
}

} // namespace sendwright

#endif
