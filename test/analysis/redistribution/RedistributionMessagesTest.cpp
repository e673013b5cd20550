// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who sends what to whom, for every pair of kinds of distribution, compared with moving each single
// element.

#include "analysis/file/FormatError.h"
#include "analysis/redistribution/AsynchronousOrder.h"
#include "analysis/redistribution/Messages.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

namespace sendwright {

namespace {

using Format = DimensionFormat;

Distribution genBlocks(const std::vector<std::int64_t> &sizes, std::int64_t extent) {
  return Distribution({Format::genBlock(sizes)}, {extent}, {static_cast<int>(sizes.size())});
}

TEST(RedistributionMessages, OfThePapersExample) {
  const std::vector<Message> expected = {{0, 0, 9},  {1, 0, 8},  {2, 0, 9}, {3, 0, 2},
                                         {3, 1, 14}, {4, 1, 3},  {4, 2, 5}, {4, 3, 10},
                                         {4, 4, 7},  {5, 4, 15}, {5, 5, 18}};
  EXPECT_EQ(messagesBetween(genBlocks({9, 8, 9, 16, 25, 33}, 100),
                            genBlocks({28, 17, 5, 10, 22, 18}, 100)),
            expected);
}

TEST(RedistributionMessages, BlocksAreCutOffAtTheExtentAndMayBeEmpty) {
  const Distribution cut = genBlocks({4, 0, 5, 7, 3}, 12);
  EXPECT_EQ(cut.localElements(0), 4);
  EXPECT_EQ(cut.localElements(1), 0);
  EXPECT_EQ(cut.localElements(2), 5);
  EXPECT_EQ(cut.localElements(3), 3);
  EXPECT_EQ(cut.localElements(4), 0);
  EXPECT_EQ(messagesBetween(cut, genBlocks({0, 0, 0, 0, 12}, 12)),
            (std::vector<Message>{{0, 4, 4}, {2, 4, 5}, {3, 4, 3}}));
}

/// Every element of every rank by its indices in the local blocks: as the messages say it moves,
/// and as it really moves.
class ElementByElement {
public:
  ElementByElement(const Distribution &from, const Distribution &to) : from(from), to(to) {}

  void compare() {
    std::vector<std::int64_t> index(from.dimensions());
    visit(0, index);
    std::map<std::pair<int, int>, std::vector<RankMessages::Entry>> received;
    std::size_t count = 0;
    for (int rank = 0; rank < to.ranks(); ++rank) {
      const RankMessages messages = messagesTo(rank, from, to);
      for (const RankMessages::Entry &entry : messages.entries) {
        ASSERT_EQ(entry.message.destination, rank);
        compareElements(messages, entry);
        ++count;
      }
    }
    ASSERT_EQ(count, firsts.size());
    std::map<std::vector<std::int64_t>, Message> inOrder;
    for (const auto &[pair, first] : firsts)
      inOrder[first] = {pair.first, pair.second, static_cast<std::int64_t>(elements[pair].size())};
    std::vector<Message> expected;
    for (const auto &[first, message] : inOrder)
      expected.push_back(message);
    ASSERT_EQ(messagesBetween(from, to), expected);
    compareSides();
  }

private:
  using Pairs = std::vector<std::pair<std::int64_t, std::int64_t>>; // by dimension: local indices

  void visit(std::size_t dimension, std::vector<std::int64_t> &index) {
    if (dimension < index.size()) {
      for (index[dimension] = 0; index[dimension] < from.dimension(dimension).extent();
           ++index[dimension])
        visit(dimension + 1, index);
      return;
    }
    int source = from.gridRanks().first, destination = to.gridRanks().first;
    std::vector<std::pair<std::int64_t, std::int64_t>> local;
    for (std::size_t at = 0; at < index.size(); ++at) {
      source += from.dimension(at).ownerOf(index[at]) * from.rankStride(at);
      destination += to.dimension(at).ownerOf(index[at]) * to.rankStride(at);
      local.emplace_back(from.dimension(at).localIndex(index[at]),
                         to.dimension(at).localIndex(index[at]));
    }
    firsts.try_emplace({source, destination}, index);
    ++elements[{source, destination}][local];
  }

