// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides in linear time whether steps of given lengths suffice for the messages between two
// gen_block distributions.
//
// Senders and receivers are ports, messages are edges between ports. Along the array each message
// shares a port with the next or shares none, so messages form a forest. A message is inner if both
// of its ports have another message. A port has at most two inner messages, so inner messages form
// paths; all other messages, the leaves, hang on the ports of these paths: every tree is a
// caterpillar.
//
// Let steps have lengths w1 >= w2 >= ... A message of cost c may go into steps 1 to t(c), the
// number of steps with w >= c. Suppose the inner messages at a port are in steps a and b. The steps
// that its leaves may use are prefixes of 1, 2, ..., so by Hall's theorem the leaves find steps of
// their own exactly if for each j, with t = t(cost of the j-th largest leaf),
//
//    t - [a <= t] - [b <= t] >= j.
//
// So t - j = 0 forbids both a <= t and b <= t, and t - j = 1 forbids that both hold. Let A0 and A1
// be the largest t of the leaves of either kind. Then the port allows all a != b with min(a, b) >
// A0 and max(a, b) > A1.
//
// Consider the steps that the last message of a path may be in, given all messages before it. If
// they are an interval, or an interval without one step, then so are the steps of the next message:
// it must avoid the last message's step only if that message has just one step to choose from.
// Hence a walk along each path, with three numbers, decides.

#ifndef SENDWRIGHT_ANALYSIS_REDISTRIBUTION_MESSAGEPATHS_H
#define SENDWRIGHT_ANALYSIS_REDISTRIBUTION_MESSAGEPATHS_H

#include "analysis/redistribution/Messages.h"

#include <cstdint>
#include <vector>

namespace sendwright {

/// Lengths of steps, longest first: indices into MessagePaths::values(), whose last entry is 0.
using StepLengths = std::vector<std::uint32_t>;

class MessagePaths {
public:
  /// The messages listed in `wanted`, between two gen_block distributions; `costs` has a cost above
  /// 0 for each message. Throws std::invalid_argument if the messages do not form a forest of
  /// caterpillars. O(m log m).
  MessagePaths(const std::vector<Message> &messages, const std::vector<std::uint32_t> &wanted,
               const std::vector<double> &costs);

  /// The costs that occur, each once, descending, then 0.
  const std::vector<double> &values() const { return costValues; }
  /// The largest number of messages at a port.
  std::uint32_t largestDegree() const { return static_cast<std::uint32_t>(bound.size()); }
  /// A lower bound for every schedule: its j-th longest step is at least as long as the j-th
  /// largest message of any port. Has largestDegree() steps.
  const StepLengths &portBound() const { return bound; }

  /// A place where the walk along the paths gets stuck. Lengths that suffice, and that are nowhere
  /// shorter than the lengths that were tried, are nowhere shorter than some remedy, either.
  struct Obstacle {
    std::vector<StepLengths> remedies;
  };

  struct SearchLimits {
    std::uint32_t steps = 0;    ///< most steps of a remedy
    double cost = 0;            ///< remedies cost less than this
    std::size_t colourings = 0; ///< assignments to try for the best remedies of an obstacle
  };

  /// What prevents all messages from having steps of these lengths, which must be at least
  /// portBound(); empty if the lengths suffice. Linear, except for the work around obstacles.
  std::vector<Obstacle> obstacles(const StepLengths &lengths, const SearchLimits &limits) const;
  /// The sum of the lengths.
  double cost(const StepLengths &lengths) const;

  /// A schedule with steps of these lengths, which must suffice. Linear, times largestDegree().
  std::vector<std::vector<std::uint32_t>> assign(const StepLengths &lengths) const;

private:
  struct Port {
    std::uint32_t firstLeaf = 0, leafCount = 0; ///< in leaves, largest first
  };
  /// Ports p0 .. pn and inner messages e1 .. en, where ei is between p(i-1) and pi; n = 0 for a
  /// port without inner messages.
  struct Path {
    std::uint32_t firstPort = 0, firstInner = 0, inner = 0;
  };
  /// Steps low + 1 to high, except `hole`.
  struct Choice {
    std::int32_t low = 0, high = 0, hole = 0;
    bool empty() const { return high - low - (hole > low && hole <= high) <= 0; }
    std::int32_t largest() const { return high - (hole == high); }
  };
  struct Thresholds {
    std::int32_t both = 0, one = 0; ///< A0, A1
  };
  /// A part of a path: inner messages are counted from 1, ports from 0.
  struct Piece {
    std::uint32_t firstInner = 0, lastInner = 0;
    std::uint32_t firstPort = 0, lastPort = 0;
  };
  using StepCounts = std::vector<std::int32_t>; ///< by value: how many steps are at least as long
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
  std::vector<std::uint32_t> valueOf; ///< by message: an index into costValues
  StepLengths bound;
  std::vector<Port> ports;           ///< path by path
  std::vector<std::uint32_t> inner;  ///< messages, path by path
  std::vector<std::uint32_t> leaves; ///< messages, port by port
  std::vector<Path> paths;
};

} // namespace sendwright

#endif
