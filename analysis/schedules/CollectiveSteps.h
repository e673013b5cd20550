// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the files of collective algorithms share: pieces of a message, ranks relative to the root,
// ranges of slots.

#ifndef SENDWRIGHT_ANALYSIS_SCHEDULES_COLLECTIVESTEPS_H
#define SENDWRIGHT_ANALYSIS_SCHEDULES_COLLECTIVESTEPS_H

#include "analysis/machine/MessageCost.h"
#include "analysis/schedules/Collectives.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace sendwright {

// Declares every algorithm.
#define COLLECTIVE_ALGORITHM(operation, name) extern const CollectiveAlgorithm name;
#define FURTHER_ALGORITHM(operation, name) extern const CollectiveAlgorithm name;
#define TEST_ALGORITHM(operation, name) extern const CollectiveAlgorithm name;
#include "analysis/schedules/CollectiveAlgorithms.def"

/// ceil(log2 count): the rounds in which one rank becomes `count` ranks by doubling.
inline std::uint32_t doublings(std::uint32_t count) {
  return count <= 1 ? 0 : static_cast<std::uint32_t>(std::bit_width(count - 1));
}

inline FormulaKind alwaysExact(std::uint32_t) { return FormulaKind::Exact; }
inline FormulaKind alwaysBound(std::uint32_t) { return FormulaKind::Bound; }
inline FormulaKind alwaysEstimate(std::uint32_t) { return FormulaKind::Estimate; }
inline FormulaKind boundForPowers(std::uint32_t ranks) {
  return std::has_single_bit(ranks) ? FormulaKind::Bound : FormulaKind::Estimate;
}
inline FormulaKind exactForPowers(std::uint32_t ranks) {
  return std::has_single_bit(ranks) ? FormulaKind::Exact : FormulaKind::Bound;
}

/// The rank `relative` places after the root.
inline std::uint32_t rankAt(const CollectiveTask &task, std::uint32_t relative) {
  return static_cast<std::uint32_t>((std::uint64_t{relative} + task.root) % task.ranks);
}

/// `count` slots from `first` on, in a circle of `total` slots.
inline std::vector<std::uint32_t> slotRange(std::uint32_t first, std::uint32_t count,
                                            std::uint32_t total) {
  std::vector<std::uint32_t> slots(count);
  for (std::uint32_t index = 0; index < count; ++index)
    slots[index] = static_cast<std::uint32_t>((std::uint64_t{first} + index) % total);
  return slots;
}

/// Bytes of a message before piece `piece` of `pieces`.
inline std::uint64_t bytesBefore(std::uint64_t bytes, std::uint32_t piece, std::uint32_t pieces) {
  return bytes / pieces * piece + bytes % pieces * piece / pieces;
}

/// Bytes of `count` pieces from `first` on, in a circle of `pieces` pieces.
inline std::uint64_t bytesOfPieces(std::uint64_t bytes, std::uint32_t first, std::uint32_t count,
                                   std::uint32_t pieces) {
  const std::uint64_t end = std::uint64_t{first} + count;
  if (end <= pieces)
    return bytesBefore(bytes, static_cast<std::uint32_t>(end), pieces) -
           bytesBefore(bytes, first, pieces);
  return bytes - bytesBefore(bytes, first, pieces) +
         bytesBefore(bytes, static_cast<std::uint32_t>(end - pieces), pieces);
}

/// The largest of `pieces` pieces of a message.
inline double largestPiece(std::uint64_t bytes, std::uint32_t pieces) {
  const std::uint64_t whole = bytes / pieces;
  return static_cast<double>(bytes % pieces == 0 ? whole : whole + 1);
}

/// `count` steps of a chain in which every rank receives and then sends what it received.
inline double chainSeconds(const LinkParameters &link, double bytes, double count) {
  if (count < 1)
    return 0;
  const MessageCost cost = messageCost(link, bytes);
  return cost.delivery() + (count - 1) * cost.step();
}

/// A broadcast along a 4-nomial tree: a level takes three sends; the last arrives T(n) after it
/// leaves.
inline double fourNomialBroadcastSeconds(const CollectiveTask &task, const LinkParameters &link) {
  const MessageCost cost = messageCost(link, static_cast<double>(task.bytes));
  const std::uint32_t levels = (doublings(task.ranks) + 1) / 2;
  return levels * (2 * cost.sendInterval() + cost.step());
}
/// A broadcast along a binary tree: a level takes two sends.
inline double binaryBroadcastSeconds(const CollectiveTask &task, const LinkParameters &link) {
  const MessageCost cost = messageCost(link, static_cast<double>(task.bytes));
  return (std::bit_width(std::max(task.ranks, 1u)) - 1.0) * (cost.sendInterval() + cost.step());
}

/// The root sends a message of n bytes to every other rank, or every other rank sends one to the
/// root.
inline double fromRootSeconds(const CollectiveTask &task, const LinkParameters &link) {
  if (task.ranks < 2)
    return 0;
  const MessageCost cost = messageCost(link, static_cast<double>(task.bytes));
  return (task.ranks - 2) * cost.sendInterval() + cost.delivery();
}
inline double toRootSeconds(const CollectiveTask &task, const LinkParameters &link) {
  if (task.ranks < 2)
    return 0;
  const MessageCost cost = messageCost(link, static_cast<double>(task.bytes));
  return (task.ranks - 2) * cost.receiveInterval() + cost.delivery();
}

/// The sum of T(2^k n) over the rounds in which blocks of n bytes from `ranks` ranks are collected
/// or spread by doubling; the last round may carry less.
inline double doublingSeconds(const LinkParameters &link, double bytes, std::uint32_t ranks) {
  double seconds = 0;
  for (std::uint32_t held = 1; held < ranks && held != 0; held *= 2)
    seconds += messageCost(link, bytes * std::min(held, ranks - held)).delivery();
  return seconds;
}

// Building blocks of several collectives. They append to a builder.

/// Spreads pieces 0, 1, ... of the root's message over ranks root, root + 1, ...
void buildBinomialScatter(ScheduleBuilder &builder, const CollectiveTask &task, bool pieces);
/// The reverse: rank root + i begins with slot i.
void buildBinomialGather(ScheduleBuilder &builder, const CollectiveTask &task, bool pieces);
/// Everyone gets all blocks; rank root + i begins with block (or piece) i.
void buildRingAllgather(ScheduleBuilder &builder, const CollectiveTask &task, bool pieces);
void buildDoublingAllgather(ScheduleBuilder &builder, const CollectiveTask &task, bool pieces);
/// Piece i is combined at rank root + i.
void buildRingReduceScatter(ScheduleBuilder &builder, const CollectiveTask &task);

/// Bytes of `count` blocks from `first` on: pieces of a message, or one block for each rank.
inline std::uint64_t bytesOfBlocks(const CollectiveTask &task, bool pieces, std::uint32_t first,
                                   std::uint32_t count) {
  return pieces ? bytesOfPieces(task.bytes, first, count, task.ranks) : task.bytes * count;
}

} // namespace sendwright

#endif
