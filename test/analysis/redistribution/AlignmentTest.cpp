// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where aligned arrays lie, compared with looking at every element.

#include "analysis/redistribution/Alignment.h"

#include "analysis/file/FormatError.h"

#include <gtest/gtest.h>

#include <random>

namespace sendwright {

namespace {

using Format = DimensionFormat;

class RandomFormats {
public:
  explicit RandomFormats(unsigned seed) : random(seed) {}
  std::int64_t below(std::int64_t limit) {
    return std::uniform_int_distribution<std::int64_t>(0, limit - 1)(random);
  }

  Format format(std::int64_t extent, int processors) {
    switch (below(4)) {
    case 0:
      return Format::block(below(2) == 0 ? 0 : (extent + processors - 1) / processors + 1);
    case 1:
      return Format::cyclic(below(4));
    case 2: {
      std::vector<std::int64_t> sizes(static_cast<std::size_t>(processors));
      for (std::int64_t left = extent + below(3); left > 0; --left)
        ++sizes[static_cast<std::size_t>(below(processors))];
      return Format::genBlock(sizes);
    }
    default: {
      std::vector<std::int64_t> owners(static_cast<std::size_t>(extent));
      for (std::int64_t &owner : owners)
        owner = below(processors);
      return Format::indirect(owners);
    }
    }
  }

private:
  std::mt19937_64 random;
};

/// The message of the exception that the alignment throws, or "".
std::string problemOf(const std::vector<AlignedDimension> &dimensions,
                      const std::vector<Format> &formats,
                      const std::vector<std::int64_t> &extents) {
  try {
    alignedShape(dimensions, {"A", formats, extents, nullptr});
  } catch (const FormatError &error) {
    return error.what();
  }
  return "";
}

} // namespace

TEST(AlignmentTest, everyElementLiesWithItsPartner) {
  RandomFormats random(1);
  for (int round = 0; round < 3000; ++round) {
    const int processors = 1 + static_cast<int>(random.below(5));
    const std::int64_t extent = random.below(20), offset = random.below(extent + 1),
                       own = random.below(extent - offset + 1);
    const Format format = random.format(extent, processors);
    const DimensionDistribution target(format, extent, processors);
    const DimensionDistribution aligned(alignedFormat(format, target, offset, own), own,
                                        processors);
    EXPECT_TRUE(aligned.contiguous() || !target.contiguous());
    for (std::int64_t index = 0; index < own; ++index)
      ASSERT_EQ(aligned.ownerOf(index), target.ownerOf(index + offset)) << round;
  }
}

TEST(AlignmentTest, theSameExtentKeepsTheFormat) {
  const DimensionDistribution target(Format::cyclic(3), 20, 4);
  const Format same = alignedFormat(Format::cyclic(3), target, 0, 20);
  EXPECT_EQ(same.kind, Format::Kind::Cyclic);
  EXPECT_EQ(same.blockLength, 3);
  EXPECT_EQ(alignedFormat(Format::cyclic(3), target, 0, 17).kind, Format::Kind::Cyclic);
  EXPECT_EQ(alignedFormat(Format::cyclic(3), target, 1, 17).kind, Format::Kind::Indirect);
}

TEST(AlignmentTest, dimensionsLieAlongOthersOrAreWhole) {
  const std::vector<Format> formats{Format::collapsed(), Format::block(), Format::collapsed()};
  const std::vector<std::int64_t> extents{5, 12, 7};
  const Distribution distribution(formats, extents, {3});
  const AlignedShape shape =
      alignedShape({{1, 2, -1}, {{}, 0, 4}, {0, 0, -1}}, {"A", formats, extents, &distribution});
  EXPECT_EQ(shape.extents, (std::vector<std::int64_t>{10, 4, 5}));
  EXPECT_EQ(shape.formats[0].sizes, (std::vector<std::int64_t>{2, 4, 4}));
  EXPECT_EQ(shape.formats[1].kind, Format::Kind::Collapsed);
  EXPECT_EQ(shape.formats[2].kind, Format::Kind::Collapsed);
}

TEST(AlignmentTest, saysWhyAnArrayCannotLieThere) {
  const std::vector<Format> both{Format::block(), Format::cyclic()},
      first{Format::block(), Format::collapsed()};
  const std::vector<std::int64_t> extents{10, 6};
  EXPECT_EQ(problemOf({{0, 0, -1}, {1, 0, -1}}, both, extents), "");
  EXPECT_EQ(problemOf({{0, 0, -1}}, first, extents), "");
  EXPECT_EQ(problemOf({{1, 0, -1}, {0, 0, -1}}, first, extents), "");
  EXPECT_EQ(
      problemOf({{1, 0, -1}, {0, 0, -1}}, both, extents),
      "dimension 2 lies along dimension 1, expected the divided dimensions in the order of A");
  EXPECT_EQ(problemOf({{0, 0, -1}}, both, extents),
            "nothing lies along dimension 2 of A, which is divided, so each processor would have a "
            "copy; expected * for it");
  EXPECT_EQ(problemOf({{0, 0, 11}}, first, extents),
            "dimension 1 has an extent of 11, expected at most 10, as far as A reaches");
  EXPECT_EQ(problemOf({{0, 3, 8}}, first, extents),
            "dimension 1 has an extent of 8, expected at most 7, as far as A reaches");
  EXPECT_EQ(problemOf({{0, -1, 8}}, first, extents),
            "dimension 1 begins at index -1 of A, expected 0 to 10");
  EXPECT_EQ(problemOf({{2, 0, 8}}, first, extents),
            "dimension 1 lies along dimension 3, expected 1 to 2");
  EXPECT_EQ(problemOf({{0, 0, 8}, {0, 0, 8}}, first, extents),
            "two dimensions lie along dimension 1, expected one");
  EXPECT_EQ(problemOf({{0, 0, 8}, {{}, 0, -1}}, first, extents),
            "dimension 2 has no extent, expected one where * stands");
}

} // namespace sendwright