  void compareElements(const RankMessages &messages, const RankMessages::Entry &entry) {
    std::vector<Pairs> pairs(from.dimensions());
    for (std::size_t at = 0; at < pairs.size(); ++at)
      forEachInterval(messages.runs(entry, at),
                      [&](std::int64_t sender, std::int64_t receiver, std::int64_t length) {
                        for (std::int64_t i = 0; i < length; ++i)
                          pairs[at].emplace_back(sender + i, receiver + i);
                      });
    std::map<Pairs, int> moved;
    Pairs chosen;
    combine(pairs, chosen, moved);
    const auto &[source, destination, count] = entry.message;
    ASSERT_EQ(moved, (elements[{source, destination}]));
    ASSERT_EQ(static_cast<std::size_t>(count), moved.size());
  }

  static void combine(const std::vector<Pairs> &pairs, Pairs &chosen, std::map<Pairs, int> &moved) {
    if (chosen.size() == pairs.size()) {
      ++moved[chosen];
      return;
    }
    for (const auto &pair : pairs[chosen.size()]) {
      chosen.push_back(pair);
      combine(pairs, chosen, moved);
      chosen.pop_back();
    }
  }

  /// Sender and receiver pack and unpack in the same order.
  void compareSides() {
    std::map<std::pair<int, int>, std::vector<std::vector<StridedRun>>> sent;
    for (int rank = 0; rank < from.ranks(); ++rank) {
      const RankMessages messages = messagesFrom(rank, from, to);
      for (const RankMessages::Entry &entry : messages.entries)
        for (std::size_t at = 0; at < from.dimensions(); ++at)
          sent[{rank, entry.message.destination}].push_back(messages.runs(entry, at));
    }
    ASSERT_EQ(sent.size(), firsts.size());
    for (int rank = 0; rank < to.ranks(); ++rank) {
      const RankMessages messages = messagesTo(rank, from, to);
      for (const RankMessages::Entry &entry : messages.entries)
        for (std::size_t at = 0; at < from.dimensions(); ++at)
          ASSERT_EQ(messages.runs(entry, at), (sent[{entry.message.source, rank}][at]));
    }
  }

  const Distribution &from, &to;
  std::map<std::pair<int, int>, std::vector<std::int64_t>> firsts;
  std::map<std::pair<int, int>, std::map<Pairs, int>> elements;
};

class RandomDistributions {
public:
  explicit RandomDistributions(unsigned seed) : random(seed) {}

  std::int64_t below(std::int64_t limit) {
    return std::uniform_int_distribution<std::int64_t>(0, limit - 1)(random);
  }

  Format format(std::int64_t extent, int processors) {
    switch (below(5)) {
    case 3: {
      std::vector<std::int64_t> owners;
      for (const std::int64_t run = 1 + below(4); std::ssize(owners) < extent;)
        owners.resize(static_cast<std::size_t>(std::min(extent, std::ssize(owners) + run)),
                      below(processors));
      return Format::indirect(std::move(owners));
    }
    case 0:
      return Format::block(below(2) ? 0 : (extent + processors - 1) / processors + below(4) + 1);
    case 1:
      return Format::cyclic(below(6));
    case 2:
      return Format::cyclic(1 + below(extent + 5));
    default:
      std::vector<std::int64_t> sizes(static_cast<std::size_t>(processors));
      std::int64_t sum = 0;
      for (std::int64_t &size : sizes)
        sum += size = below(4) ? below(2 * extent / processors + 2) : 0;
      if (sum < extent)
        sizes[static_cast<std::size_t>(below(processors))] += extent - sum;
      return Format::genBlock(sizes);
    }
  }

