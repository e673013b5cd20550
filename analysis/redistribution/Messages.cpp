// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// There are three ways to enumerate what two families of blocks share. Sender and receiver must use
// the same one, so the two distributions alone decide: the way with the least work over all ranks.
//
//  pieces          every intersection of a block before with a block after, in one common period,
//                  each repeated to the end of the array; always where a map says who owns what;
//  blocks after    each block after, cut out of the families before;
//  blocks before   each block before, cut out of the families after.
//
// A family cut by an interval is at most three runs: a block cut off at the interval's beginning,
// whole blocks, and a block cut off at its end.

#include "analysis/redistribution/Messages.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <tuple>

namespace sendwright {

namespace {

enum class Enumeration { Pieces, BlocksAfter, BlocksBefore };

class DimensionMeeting {
public:
  DimensionMeeting(const DimensionDistribution &from, const DimensionDistribution &to,
                   Indices indices)
      : from(from), to(to), indices(indices), window(from.extent()) {
    repeat();
    const double blocksBefore = static_cast<double>(from.blocks());
    const double blocksAfter = static_cast<double>(to.blocks());
    const double periods = static_cast<double>(std::max<std::int64_t>(from.extent(), 1)) /
                           static_cast<double>(std::max<std::int64_t>(window, 1));
    const double pieces = (blocksBefore + blocksAfter) / periods;
    const double after = 3 * blocksAfter * from.processors();
    const double before = 3 * blocksBefore * to.processors();
    const bool mapped = from.mapped() || to.mapped();
    enumeration = mapped || pieces <= std::min(before, after) ? Enumeration::Pieces
                  : after <= before                           ? Enumeration::BlocksAfter
                                                              : Enumeration::BlocksBefore;
  }

  std::vector<DimensionShare> sharesFrom(int coordinate) { return sharesOf(coordinate, true); }
  std::vector<DimensionShare> sharesTo(int coordinate) { return sharesOf(coordinate, false); }

private:
  struct Found {
    int peer;
    std::int64_t first;
    StridedRun run;
  };

  /// Uses the common period if there is one and it is shorter than the array.
  void repeat() {
    const std::int64_t before = from.period(), after = to.period();
    if (before == 0 || after == 0)
      return;
    const std::int64_t step = before / std::gcd(before, after);
    if (step > window / after)
      return;
    window = std::max<std::int64_t>(step * after, 1);
    senderStride = window / from.processors();
    receiverStride = window / to.processors();
  }

  std::vector<DimensionShare> sharesOf(int own, bool sending) {
    found.clear();
    const bool ownBlocks = enumeration == (sending ? Enumeration::BlocksBefore //
                                                   : Enumeration::BlocksAfter);
    if (enumeration == Enumeration::Pieces)
      findPieces(own, sending);
    else if (ownBlocks)
      cutOwnBlocks(own, sending);
    else
      cutOwnFamily(own, sending);
    return grouped(own, sending);
  }

  /// Divides each of our blocks in the first period by the blocks of the other side.
  void findPieces(int own, bool sending) {
    const DimensionDistribution &mine = sending ? from : to, &other = sending ? to : from;
    mine.forEachBlock(own, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t at = begin; at < end && begin < window;) {
        const std::int64_t after = std::min(end, other.blockEnd(at));
        addPeriodic(other.ownerOf(at), at, after - at);
        at = after;
      }
      return begin < window;
    });
  }

  /// Adds the piece and its repetitions in later periods; the array's end may cut off the last.
  void addPeriodic(int peer, std::int64_t begin, std::int64_t length) {
    const std::int64_t extent = from.extent();
    const std::int64_t whole = (extent - begin - length) / window + 1;
    add(peer, begin, {0, 0, length, whole, senderStride, receiverStride}, window);
    const std::int64_t next = extent - begin > window * whole ? begin + window * whole : extent;
    if (next < extent)
      add(peer, next, {0, 0, extent - next, 1, 0, 0}, 0);
  }

  /// Cuts each of our blocks out of the families of the other side.
  void cutOwnBlocks(int own, bool sending) {
    const DimensionDistribution &mine = sending ? from : to, &other = sending ? to : from;
    mine.forEachBlock(own, [&](std::int64_t begin, std::int64_t end) {
      for (int peer = 0; peer < other.processors(); ++peer)
        cut(other.owned(peer), begin, end, peer, !sending);
      return true;
    });
  }

