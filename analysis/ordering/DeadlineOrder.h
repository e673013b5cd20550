// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Among the best orders of KeyedOrder.h, one in which fewer messages meet at a receiver.
//
// In that model messages to one receiver overlap for free, so that every list in descending order
// of the receivers' keys is optimal. It is rarely the only one: with T the optimal max c'_p, a
// message may take any place up to T - key(receiver). And it has a price that the model does not
// see: the ranks all turn to the same receiver first. Here every message meets its deadline, and
// where that leaves a choice, a receiver that still takes other messages is left for later.

#ifndef SENDWRIGHT_ANALYSIS_ORDERING_DEADLINEORDER_H
#define SENDWRIGHT_ANALYSIS_ORDERING_DEADLINEORDER_H

#include "analysis/ordering/KeyedOrder.h"

namespace sendwright {

/// Every list reordered so that completion() is what orderByKey(Descending) reaches. `occupation`:
/// for how long one message occupies its receiver's port, in units of one send. All ranks send
/// their k-th message together; each takes, of those that may go now without making a later one
/// miss its deadline, the one whose receiver is free soonest. Waits of less than a tenth of a send
/// count as none; among equals the larger key goes first, then the nearest receiver above the
/// sender. `busy` as in completion(). O(m log m) for m messages; at most 64 candidates are looked
/// at for each place.
SendLists orderByDeadline(const SendLists &first, const std::vector<double> &key,
                          const std::vector<double> &busy, double occupation);

} // namespace sendwright

#endif
