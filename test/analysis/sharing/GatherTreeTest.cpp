// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each rank has one parent, which is nearer to the leader; and no rank has many children.

#include "analysis/sharing/GatherTree.h"

#include <gtest/gtest.h>

#include <vector>

namespace sendwright {
namespace {

constexpr std::size_t sizes[] = {1, 2, 7, 8, 9, 16, 27, 63, 64, 65, 100, 1000, 4096};

TEST(GatherTree, PlacesBelowAPlaceFollowIt) {
  for (const std::size_t size : sizes) {
    const GatherTree tree(size);
    std::vector<std::size_t> below(size, 1); // with itself
    for (std::size_t place = size - 1; place > 0; --place) {
      const std::size_t parent = tree.parentOf(place);
      ASSERT_LT(parent, place) << size;
      ASSERT_LE(place + tree.nodesFrom(place), parent + tree.nodesFrom(parent)) << size;
      below[parent] += below[place];
    }
    for (std::size_t place = 0; place < size; ++place)
      EXPECT_EQ(tree.nodesFrom(place), below[place]) << place << " of " << size;
  }
}

TEST(GatherTree, ChildrenAreThoseWhoseParentItIs) {
  for (const std::size_t size : sizes) {
    const GatherTree tree(size);
    std::vector<int> isChild(size, 0);
    for (std::size_t place = 0; place < size; ++place) {
      for (const std::size_t child : tree.childrenOf(place)) {
        ASSERT_LT(child, size);
        EXPECT_EQ(tree.parentOf(child), place) << size;
        ++isChild[child];
      }
      EXPECT_LE(tree.childrenOf(place).size(), tree.mostChildren()) << size;
    }
    EXPECT_EQ(tree.childrenOf(0).size(), tree.mostChildren()) << size;
    for (std::size_t place = 1; place < size; ++place)
      EXPECT_EQ(isChild[place], 1) << place << " of " << size;
  }
}

TEST(GatherTree, HasFewLevelsWithFewChildrenEach) {
  EXPECT_EQ(GatherTree(1).mostChildren(), 0u);
  EXPECT_FALSE(GatherTree(7).isDeep());
  EXPECT_EQ(GatherTree(7).mostChildren(), 6u);
  EXPECT_EQ(GatherTree(7).levels(), 1u);
  EXPECT_TRUE(GatherTree(64).isDeep());
  EXPECT_EQ(GatherTree(64).mostChildren(), 9u);
  EXPECT_EQ(GatherTree(64).levels(), 3u);
  EXPECT_EQ(GatherTree(4096).mostChildren(), 18u);
  for (const std::size_t size : sizes) {
    const GatherTree tree(size);
    for (std::size_t place = 1; place < size; ++place) {
      std::size_t levels = 0;
      for (std::size_t next = place; next != 0; next = tree.parentOf(next))
        ++levels;
      EXPECT_LE(levels, tree.levels()) << place << " of " << size;
    }
  }
}

} // namespace
} // namespace sendwright