  /// Cuts our family by every block of the other side.
  void cutOwnFamily(int own, bool sending) {
    const DimensionDistribution &mine = sending ? from : to, &other = sending ? to : from;
    const BlockFamily family = mine.owned(own);
    for (std::int64_t begin = 0; begin < other.extent() && family.count > 0;) {
      const std::int64_t end = other.blockEnd(begin);
      cut(family, begin, end, other.ownerOf(begin), sending);
      begin = end;
    }
  }

  /// The part of a family inside an interval; `before`: the family belongs to the distribution
  /// before.
  void cut(const BlockFamily &family, std::int64_t begin, std::int64_t end, int peer, bool before) {
    begin = std::max(begin, family.first);
    end = std::min(end, family.end);
    if (begin >= end)
      return;
    std::int64_t block = (begin - family.first) / family.stride;
    std::int64_t start = family.first + block * family.stride;
    if (begin > start) { // inside or behind a block
      const std::int64_t stop = std::min(end, start + family.length);
      if (begin < stop)
        add(peer, begin, {0, 0, stop - begin, 1, 0, 0}, 0);
      start += family.stride;
    }
    const std::int64_t whole =
        end - start < family.length ? 0 : (end - start - family.length) / family.stride + 1;
    if (whole > 0)
      add(peer, start,
          {0, 0, family.length, whole, before ? family.length : family.stride,
           before ? family.stride : family.length},
          family.stride);
    start += whole * family.stride;
    if (start < end)
      add(peer, start, {0, 0, end - start, 1, 0, 0}, 0);
  }

  /// `stride`: between the run's intervals in the array.
  void add(int peer, std::int64_t begin, StridedRun run, std::int64_t stride) {
    if (run.count <= 0)
      return;
    if (indices == Indices::Global) {
      run.sender = run.receiver = begin;
      run.senderStride = run.receiverStride = stride;
    } else {
      run.sender = from.localIndex(begin);
      run.receiver = to.localIndex(begin);
    }
    if (run.senderStride == run.length && run.receiverStride == run.length) {
      run.length *= run.count;
      run.count = 1;
    }
    if (run.count == 1)
      run.senderStride = run.receiverStride = 0;
    found.push_back({peer, begin, run});
  }

  std::vector<DimensionShare> grouped(int own, bool sending) {
    std::stable_sort(found.begin(), found.end(),
                     [](const Found &a, const Found &b) { return a.peer < b.peer; });
    std::vector<DimensionShare> shares;
    for (const Found &piece : found) {
      const int source = sending ? own : piece.peer, destination = sending ? piece.peer : own;
      if (shares.empty() || shares.back().source != source ||
          shares.back().destination != destination)
        shares.push_back({source, destination, piece.first, 0, {}});
      DimensionShare &share = shares.back();
      share.first = std::min(share.first, piece.first);
      share.indices += piece.run.length * piece.run.count;
      if (share.runs.empty() || !joins(share.runs.back(), piece.run))
        share.runs.push_back(piece.run);
    }
    return shares;
  }

  /// Makes single intervals of a map that lie at equal distances one run.
  bool joins(StridedRun &last, const StridedRun &next) const {
    if ((!from.mapped() && !to.mapped()) || last.length != next.length || next.count != 1)
      return false;
    const StridedRun both{last.sender,
                          last.receiver,
                          last.length,
                          last.count + 1,
                          (next.sender - last.sender) / last.count,
                          (next.receiver - last.receiver) / last.count};
    if (last.sender + last.count * both.senderStride != next.sender ||
        last.receiver + last.count * both.receiverStride != next.receiver ||
        (last.count > 1 &&
         (last.senderStride != both.senderStride || last.receiverStride != both.receiverStride)))
      return false;
    last = both;
    return true;
  }

  const DimensionDistribution &from, &to;
  const Indices indices;
  std::int64_t window; ///< the common period, or the extent
  std::int64_t senderStride = 0, receiverStride = 0;
  Enumeration enumeration;
  std::vector<Found> found;
};

void checkExtents(const Distribution &from, const Distribution &to) {
  bool equal = from.dimensions() == to.dimensions();
  for (std::size_t at = 0; equal && at < from.dimensions(); ++at)
    equal = from.dimension(at).extent() == to.dimension(at).extent();
  if (!equal)
    throw std::invalid_argument("distributions of arrays of different extents");
}

