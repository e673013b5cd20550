// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The batches of one rank that belong to loops of a plan, one after another.

#ifndef SENDWRIGHT_ANALYSIS_RUN_PLANNEDBATCHES_H
#define SENDWRIGHT_ANALYSIS_RUN_PLANNEDBATCHES_H

#include "analysis/run/SendLoops.h"

#include <cstddef>
#include <set>
#include <utility>

namespace sendwright {

class PlannedBatches {
public:
  /// The batches of loops at these sites of the profile. `loops` must outlive this.
  PlannedBatches(const RankBatches &loops, std::set<int> sites)
      : batches(loops), planned(std::move(sites)) {
    skipOthers();
  }

  /// True if the send at this position of the timeline is the next send of the current batch.
  bool holds(std::size_t position) const {
    return batch() && next < batch()->end && batches.sends[next] == position;
  }
  /// Goes on to the send after it.
  void pass() { ++next; }

  /// The site of the current batch; only after holds() or isIssuedAt().
  int site() const { return batch()->site; }

  /// The index of the current batch in RankBatches::batches; likewise.
  std::size_t number() const { return current; }

  /// True if the current batch ends here.
  bool isIssuedAt(std::size_t position) const {
    return batch() && next > batch()->first && batch()->issued == position;
  }
  /// The next batch begins.
  void finish() {
    ++current;
    skipOthers();
  }

private:
  const RecordedBatch *batch() const {
    return current < batches.batches.size() ? &batches.batches[current] : nullptr;
  }

  void skipOthers() {
    while (batch() && !planned.contains(batch()->site))
      ++current;
    if (batch())
      next = batch()->first;
  }

  const RankBatches &batches;
  std::set<int> planned;
  std::size_t current = 0; // batch
  std::size_t next = 0;    // of its sends
};

} // namespace sendwright

#endif
