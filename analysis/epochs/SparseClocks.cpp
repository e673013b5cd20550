// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/epochs/SparseClocks.h"

#include <algorithm>

namespace sendwright {

SparseClocks::SparseClocks(std::uint32_t ranks)
    : blocksPerClock((ranks + blockSize - 1) / blockSize), tables(blocksPerClock),
      clockReferences{1}, blocks(1), blockReferences{1} {}

void SparseClocks::releaseBlock(std::uint32_t block) {
  if (block != 0 && --blockReferences[block] == 0)
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

/// The table of a clock that has no other reference.
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
        ++blockReferences[tables[to + i]];
    }
    if (clock != 0)
      --clockReferences[clock];
    clock = fresh;
  }
  return tables.data() + std::size_t{clock} * blocksPerClock;
}

/// The block, which gets no other reference.
SparseClocks::Block &SparseClocks::ownBlock(std::uint32_t &block) {
  if (block == 0 || blockReferences[block] > 1) {
    std::uint32_t fresh;
    if (freeBlocks.empty()) {
      fresh = static_cast<std::uint32_t>(blocks.size());
      blocks.emplace_back();
      blockReferences.push_back(0);
    } else {
      fresh = freeBlocks.back();
      freeBlocks.pop_back();
    }
    blocks[fresh] = blocks[block];
    blockReferences[fresh] = 1;
    if (block != 0)
      --blockReferences[block];
    block = fresh;
  }
  return blocks[block];
}

void SparseClocks::learn(ClockId &clock, std::uint32_t rank, std::uint32_t done) {
  if (get(clock, rank) >= done)
    return;
  ownBlock(ownTable(clock)[rank / blockSize])[rank % blockSize] = done;
}

void SparseClocks::learnAll(ClockId &clock, ClockId other) {
  if (clock == other || other == 0)
    return;
  if (clock == 0) {
    clock = copy(other);
    return;
  }
  std::uint32_t *table = ownTable(clock);
  const std::uint32_t *known = tables.data() + std::size_t{other} * blocksPerClock;
  for (std::uint32_t i = 0; i < blocksPerClock; ++i) {
    if (known[i] == 0 || known[i] == table[i])
      continue;
    if (table[i] == 0) {
      table[i] = known[i];
      ++blockReferences[known[i]];
      continue;
    }
    Block &target = ownBlock(table[i]);
    const Block &source = blocks[known[i]];
    for (std::uint32_t j = 0; j < blockSize; ++j)
      target[j] = std::max(target[j], source[j]);
  }
}

} // namespace sendwright