/// All combinations of one share in each dimension, and their first elements, for sorting into
/// array order.
class ShareCombinations {
public:
  ShareCombinations(RankMessages &messages, const Distribution &from, const Distribution &to)
      : messages(messages), from(from), to(to), chosen(from.dimensions()) {}

  void run() {
    combine(0, {from.rankAt(0), to.rankAt(0), 1});
    const auto firsts = [this](const RankMessages::Entry &a, const RankMessages::Entry &b) {
      for (std::size_t at = 0; at < a.shares.size(); ++at) {
        const std::int64_t firstA = messages.shares[at][a.shares[at]].first;
        const std::int64_t firstB = messages.shares[at][b.shares[at]].first;
        if (firstA != firstB)
          return firstA < firstB;
      }
      return false;
    };
    std::sort(messages.entries.begin(), messages.entries.end(), firsts);
  }

private:
  void combine(std::size_t dimension, const Message &soFar) {
    if (dimension == chosen.size()) {
      messages.entries.push_back({soFar, chosen});
      return;
    }
    for (std::uint32_t i = 0; i < messages.shares[dimension].size(); ++i) {
      const DimensionShare &share = messages.shares[dimension][i];
      chosen[dimension] = i;
      combine(dimension + 1, {soFar.source + share.source * from.rankStride(dimension),
                              soFar.destination + share.destination * to.rankStride(dimension),
                              soFar.elements * share.indices});
    }
  }

  RankMessages &messages;
  const Distribution &from, &to;
  std::vector<std::uint32_t> chosen;
};

RankMessages messagesOf(int rank, const Distribution &from, const Distribution &to, bool sending,
                        Indices indices) {
  checkExtents(from, to);
  RankMessages messages;
  messages.shares.resize(from.dimensions());
  if ((sending ? from : to).placeOf(rank) < 0)
    return messages;
  for (std::size_t at = 0; at < from.dimensions(); ++at) {
    DimensionMeeting meeting(from.dimension(at), to.dimension(at), indices);
    messages.shares[at] = sending ? meeting.sharesFrom(from.coordinate(rank, at))
                                  : meeting.sharesTo(to.coordinate(rank, at));
  }
  ShareCombinations(messages, from, to).run();
  return messages;
}

std::vector<Message> walk(const Distribution &before, const Distribution &after) {
  const DimensionDistribution &from = before.dimension(0), &to = after.dimension(0);
  std::vector<Message> messages;
  const std::int64_t extent = from.extent();
  int source = -1, destination = -1;
  std::int64_t sourceEnd = 0, destinationEnd = 0;
  for (std::int64_t at = 0; at < extent;) {
    while (sourceEnd <= at)
      sourceEnd = std::max(sourceEnd, from.owned(++source).end);
    while (destinationEnd <= at)
      destinationEnd = std::max(destinationEnd, to.owned(++destination).end);
    const std::int64_t end = std::min(sourceEnd, destinationEnd);
    messages.push_back({before.rankAt(source), after.rankAt(destination), end - at});
    at = end;
  }
  return messages;
}

} // namespace

RankMessages messagesFrom(int rank, const Distribution &from, const Distribution &to,
                          Indices indices) {
  return messagesOf(rank, from, to, true, indices);
}

RankMessages messagesTo(int rank, const Distribution &from, const Distribution &to,
                        Indices indices) {
  return messagesOf(rank, from, to, false, indices);
}

std::vector<Message> messagesBetween(const Distribution &from, const Distribution &to) {
  checkExtents(from, to);
  if (from.dimensions() == 1 && from.dimension(0).contiguous() && to.dimension(0).contiguous())
    return walk(from, to);
  std::vector<std::pair<std::vector<std::int64_t>, Message>> found;
  for (int rank = 0; rank < from.ranks(); ++rank) {
    const RankMessages messages = messagesFrom(rank, from, to);
    for (const RankMessages::Entry &entry : messages.entries) {
      std::vector<std::int64_t> first(entry.shares.size());
      for (std::size_t at = 0; at < first.size(); ++at)
        first[at] = messages.shares[at][entry.shares[at]].first;
      found.emplace_back(std::move(first), entry.message);
    }
  }
  std::sort(found.begin(), found.end(),
            [](const auto &a, const auto &b) { return a.first < b.first; });
  std::vector<Message> messages;
  messages.reserve(found.size());
  for (const auto &[first, message] : found)
    messages.push_back(message);
  return messages;
}

} // namespace sendwright
