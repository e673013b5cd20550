// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the large messages of a loop leave, one after another. Three ways are tried and measured:
//
//     as usual        Each leaves as the program sends it. MPI asks the receiver of a large message
//                     before it sends anything (rendezvous). On its way back the answer may wait
//                     behind what the receiver sends itself, and meanwhile the sender's link is
//                     idle.
//     leading parts   The leading part of each leaves with the question, and fills this time
//                     (runtime/batch/LeadingPart.h); but the message may be copied once more.
//     paced           The same, and no message leaves sooner than at the best rate at which the
//                     loop has ever sent: MPI reports a message as sent while most of it is still
//                     on this side of the link, and the next one would meet another sender's at its
//                     receiver.
//
// Which one is fastest depends on the network and on MPI. So executions take turns: first as usual
// and with leading parts; then, if these pay, paced or not.

#ifndef SENDWRIGHT_ANALYSIS_ORDERING_ISSUETRIAL_H
#define SENDWRIGHT_ANALYSIS_ORDERING_ISSUETRIAL_H

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace sendwright {

enum class WayOfIssue : std::uint8_t { AsUsual, LeadingParts, Paced };

/// For one loop at one rank. Other ranks decide for themselves: receivers need not know. Not
/// thread-safe.
class IssueTrial {
public:
  /// How messages leave in the next execution.
  WayOfIssue way() const { return isDecided() ? chosen : turns[tried]; }
  bool isDecided() const { return tried == end; }
  /// The execution took so many seconds for each byte that it sent. Not after the decision.
  void add(double secondsPerByte) {
    if (tried > 0) { // the first execution also makes connections
      least = std::min(least, secondsPerByte);
      const std::size_t way = indexOf(turns[tried]);
      times[way][counts[way]++] = secondsPerByte;
    }
    if (++tried == end)
      decide();
  }
  /// The least that was measured; infinite before the first measured execution.
  double leastSecondsPerByte() const { return least; }

private:
  using Way = WayOfIssue;
  static constexpr std::size_t each = 3;     ///< a message that is lost on the network changes one
  static constexpr double worthwhile = 0.97; ///< else the difference may be chance
  /// Ways come early and late alike.
  static constexpr std::array turns = {
      Way::AsUsual,      Way::LeadingParts, Way::AsUsual,     Way::AsUsual,      Way::LeadingParts,
      Way::LeadingParts, Way::AsUsual,      Way::Paced,       Way::LeadingParts, Way::LeadingParts,
      Way::Paced,        Way::Paced,        Way::LeadingParts};
  static constexpr std::size_t firstEnd = 7;
  using Times = std::array<double, each>;

  static constexpr std::size_t indexOf(Way way) { return static_cast<std::size_t>(way); }
  void decide() {
    const Way other = end == firstEnd ? Way::LeadingParts : Way::Paced;
    if (median(other) >= worthwhile * median(chosen))
      return;
    chosen = other;
    if (end == firstEnd) {
      end = turns.size();
      counts[indexOf(Way::LeadingParts)] = 0; // measured anew beside the paced ones
    }
  }
  double median(Way way) const {
    Times sorted = times[indexOf(way)];
    std::ranges::sort(sorted);
    return sorted[each / 2];
  }

  std::size_t tried = 0, end = firstEnd;
  Way chosen = Way::AsUsual;
  std::array<Times, 3> times = {};
  std::array<std::size_t, 3> counts = {};
  double least = std::numeric_limits<double>::infinity();
};

} // namespace sendwright

#endif
