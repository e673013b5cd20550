// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which elements fill halos, compared with looking at every cell.

#include "analysis/redistribution/HaloExchange.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace sendwright {

namespace {

using Format = DimensionFormat;
using Cells = std::map<std::vector<std::int64_t>, std::vector<std::int64_t>>; // position: index

class RandomHalos {
public:
  explicit RandomHalos(unsigned seed) : random(seed) {}
  std::int64_t below(std::int64_t limit) {
    return std::uniform_int_distribution<std::int64_t>(0, limit - 1)(random);
  }

  Distribution distribution(std::size_t dimensions) {
    std::vector<Format> formats;
    std::vector<std::int64_t> extents;
    std::vector<int> grid;
    for (std::size_t at = 0; at < dimensions; ++at) {
      extents.push_back(1 + below(8));
      if (below(4) == 0) {
        formats.push_back(Format::collapsed());
        continue;
      }
      grid.push_back(static_cast<int>(1 + below(4)));
      std::vector<std::int64_t> sizes(static_cast<std::size_t>(grid.back()));
      for (std::int64_t left = extents.back(); left > 0; --left)
        ++sizes[static_cast<std::size_t>(below(grid.back()))];
      formats.push_back(below(2) ? Format::genBlock(sizes) : Format::block());
    }
    return Distribution(formats, extents, grid, {static_cast<int>(below(2)), 1});
  }

  std::vector<HaloDimension> halo(std::size_t dimensions) {
    std::vector<HaloDimension> made(dimensions);
    for (HaloDimension &dimension : made)
      dimension = {below(4), below(3), below(2) == 0};
    return made;
  }

private:
  std::mt19937_64 random;
};

/// All halo cells of a rank by their definition, dimension by dimension.
void defineCells(int rank, const Distribution &distribution, const std::vector<HaloDimension> &halo,
                 bool corners, std::vector<std::int64_t> position, std::vector<std::int64_t> index,
                 int outside, Cells &cells) {
  const std::size_t at = position.size();
  if (at == distribution.dimensions()) {
    if (outside == 1 || (corners && outside > 1))
      cells[position] = index;
    return;
  }
  const DimensionDistribution &dimension = distribution.dimension(at);
  const std::int64_t size = distribution.localSize(rank, at), extent = dimension.extent();
  const std::int64_t first = dimension.owned(distribution.coordinate(rank, at)).first;
  for (std::int64_t p = size == 0 ? 0 : -halo[at].lower;
       p < (size == 0 ? 0 : size + halo[at].upper); ++p) {
    const std::int64_t global = first + p;
    if (!halo[at].periodic && (global < 0 || global >= extent))
      continue;
    position.push_back(p);
    index.push_back(((global % extent) + extent) % extent);
    defineCells(rank, distribution, halo, corners, position, index, outside + (p < 0 || p >= size),
                cells);
    position.pop_back();
    index.pop_back();
  }
}

void takeCells(const HaloBox &box, const Distribution &distribution, std::size_t at,
               std::vector<std::int64_t> position, std::vector<std::int64_t> index, Cells &cells) {
  if (at == box.intervals.size()) {
    ASSERT_TRUE(cells.emplace(position, index).second);
    return;
  }
  const HaloInterval &interval = box.intervals[at];
  const DimensionDistribution &dimension = distribution.dimension(at);
  for (std::int64_t i = 0; i < interval.length; ++i) {
    ASSERT_EQ(dimension.ownerOf(interval.global + i), distribution.coordinate(box.source, at));
    ASSERT_EQ(dimension.localIndex(interval.global + i), interval.sender + i);
    position.push_back(interval.receiver + i);
    index.push_back(interval.global + i);
    takeCells(box, distribution, at + 1, position, index, cells);
    position.pop_back();
    index.pop_back();
  }
}

TEST(HaloExchange, FillsEveryCellOnce) {
  RandomHalos random(1);
  for (int round = 0; round < 1500 && !::testing::Test::HasFatalFailure(); ++round) {
    const auto dimensions = static_cast<std::size_t>(1 + random.below(3));
    const Distribution distribution = random.distribution(dimensions);
    const std::vector<HaloDimension> halo = random.halo(dimensions);
    const bool corners = random.below(2) == 0;
    for (int place = 0; place < distribution.processors(); ++place) {
      const int rank = distribution.rankAt(place);
      Cells expected, found;
      defineCells(rank, distribution, halo, corners, {}, {}, 0, expected);
      for (const HaloBox &box : haloInto(rank, distribution, halo, corners))
        takeCells(box, distribution, 0, {}, {}, found);
      ASSERT_EQ(found, expected);
    }
  }
}

TEST(HaloExchange, SendersHaveWhatReceiversExpect) {
  RandomHalos random(2);
  for (int round = 0; round < 500; ++round) {
    const auto dimensions = static_cast<std::size_t>(1 + random.below(3));
    const Distribution distribution = random.distribution(dimensions);
    const std::vector<HaloDimension> halo = random.halo(dimensions);
    const bool corners = random.below(2) == 0;
    std::map<std::pair<int, int>, std::vector<HaloBox>> sent, received;
    for (int rank = 0; rank < distribution.ranks(); ++rank) {
      for (const HaloBox &box : haloFrom(rank, distribution, halo, corners))
        sent[{box.source, box.destination}].push_back(box);
      for (const HaloBox &box : haloInto(rank, distribution, halo, corners))
        received[{box.source, box.destination}].push_back(box);
    }
    ASSERT_EQ(sent, received);
  }
}

TEST(HaloExchange, NeedsBlocks) {
  const std::vector<HaloDimension> halo = {{1, 1, false}, {0, 0, false}};
  EXPECT_TRUE(canHaveHalo(Distribution({Format::block(), Format::cyclic()}, {9, 9}, {2, 2}), halo));
  EXPECT_FALSE(
      canHaveHalo(Distribution({Format::cyclic(), Format::block()}, {9, 9}, {2, 2}), halo));
}

} // namespace

} // namespace sendwright
