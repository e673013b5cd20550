// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order in which every rank sends its messages of one communication phase, so that the rank
// that finishes last finishes as early as possible.
//
// The model is that of B. Ucar and C. Aykanat, "A Message Ordering Problem in Parallel Programs"
// (2004): all ranks start together; a send takes one unit; the receiver has the message when the
// send ends, and receiving takes no time. A rank that has sent and received everything of the first
// phase computes for W_p units and then sends the messages of the second phase, S2(p). Only the sum
// of what follows the first phase matters, key(p) = W_p + |S2(p)|, and rank p is done at
//
//    c'_p = max(|S1(p)|, when its last message arrives) + key(p).
//
// Every list in descending order of the receivers' keys is optimal. (The paper proves this for
// equal W_p; the same exchange argument holds for any key: of two messages of a sender, the message
// whose receiver has more left to do goes first.)

#ifndef SENDWRIGHT_ANALYSIS_ORDERING_KEYEDORDER_H
#define SENDWRIGHT_ANALYSIS_ORDERING_KEYEDORDER_H

#include <vector>

namespace sendwright {

/// For each rank the destinations of its messages, in the order of sending. Several messages to one
/// destination are several entries. Destinations are below size().
using SendLists = std::vector<std::vector<int>>;

/// W_p + |S2(p)| in units of one send. `work` has an entry for each rank, or is empty (no work).
std::vector<double> receiverKeys(const SendLists &second, const std::vector<double> &work);

enum class KeyOrder { Descending, Ascending };

/// Every list of `first` sorted by the receivers' keys; equal keys keep their order. Descending is
/// the best possible order, ascending the worst. O(m log m) for m messages.
SendLists orderByKey(const SendLists &first, const std::vector<double> &key, KeyOrder order);

/// max c'_p over all ranks if the lists are sent as they are; 0 without ranks. `busy` (an entry for
/// each rank, or empty): work that a rank does after its own sends and before it waits for
/// messages; it enters c'_p like sends to nobody at the end of the list. Linear.
double completion(const SendLists &first, const std::vector<double> &key,
                  const std::vector<double> &busy = {});

/// The paper's lower bound for any order: max over ranks of |S1(p)| + busy(p) + key(p).
double loadBound(const SendLists &first, const std::vector<double> &key,
                 const std::vector<double> &busy = {});

/// A lower bound that descending order reaches: the larger of loadBound() and, for every sender p
/// and every key k among its receivers, k + the number of p's messages to receivers with a key of
/// at least k. (The last of these messages to be sent has a receiver with at least k left to do.)
/// O(m log m).
double lowerBound(const SendLists &first, const std::vector<double> &key,
                  const std::vector<double> &busy = {});

} // namespace sendwright

#endif
