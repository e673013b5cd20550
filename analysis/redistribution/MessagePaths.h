// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which lengths of steps suffice for the messages between two gen_block distributions, in linear
// time.
//
// Senders and receivers are ports, messages edges between them. Along the array each message shares
// a port with the next, or none, so that they form a forest. An inner message is one both of whose
// ports have another message; a port has at most two of these, so they form paths, and all others,
// the leaves, hang on the ports of these paths: every tree is a caterpillar.
//
// Let steps have lengths w1 >= w2 >= ... A message of cost c may go into steps 1 to t(c), the
// number of steps with w >= c. Say that the inner messages at a port are in steps a and b. What its
// leaves may use are prefixes of 1, 2, ..., so by Hall's theorem they find steps of their own
// exactly when for each j, with t = t(cost of the j-th largest leaf),
//
//     t - [a <= t] - [b <= t] >= j.
//
// So t - j = 0 forbids both a <= t and b <= t, and t - j = 1 that both hold. With A0 and A1 the
// largest t of either sort of leaf, the port allows all a != b with min(a, b) > A0 and
// max(a, b) > A1. If the steps that the last message of a path may be in, considering all before
// it, are an interval but for at most one, so are those of the next message: it is different from
// the last one's step only where that has but one to choose from. Hence a walk along each path,
// with three numbers, decides.

#ifndef SENDWRIGHT_ANALYSIS_REDISTRIBUTION_MESSAGEPATHS_H
#define SENDWRIGHT_ANALYSIS_REDISTRIBUTION_MESSAGEPATHS_H

#include "analysis/redistribution/Messages.h"

#include <cstdint>
#include <vector>

namespace sendwright {

/// Lengths of steps, longest first: each an index into MessagePaths::values(), whose last entry
/// is 0.
using StepLengths = std::vector<std::uint32_t>;

class MessagePaths {
public:
  /// The messages that `wanted` names, between two gen_block distributions, with a cost above 0 for
  /// each message. Throws std::invalid_argument where they form no forest of caterpillars.
  /// O(m log m).
  MessagePaths(const std::vector<Message> &messages, const std::vector<std::uint32_t> &wanted,
               const std::vector<double> &costs);

  /// The costs that occur, each once, descending, and 0.
  const std::vector<double> &values() const { return costValues; }
  /// The largest number of messages at a port.
  std::uint32_t largestDegree() const { return static_cast<std::uint32_t>(bound.size()); }
  /// What every schedule needs: its j-th longest step is at least as long as the j-th largest
  /// message of any port. As many steps as largestDegree().
  const StepLengths &portBound() const { return bound; }

  /// A place where the walk along the paths gets stuck. Lengths that suffice and are nowhere
  /// shorter than those looked at are nowhere shorter than one of the remedies, either.
  struct Obstacle {
    std::vector<StepLengths> remedies;
  };

  struct SearchLimits {
    std::uint32_t steps = 0;    ///< remedies have at most so many
    double cost = 0;            ///< and cost less
    std::size_t colourings = 0; ///< so many ways are tried to find the best remedies of an obstacle
  };

  /// What is in the way of all messages having steps of these lengths, at least portBound();
  /// nothing where they suffice. Linear but for what is around an obstacle.
  std::vector<Obstacle> obstacles(const StepLengths &lengths, const SearchLimits &limits) const;
  /// The sum of the lengths.
  double cost(const StepLengths &lengths) const;

  /// Steps as long as these lengths, which suffice. Linear but for a factor of largestDegree().
  std::vector<std::vector<std::uint32_t>> assign(const StepLengths &lengths) const;

private:
  struct Port {
    std::uint32_t firstLeaf = 0, leafCount = 0; ///< in leaves, the largest first
  };
  /// Ports p0 .. pn and inner messages e1 .. en, where ei is between p(i-1) and pi; n = 0 for a
  /// port without inner messages.
  struct Path {
    std::uint32_t firstPort = 0, firstInner = 0, inner = 0;
  };
  /// Steps low + 1 to high, but for `hole`.
  struct Choice {
    std::int32_t low = 0, high = 0, hole = 0;
    bool empty() const { return high - low - (hole > low && hole <= high) <= 0; }
    std::int32_t largest() const { return high - (hole == high); }
  };
  struct Thresholds {
    std::int32_t both = 0, one = 0; ///< A0, A1
  };
  /// Of a path: inner messages counted from 1, ports from 0.
  struct Piece {
    std::uint32_t firstInner = 0, lastInner = 0;
    std::uint32_t firstPort = 0, lastPort = 0;
  };
  using StepCounts = std::vector<std::int32_t>; ///< per value: how many steps are as long
  class Builder;

  StepCounts countSteps(const StepLengths &lengths) const;
  Thresholds thresholds(const Port &port, const StepCounts &counts) const;
  static Choice restricted(Choice choice, std::int32_t low);
  static Choice following(Choice last, const Thresholds &port, std::int32_t high);
  std::vector<std::uint32_t> walk(const Path &path, const StepCounts &counts,
                                  std::vector<Choice> *choices) const;
  Piece pieceBefore(const Path &path, const StepCounts &counts, std::uint32_t end) const;
  std::vector<StepLengths> raises(const Path &path, const Piece &piece, const StepCounts &counts,
                                  const StepLengths &lengths) const;
  class PieceColouring;

  void assignPath(const Path &path, const StepCounts &counts,
                  std::vector<std::vector<std::uint32_t>> &schedule) const;
  void assignLeaves(const Port &port, const StepCounts &counts, std::int32_t before,
                    std::int32_t after, std::vector<std::vector<std::uint32_t>> &schedule) const;

  std::vector<double> costValues;
  std::vector<std::uint32_t> valueOf; ///< per message, an index into costValues
  StepLengths bound;
  std::vector<Port> ports;           ///< path by path
  std::vector<std::uint32_t> inner;  ///< messages, path by path
  std::vector<std::uint32_t> leaves; ///< messages, port by port
  std::vector<Path> paths;
};

} // namespace sendwright

#endif
