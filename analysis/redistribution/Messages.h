// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who sends what to whom when an array changes its distribution.
//
// An element moves from the rank that owns it before to the rank that owns it after; all elements
// that move from one rank to another form one message. What two ranks share is the product of what
// they share in each dimension, and there it is the intersection of two families of equal blocks at
// equal distances. Both families repeat, so the intersection is a few runs that repeat, however
// long the array is: cyclic to block over 10^8 elements takes three entries for each pair of ranks.
//
// A message is packed run by run: in each dimension, for each run its repetitions, for each
// repetition its elements (forEachInterval). Sender and receiver compute the same runs in the same
// order, so only elements travel.

#ifndef SENDWRIGHT_ANALYSIS_REDISTRIBUTION_MESSAGES_H
#define SENDWRIGHT_ANALYSIS_REDISTRIBUTION_MESSAGES_H

#include "analysis/redistribution/Distribution.h"

#include <cstdint>
#include <vector>

namespace sendwright {

/// What one rank owns before, and another rank (or the same) after. `elements` is at least 1.
struct Message {
  int source = 0, destination = 0;
  std::int64_t elements = 0;
  bool local() const { return source == destination; }
  bool operator==(const Message &) const = default;
};

/// How indices of a dimension are counted.
enum class Indices {
  Local, ///< among the indices that the rank owns: its block is dense
  Global ///< in the array: every rank has room for all of it
};

/// Intervals of a dimension that one rank owns before and another after: `count` intervals of
/// `length` indices. Among the indices that the sender owns on this dimension, interval i begins at
/// sender + i * senderStride; among the receiver's, at receiver + i * receiverStride. With global
/// indices the two are the same.
struct StridedRun {
  std::int64_t sender = 0, receiver = 0;
  std::int64_t length = 0, count = 1;
  std::int64_t senderStride = 0, receiverStride = 0;
  bool operator==(const StridedRun &) const = default;
};

/// Calls visit(first index at the sender, first at the receiver, length) for every interval, in the
/// order in which a message is packed.
template <typename Visit> void forEachInterval(const std::vector<StridedRun> &runs, Visit visit) {
  for (const StridedRun &run : runs)
    for (std::int64_t i = 0; i < run.count; ++i)
      visit(run.sender + i * run.senderStride, run.receiver + i * run.receiverStride, run.length);
}

/// What two coordinates share on a dimension.
struct DimensionShare {
  int source = 0, destination = 0; ///< coordinates on this dimension
  std::int64_t first = 0;          ///< the first index of the array that they share
  std::int64_t indices = 0;        ///< how many indices they share
  std::vector<StridedRun> runs;
};

/// The messages of one rank. A message's elements are the product of the shares that it names, one
/// for each dimension. In two dimensions: each row index with each column index, in C order.
struct RankMessages {
  struct Entry {
    Message message;
    std::vector<std::uint32_t> shares; ///< by dimension: an index into shares[dimension]
  };
  std::vector<std::vector<DimensionShare>> shares; ///< per dimension
  std::vector<Entry> entries;                      ///< in array order

  const std::vector<StridedRun> &runs(const Entry &entry, std::size_t dimension) const {
    return shares[dimension][entry.shares[dimension]].runs;
  }
};

/// What `rank` sends, to itself included, and what it receives, in array order: by each message's
/// first element, in C order. Both distributions are of one array (the same extents); their grids
/// may differ in shape, size and ranks, and a rank that is not of a grid owns nothing there. Throws
/// std::invalid_argument if the extents differ.
///
/// Time and memory are linear in the runs; the messages are sorted, which adds a logarithm. Number
/// of runs: if both dimensions repeat, at most the runs of one common period (fewer, three for each
/// block of the other side, if its blocks are long); with gen_block at most three for each block of
/// the side with fewer blocks; with indirect at most one for each interval of one owner.
RankMessages messagesFrom(int rank, const Distribution &from, const Distribution &to,
                          Indices indices = Indices::Local);
RankMessages messagesTo(int rank, const Distribution &from, const Distribution &to,
                        Indices indices = Indices::Local);

/// The messages of all ranks, local ones included, in array order. If each rank has one interval
/// before and after (one dimension, gen_block or block): one walk along the array, linear in the
/// ranks. Otherwise everything that messagesFrom() yields, rank by rank, sorted.
std::vector<Message> messagesBetween(const Distribution &from, const Distribution &to);

} // namespace sendwright

#endif
