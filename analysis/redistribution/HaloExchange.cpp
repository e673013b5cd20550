// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/redistribution/HaloExchange.h"

#include <algorithm>

namespace sendwright {

namespace {

/// A part of a coordinate's block or halo in one dimension that one coordinate owns.
struct HaloPiece {
  int owner;
  HaloInterval interval;
  bool own;
};

/// Adds the halo cells at positions from `position` on, which are the array's indices from `index`
/// on, as pieces with one owner each.
void addHalo(std::vector<HaloPiece> &pieces, const DimensionDistribution &dimension, bool periodic,
             std::int64_t position, std::int64_t index, std::int64_t count) {
  const std::int64_t extent = dimension.extent();
  while (count > 0) {
    const std::int64_t wrapped = (index % extent + extent) % extent;
    std::int64_t length = std::min(count, dimension.blockEnd(wrapped) - wrapped);
    if (index < 0)
      length = std::min(length, -index);
    if (periodic || (index >= 0 && index < extent)) {
      const int owner = dimension.ownerOf(wrapped);
      const std::int64_t first = dimension.owned(owner).first;
      pieces.push_back({owner, {wrapped - first, position, wrapped, length}, false});
    }
    index += length;
    position += length;
    count -= length;
  }
}

/// What a coordinate has in one dimension: its block, and its halo below and above. Nothing if it
/// owns nothing.
std::vector<HaloPiece> piecesOf(const DimensionDistribution &dimension, const HaloDimension &halo,
                                int coordinate) {
  std::vector<HaloPiece> pieces;
  const std::int64_t size = dimension.localSize(coordinate);
  if (size == 0)
    return pieces;
  const std::int64_t first = dimension.mapped() ? 0 : dimension.owned(coordinate).first;
  pieces.push_back({coordinate, {0, 0, first, size}, true});
  addHalo(pieces, dimension, halo.periodic, -halo.lower, first - halo.lower, halo.lower);
  addHalo(pieces, dimension, halo.periodic, size, first + size, halo.upper);
  return pieces;
}

/// Calls visit(indices) for every combination of one index below each of `counts`.
template <typename Visit>
void forEachCombination(const std::vector<std::size_t> &counts, Visit visit) {
  if (std::find(counts.begin(), counts.end(), 0U) != counts.end())
    return;
  std::vector<std::size_t> indices(counts.size());
  while (true) {
    visit(indices);
    std::size_t at = counts.size();
    while (at > 0 && ++indices[at - 1] == counts[at - 1])
      indices[--at] = 0;
    if (at == 0)
      return;
  }
}

} // namespace

std::int64_t HaloBox::elements() const {
  std::int64_t elements = 1;
  for (const HaloInterval &interval : intervals)
    elements *= interval.length;
  return elements;
}

bool canHaveHalo(const Distribution &distribution, const std::vector<HaloDimension> &halo) {
  for (std::size_t at = 0; at < halo.size(); ++at)
    if ((halo[at].lower > 0 || halo[at].upper > 0) && !distribution.dimension(at).contiguous())
      return false;
  return true;
}

std::vector<HaloBox> haloInto(int rank, const Distribution &distribution,
                              const std::vector<HaloDimension> &halo, bool corners) {
  std::vector<HaloBox> boxes;
  if (distribution.placeOf(rank) < 0)
    return boxes;
  std::vector<std::vector<HaloPiece>> pieces;
  std::vector<std::size_t> counts;
  for (std::size_t at = 0; at < distribution.dimensions(); ++at) {
    pieces.push_back(
        piecesOf(distribution.dimension(at), halo[at], distribution.coordinate(rank, at)));
    counts.push_back(pieces.back().size());
  }
  forEachCombination(counts, [&](const std::vector<std::size_t> &chosen) {
    HaloBox box{distribution.rankAt(0), rank, {}};
    int outside = 0;
    for (std::size_t at = 0; at < chosen.size(); ++at) {
      const HaloPiece &piece = pieces[at][chosen[at]];
      box.source += piece.owner * distribution.rankStride(at);
      box.intervals.push_back(piece.interval);
      outside += !piece.own;
    }
    if (outside == 1 || (corners && outside > 1))
      boxes.push_back(std::move(box));
  });
  return boxes;
}

std::vector<HaloBox> haloFrom(int rank, const Distribution &distribution,
                              const std::vector<HaloDimension> &halo, bool corners) {
  std::vector<HaloBox> boxes;
  if (distribution.placeOf(rank) < 0)
    return boxes;
  std::vector<std::vector<int>> near; // by dimension: coordinates that have cells of this rank's
  std::vector<std::size_t> counts;
  for (std::size_t at = 0; at < distribution.dimensions(); ++at) {
    const DimensionDistribution &dimension = distribution.dimension(at);
    const int own = distribution.coordinate(rank, at);
    near.emplace_back();
    for (int coordinate = 0; coordinate < dimension.processors(); ++coordinate) {
      const std::vector<HaloPiece> pieces = piecesOf(dimension, halo[at], coordinate);
      if (std::any_of(pieces.begin(), pieces.end(),
                      [own](const HaloPiece &piece) { return piece.owner == own; }))
        near.back().push_back(coordinate);
    }
    counts.push_back(near.back().size());
  }
  forEachCombination(counts, [&](const std::vector<std::size_t> &chosen) {
    int receiver = distribution.rankAt(0);
    for (std::size_t at = 0; at < chosen.size(); ++at)
      receiver += near[at][chosen[at]] * distribution.rankStride(at);
    for (HaloBox &box : haloInto(receiver, distribution, halo, corners))
      if (box.source == rank)
        boxes.push_back(std::move(box));
  });
  return boxes;
}

} // namespace sendwright