  Distribution distribution(const std::vector<std::int64_t> &extents) {
    std::vector<Format> formats;
    std::vector<int> grid;
    for (std::int64_t extent : extents) {
      if (extents.size() > 1 && below(5) == 0) {
        formats.push_back(Format::collapsed());
        continue;
      }
      grid.push_back(static_cast<int>(1 + below(5)));
      formats.push_back(format(extent, grid.back()));
    }
    const GridRanks on{static_cast<int>(below(3)), static_cast<int>(1 + below(2))};
    return Distribution(formats, extents, grid, on);
  }

private:
  std::mt19937_64 random;
};

/// The owner by the definition of the format.
int definedOwner(const Format &format, std::int64_t index, std::int64_t extent, int processors) {
  if (format.kind == Format::Kind::Indirect)
    return static_cast<int>(format.sizes[static_cast<std::size_t>(index)]);
  const std::int64_t length = format.blockLength != 0 ? format.blockLength
                              : format.kind == Format::Kind::Cyclic
                                  ? 1
                                  : (extent + processors - 1) / processors;
  if (format.kind != Format::Kind::GenBlock)
    return static_cast<int>(index / length % processors);
  int owner = 0;
  for (std::int64_t end = format.sizes[0]; end <= index; end += format.sizes[++owner]) {
  }
  return owner;
}

TEST(RedistributionMessages, OwnersKeepTheirElementsInOrder) {
  RandomDistributions random(3);
  for (int round = 0; round < 1000; ++round) {
    const std::int64_t extent = random.below(90);
    const int processors = static_cast<int>(1 + random.below(6));
    const Format format = random.format(extent, processors);
    const DimensionDistribution dimension(format, extent, processors);
    std::vector<std::int64_t> counts(static_cast<std::size_t>(processors));
    for (std::int64_t index = 0; index < extent; ++index) {
      const int owner = definedOwner(format, index, extent, processors);
      ASSERT_EQ(dimension.ownerOf(index), owner);
      ASSERT_EQ(dimension.localIndex(index), counts[owner]++);
      ASSERT_GT(dimension.blockEnd(index), index);
    }
    for (int owner = 0; owner < processors; ++owner)
      ASSERT_EQ(dimension.localSize(owner), counts[owner]);
  }
}

TEST(RedistributionMessages, TheGridCountsInCOrder) {
  const Distribution array({Format::block(), Format::collapsed(), Format::cyclic()}, {7, 5, 9},
                           {2, 3});
  EXPECT_EQ(array.ranks(), 6);
  EXPECT_EQ(array.coordinate(4, 0), 1);
  EXPECT_EQ(array.coordinate(4, 2), 1);
  EXPECT_EQ(array.localSize(4, 0), 3);
  EXPECT_EQ(array.localElements(4), 3 * 5 * 3);
  EXPECT_EQ(array.localElements(6), 0);
  EXPECT_THROW(Distribution({Format::block()}, {7}, {2, 3}), FormatError);
  EXPECT_THROW(Distribution({Format::block(), Format::block()}, {7}, {2, 3}), FormatError);
}

TEST(RedistributionMessages, MoveEveryElementOfOneDimension) {
  RandomDistributions random(1);
  for (int round = 0; round < 3000 && !::testing::Test::HasFatalFailure(); ++round) {
    const std::vector<std::int64_t> extents = {random.below(90)};
    const Distribution from = random.distribution(extents), to = random.distribution(extents);
    ElementByElement(from, to).compare();
  }
}

TEST(RedistributionMessages, MoveEveryElementOfTwoDimensions) {
  RandomDistributions random(2);
  for (int round = 0; round < 500 && !::testing::Test::HasFatalFailure(); ++round) {
    const std::vector<std::int64_t> extents = {random.below(14), random.below(14)};
    const Distribution from = random.distribution(extents), to = random.distribution(extents);
    ElementByElement(from, to).compare();
  }
}

TEST(RedistributionMessages, MoveEveryElementOfManyDimensions) {
  RandomDistributions random(4);
  for (int round = 0; round < 300 && !::testing::Test::HasFatalFailure(); ++round) {
    std::vector<std::int64_t> extents(static_cast<std::size_t>(3 + random.below(5)));
    for (std::int64_t &extent : extents)
      extent = 1 + random.below(extents.size() > 4 ? 3 : 6);
    const Distribution from = random.distribution(extents), to = random.distribution(extents);
    ElementByElement(from, to).compare();
  }
}

TEST(RedistributionMessages, GlobalIndicesAreThoseOfTheArray) {
  RandomDistributions random(5);
  for (int round = 0; round < 2000; ++round) {
    const std::vector<std::int64_t> extents = {random.below(90)};
    const Distribution from = random.distribution(extents), to = random.distribution(extents);
    for (int rank = 0; rank < from.ranks(); ++rank) {
      const RankMessages messages = messagesFrom(rank, from, to, Indices::Global);
      for (const RankMessages::Entry &entry : messages.entries) {
        std::int64_t indices = 0;
        forEachInterval(messages.runs(entry, 0), [&](std::int64_t sender, std::int64_t receiver,
                                                     std::int64_t length) {
          ASSERT_EQ(sender, receiver);
          for (std::int64_t index = sender; index < sender + length; ++index, ++indices) {
            ASSERT_EQ(from.rankAt(from.dimension(0).ownerOf(index)), entry.message.source);
            ASSERT_EQ(to.rankAt(to.dimension(0).ownerOf(index)), entry.message.destination);
          }
        });
        ASSERT_EQ(indices, entry.message.elements);
      }
    }
  }
}

TEST(RedistributionMessages, AMapThatRepeatsIsAFewRuns) {
  std::vector<std::int64_t> owners(30000);
  for (std::size_t index = 0; index < owners.size(); ++index)
    owners[index] = static_cast<std::int64_t>(index / 3 % 4);
  const Distribution mapped({Format::indirect(owners)}, {30000}, {4});
  const Distribution blocks({Format::block()}, {30000}, {4});
  for (int rank = 0; rank < 4; ++rank) {
    const RankMessages messages = messagesFrom(rank, mapped, blocks);
    for (const RankMessages::Entry &entry : messages.entries)
      EXPECT_LE(messages.runs(entry, 0).size(), 3U);
  }
}

TEST(RedistributionMessages, AGridLiesOnSomeRanks) {
  const Distribution some({Format::block(), Format::block()}, {4, 6}, {2, 2}, {3, 2});
  EXPECT_EQ(some.ranks(), 10);
  EXPECT_EQ(some.processors(), 4);
  EXPECT_EQ(some.placeOf(2), -1);
  EXPECT_EQ(some.placeOf(4), -1);
  EXPECT_EQ(some.placeOf(7), 2);
  EXPECT_EQ(some.placeOf(11), -1);
  EXPECT_EQ(some.localElements(0), 0);
  EXPECT_EQ(some.localElements(9), 6);
  EXPECT_EQ(some.coordinate(7, 0), 1);
  EXPECT_EQ(some.coordinate(7, 1), 0);
}

TEST(RedistributionMessages, FewRunsDescribeLongArrays) {
  const std::int64_t extent = 100'000'000'000; // more than 2^31
  const std::vector<Format> formats = {
      Format::cyclic(),    Format::cyclic(7),
      Format::block(),     Format::cyclic(extent / 16 + 3),
      Format::cyclic(100), Format::genBlock({1, extent / 2, 5, extent})};
  for (const Format &before : formats)
    for (const Format &after : formats) {
      const Distribution from({before}, {extent}, {4}), to({after}, {extent}, {4});
      std::int64_t elements = 0;
      std::size_t runs = 0;
      for (int rank = 0; rank < 4; ++rank) {
        const RankMessages messages = messagesFrom(rank, from, to);
        for (const RankMessages::Entry &entry : messages.entries) {
          elements += entry.message.elements;
          runs += messages.runs(entry, 0).size();
        }
      }
      EXPECT_EQ(elements, extent);
      EXPECT_LE(runs, 3000U);
    }
}

std::string errorOf(const Format &format, std::int64_t extent, int processors) {
  try {
    DimensionDistribution(format, extent, processors);
  } catch (const FormatError &error) {
    return error.what();
  }
  return "";
}

TEST(RedistributionMessages, WrongDistributionsAreNamed) {
  EXPECT_EQ(errorOf(Format::genBlock({4, 5}), 10, 2),
            "the sizes of gen_block sum to 9, expected at least the extent, 10");
  EXPECT_EQ(errorOf(Format::genBlock({4, 6, 0}), 10, 2),
            "gen_block has 3 sizes, expected one for each of 2 processors");
  EXPECT_EQ(errorOf(Format::genBlock({11, -1}), 10, 2),
            "gen_block has a block of size -1, expected sizes of at least 0");
  EXPECT_EQ(errorOf(Format::block(4), 10, 2),
            "block(4) on 2 processors holds less than the extent, 10, expected a length of at "
            "least 5");
  EXPECT_EQ(errorOf(Format::cyclic(-3), 10, 2), "cyclic(-3), expected a length of at least 1");
  EXPECT_EQ(errorOf(Format::collapsed(), 10, 2),
            "a dimension that is not distributed on 2 processors, expected 1");
  EXPECT_EQ(errorOf(Format::indirect({0, 1}), 3, 2),
            "indirect names the owners of 2 indices, expected as many as the extent, 3");
  EXPECT_EQ(errorOf(Format::indirect({0, 2, 1}), 3, 2),
            "indirect gives index 1 to processor 2, expected 0 to 1");
  EXPECT_EQ(errorOf(Format::genBlock({INT64_MAX, INT64_MAX}), 10, 2), "");
  EXPECT_EQ(errorOf(Format::cyclic(INT64_MAX), INT64_MAX, 2).substr(0, 24),
            "cyclic over 2 processors");
}

} // namespace

} // namespace sendwright
