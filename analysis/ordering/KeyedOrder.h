// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order in which every rank sends its messages of one communication phase, so that the rank
// that finishes last finishes as early as possible.
//
// The model is that of B. Ucar and C. Aykanat, "A Message Ordering Problem in Parallel Programs"
// (2004): all ranks start together; a send takes one unit; the receiver has the message when the
// send ends, and receiving costs it nothing. A rank that has sent and received everything of the
// first phase computes for W_p units and then sends the messages of the second phase, S2(p). What
// follows the first phase, key(p) = W_p + |S2(p)|, is all that matters of it, and rank p is done at
//
//     c'_p = max(|S1(p)|, when its last message arrives) + key(p).
//
// Every list in descending order of the receivers' keys is optimal. (The paper proves it for equal
// W_p; the same exchange argument holds for any key: of two messages of a sender, the one whose
// receiver has more left to do goes first.)

#ifndef SENDWRIGHT_ANALYSIS_ORDERING_KEYEDORDER_H
#define SENDWRIGHT_ANALYSIS_ORDERING_KEYEDORDER_H

#include <vector>

namespace sendwright {

/// Per rank the destinations of its messages, in the order they are sent. Several messages to one
/// destination are several entries. Destinations are below size().
using SendLists = std::vector<std::vector<int>>;

/// W_p + |S2(p)| in units of one send. `work` has an entry per rank, or is empty (no work).
std::vector<double> receiverKeys(const SendLists &second, const std::vector<double> &work);

enum class KeyOrder { Descending, Ascending };

/// Every list of `first` sorted by the receivers' keys; equal keys stay in the order given.
/// Descending is the best order there is, ascending the worst. O(m log m) for m messages.
SendLists orderByKey(const SendLists &first, const std::vector<double> &key, KeyOrder order);

/// max over ranks of c'_p when the lists are sent as they are; 0 without ranks. `busy` (an entry
/// per rank, or empty): work that a rank does after its own sends and before it waits for messages;
/// it takes part in c'_p as if it were sends to nobody at the end of the list. Linear.
double completion(const SendLists &first, const std::vector<double> &key,
                  const std::vector<double> &busy = {});

/// No order is below this: max over ranks of |S1(p)| + busy(p) + key(p), the paper's bound.
double loadBound(const SendLists &first, const std::vector<double> &key,
                 const std::vector<double> &busy = {});

/// No order is below this either, and descending order reaches it: the larger of loadBound and, for
/// every sender p and every key k among its receivers, k + the number of p's messages to receivers
/// with a key of at least k. (One of those messages is the last of them to be sent, and its
/// receiver has at least k left to do.) O(m log m).
double lowerBound(const SendLists &first, const std::vector<double> &key,
                  const std::vector<double> &busy = {});

} // namespace sendwright

#endif
