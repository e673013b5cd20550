// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/epochs/graph/SparseClocks.h"

#include <algorithm>

namespace sendwright {

namespace {

/// Whether two blocks together know more than either.
struct JointKnowledge {
  std::int32_t brings = 0, lacks = 0; ///< 0: no more than the first, the second
};

/// What both know together and, in the same pass, whether this is more than either knows.
template <typename Block>
[[gnu::always_inline]] inline JointKnowledge joinBlocks(const Block &mine, const Block &theirs,
                                                        Block &both) {
  std::int32_t brings = 0, lacks = 0;
  for (std::size_t i = 0; i < mine.size(); ++i) {
    both[i] = mine[i] < theirs[i] ? theirs[i] : mine[i];
    brings |= both[i] ^ mine[i];
    lacks |= both[i] ^ theirs[i];
  }
  return {brings, lacks};
}

#if defined(__x86_64__)
/// The same for processors that compare eight numbers at once.
template <typename Block>
[[gnu::target("avx2")]] JointKnowledge joinWide(const Block &mine, const Block &theirs,
                                                Block &both) {
  return joinBlocks(mine, theirs, both);
}
const bool isWide = __builtin_cpu_supports("avx2");
#endif

template <typename Block>
JointKnowledge joinFast(const Block &mine, const Block &theirs, Block &both) {
#if defined(__x86_64__)
  if (isWide)
    return joinWide(mine, theirs, both);
#endif
  return joinBlocks(mine, theirs, both);
}

} // namespace

SparseClocks::SparseClocks(std::uint32_t ranks)
    : blocksPerClock((ranks + blockSize - 1) / blockSize), tables(blocksPerClock),
      clockReferences{1}, blocks(1), heads(1) {}

void SparseClocks::releaseBlock(std::uint32_t block) {
  if (block != 0 && --heads[block].references == 0)
    freeBlocks.push_back(block);
}

void SparseClocks::release(ClockId clock) {
  if (clock == 0 || --clockReferences[clock] > 0)
    return;
  const std::size_t begin = std::size_t{clock} * blocksPerClock;
  for (std::uint32_t i = 0; i < blocksPerClock; ++i)
    releaseBlock(tables[begin + i]);
  freeClocks.push_back(clock);
}

/// The table of a clock, which then has no other reference.
std::uint32_t *SparseClocks::ownTable(ClockId &clock) {
  if (clock == 0 || clockReferences[clock] > 1) {
    ClockId fresh;
    if (freeClocks.empty()) {
      fresh = static_cast<ClockId>(clockReferences.size());
      clockReferences.push_back(0);
      tables.resize(tables.size() + blocksPerClock);
    } else {
      fresh = freeClocks.back();
      freeClocks.pop_back();
    }
    clockReferences[fresh] = 1;
    const std::size_t from = std::size_t{clock} * blocksPerClock,
                      to = std::size_t{fresh} * blocksPerClock;
    for (std::uint32_t i = 0; i < blocksPerClock; ++i) {
      tables[to + i] = tables[from + i];
      if (tables[to + i] != 0)
        ++heads[tables[to + i]].references;
    }
    if (clock != 0)
      --clockReferences[clock];
    clock = fresh;
  }
  return tables.data() + std::size_t{clock} * blocksPerClock;
}

/// Makes the block one that only `owner` refers to. The content of a fresh block is undefined.
void SparseClocks::own(std::uint32_t owner, std::uint32_t &block) {
  if (block == 0 || heads[block].references > 1) {
    std::uint32_t fresh;
    if (freeBlocks.empty()) {
      fresh = static_cast<std::uint32_t>(blocks.size());
      blocks.emplace_back();
      heads.emplace_back();
    } else {
      fresh = freeBlocks.back();
      freeBlocks.pop_back();
    }
    heads[fresh].references = 1;
    if (block != 0)
      --heads[block].references;
    block = fresh;
  }
  heads[block].maker = owner;
  heads[block].made = ++changes;
}

void SparseClocks::share(std::uint32_t &block, std::uint32_t other) {
  ++heads[other].references;
  releaseBlock(block);
  block = other;
}

void SparseClocks::learn(std::uint32_t owner, ClockId &clock, std::uint32_t rank,
                         std::uint32_t done) {
  if (get(clock, rank) >= done)
    return;
  std::uint32_t &block = ownTable(clock)[rank / blockSize];
  const std::uint32_t before = block;
  own(owner, block);
  if (block != before)
    blocks[block] = blocks[before];
  blocks[block][rank % blockSize] = static_cast<std::int32_t>(done);
}

void SparseClocks::learnAll(std::uint32_t owner, ClockId &clock, ClockId other) {
  if (clock == other || other == 0)
    return;
  if (clock == 0) {
    clock = copy(other);
    return;
  }
  std::uint32_t *table = ownTable(clock);
  const std::uint32_t *known = tables.data() + std::size_t{other} * blocksPerClock;
  for (std::uint32_t i = 0; i < blocksPerClock; ++i)
    if (known[i] != table[i] && known[i] != 0)
      learnBlock(owner, table[i], known[i]);
}

void SparseClocks::learnBlock(std::uint32_t owner, std::uint32_t &block, std::uint32_t other) {
  if (block == 0)
    return share(block, other);
  if (heads[block].maker == heads[other].maker && heads[block].maker != nobody) {
    if (heads[block].made < heads[other].made)
      share(block, other);
    return;
  }
  Block both;
  const auto [brings, lacks] = joinFast(blocks[block], blocks[other], both);
  if (brings != 0 && lacks != 0) {
    own(owner, block);
    blocks[block] = both;
  } else if (brings != 0 || (lacks == 0 && other < block)) {
    share(block, other); // of equal blocks always share the same one, which soon everyone has
  }
}

} // namespace sendwright
