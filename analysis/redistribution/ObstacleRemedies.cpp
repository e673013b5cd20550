// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What can be done if steps of given lengths do not suffice for a piece of a path.
//
// If the piece is short, all assignments of its inner messages to steps are tried. Each assignment
// needs certain lengths: the step of an inner message must be as long as the message, and at each
// port the j-th step that inner messages leave free must be as long as the j-th largest leaf. The
// smallest of the resulting lengths remain. If the piece is long, a weaker condition is used: the
// lengths must let some message of the piece use one more step.

#include "analysis/redistribution/MessagePaths.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace sendwright {

namespace {

/// Whether `lengths` are nowhere shorter than `others`. A smaller index is a longer step.
bool nowhereShorter(const StepLengths &lengths, const StepLengths &others) {
  if (lengths.size() < others.size())
    return false;
  for (std::size_t i = 0; i < others.size(); ++i)
    if (lengths[i] > others[i])
      return false;
  return true;
}

} // namespace

class MessagePaths::PieceColouring {
public:
  PieceColouring(const MessagePaths &paths, const Path &path, const Piece &piece,
                 const SearchLimits &limits)
      : paths(paths), path(path), piece(piece), limits(limits) {}

  /// Nothing if there are too many assignments to try.
  std::optional<std::vector<StepLengths>> run(StepLengths lengths) {
    const auto steps = static_cast<std::uint32_t>(lengths.size());
    lengths.resize(std::min(limits.steps, steps + piece.lastInner - piece.firstInner + 1), none());
    if (!place(piece.firstInner, nothing, lengths, steps))
      return std::nullopt;
    std::sort(found.begin(), found.end());
    std::vector<StepLengths> smallest;
    for (auto &[cost, candidate] : found)
      if (std::none_of(smallest.begin(), smallest.end(),
                       [&](const StepLengths &other) { return nowhereShorter(candidate, other); }))
        smallest.push_back(std::move(candidate));
    return smallest;
  }

private:
  static constexpr std::uint32_t nothing = UINT32_MAX;

  std::uint32_t none() const { return static_cast<std::uint32_t>(paths.costValues.size() - 1); }

  /// Makes a step, and the steps before it, long enough.
  static void require(StepLengths &lengths, std::uint32_t step, std::uint32_t length) {
    for (std::uint32_t i = step + 1; i > 0 && lengths[i - 1] > length; --i)
      lengths[i - 1] = length;
  }

  void requireLeaves(StepLengths &lengths, std::uint32_t port, std::uint32_t before,
                     std::uint32_t after) const {
    if (port < piece.firstPort || port > piece.lastPort)
      return;
    const Port &at = paths.ports[path.firstPort + port];
    std::uint32_t step = 0;
    for (std::uint32_t j = 0; j < at.leafCount; ++j, ++step) {
      while (step == before || step == after)
        ++step;
      require(lengths, step, paths.valueOf[paths.leaves[at.firstLeaf + j]]);
    }
  }

  /// Puts inner message i into every step but that of the previous message, and into one new step.
  /// Only inner messages need new steps, because a port has no more messages than there are steps.
  /// False if there are too many assignments.
  bool place(std::uint32_t i, std::uint32_t before, const StepLengths &lengths,
             std::uint32_t used) {
    const std::uint32_t message = paths.inner[path.firstInner + i - 1];
    const auto end = std::min(used + 1, static_cast<std::uint32_t>(lengths.size()));
    for (std::uint32_t step = 0; step < end; ++step) {
      if (step == before)
        continue;
      if (++tried > limits.colourings)
        return false;
      StepLengths longer = lengths;
      require(longer, step, paths.valueOf[message]);
      requireLeaves(longer, i - 1, before, step);
      if (i == path.inner)
        requireLeaves(longer, i, step, nothing);
      const double cost = paths.cost(longer);
      if (cost >= limits.cost)
        continue;
      if (i < piece.lastInner) {
        if (!place(i + 1, step, longer, std::max(used, step + 1)))
          return false;
        continue;
      }
      while (longer.back() == none())
        longer.pop_back();
      found.emplace_back(cost, std::move(longer));
    }
    return true;
  }

  const MessagePaths &paths;
  const Path &path;
  const Piece &piece;
  const SearchLimits &limits;
  std::size_t tried = 0;
  std::vector<std::pair<double, StepLengths>> found;
};

/// Only leaves whose slack is below 2 restrict anything. A message is helped by lengthening the
/// first step that is too short for it.
std::vector<StepLengths> MessagePaths::raises(const Path &path, const Piece &piece,
                                              const StepCounts &counts,
                                              const StepLengths &lengths) const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> found; // step, length
  const auto add = [&](std::uint32_t message) {
    const std::uint32_t length = valueOf[message];
    const auto step = static_cast<std::uint32_t>(counts[length]);
    for (auto &[other, otherLength] : found)
      if (other == step) {
        otherLength = std::max(otherLength, length);
        return;
      }
    found.emplace_back(step, length);
  };
  for (std::uint32_t i = piece.firstInner; i <= piece.lastInner && i > 0; ++i)
    add(inner[path.firstInner + i - 1]);
  for (std::uint32_t i = piece.firstPort; i <= piece.lastPort; ++i) {
    const Port &port = ports[path.firstPort + i];
    const std::int32_t slack = i == 0 || i == path.inner ? 0 : 1;
    for (std::uint32_t j = 0; j < port.leafCount; ++j) {
      const std::uint32_t leaf = leaves[port.firstLeaf + j];
      if (counts[valueOf[leaf]] - static_cast<std::int32_t>(j + 1) <= slack)
        add(leaf);
    }
  }
  std::vector<StepLengths> remedies;
  for (const auto &[step, length] : found) {
    StepLengths raised = lengths;
    if (step == raised.size())
      raised.push_back(length);
    raised[step] = length;
    remedies.push_back(std::move(raised));
  }
  return remedies;
}

std::vector<MessagePaths::Obstacle> MessagePaths::obstacles(const StepLengths &lengths,
                                                            const SearchLimits &limits) const {
  std::vector<Obstacle> found;
  const StepCounts counts = countSteps(lengths);
  for (const Path &path : paths)
    for (std::uint32_t end : walk(path, counts, nullptr)) {
      const Piece piece = pieceBefore(path, counts, end);
      std::optional<std::vector<StepLengths>> remedies;
      if (limits.colourings > 0 && path.inner > 0)
        remedies = PieceColouring(*this, path, piece, limits).run(lengths);
      if (!remedies) {
        remedies = raises(path, piece, counts, lengths);
        std::erase_if(*remedies, [&](const StepLengths &remedy) {
          return remedy.size() > limits.steps || cost(remedy) >= limits.cost;
        });
      }
      found.push_back({std::move(*remedies)});
    }
  return found;
}

} // namespace sendwright
