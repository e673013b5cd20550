// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Among the best orders of KeyedOrder.h, an order in which fewer messages meet at a receiver.
//
// In that model messages to one receiver overlap for free, so every list in descending order of the
// receivers' keys is optimal. Usually many orders are: with T the optimal max c'_p, a message may
// take any place up to T - key(receiver). Descending order has a price that the model does not see:
// all ranks turn to the same receiver first. Here every message meets its deadline, and where this
// leaves a choice, a receiver that is busy with other messages is left for later.

#ifndef SENDWRIGHT_ANALYSIS_ORDERING_DEADLINEORDER_H
#define SENDWRIGHT_ANALYSIS_ORDERING_DEADLINEORDER_H

#include "analysis/ordering/KeyedOrder.h"

namespace sendwright {

/// Reorders every list so that completion() equals that of orderByKey(Descending). `occupation`:
/// how long one message occupies its receiver's port, in units of one send. All ranks send their
/// k-th message together. Among the messages that may go now without making a later message miss
/// its deadline, each rank takes the message whose receiver is free soonest. Waits of less than a
/// tenth of a send count as zero; ties go to the larger key, then to the nearest receiver above the
/// sender. `busy` as in completion(). O(m log m) for m messages; at most 64 candidates are
/// considered for each place.
SendLists orderByDeadline(const SendLists &first, const std::vector<double> &key,
                          const std::vector<double> &busy, double occupation);

} // namespace sendwright

#endif
