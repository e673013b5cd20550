// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// To which exchanges of a plan the executions of a recorded run's loops belong, at each rank.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_PLANNEDEXECUTIONS_H
#define SENDWRIGHT_ANALYSIS_SHARING_PLANNEDEXECUTIONS_H

#include "analysis/run/SendLoops.h"
#include "analysis/run/Timeline.h"
#include "analysis/sharing/CollectiveMeetings.h"
#include "analysis/sharing/SharedExchanges.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace sendwright {

class PlannedExecutions {
public:
  static constexpr std::uint32_t nothing = ExchangeTurns::nothing;

  /// An execution in which the rank sends nothing.
  struct Empty {
    std::size_t position = 0; ///< where it ends
    std::uint32_t exchange = 0;
  };

  /// `planned` maps sites of the profile to sites of the plan. Keeps no reference.
  PlannedExecutions(const Timeline &timeline, const SendLoops &loops, const SharedExchanges &plan,
                    const std::map<int, std::uint32_t> &planned);

  /// The sites of the profile whose loops have exchanges.
  const std::set<int> &sites() const { return ofLoops; }
  /// The exchange of the execution with this batch of the rank, or `nothing`.
  std::uint32_t exchangeOf(std::size_t rank, std::size_t batch) const;
  /// By position; executions that belong to nothing are left out.
  const std::vector<Empty> &emptyOnes(std::size_t rank) const { return ranks[rank].empty; }
  /// How many instances of the exchange the rank has.
  std::uint64_t count(std::size_t rank, std::uint32_t exchange) const;
  /// By exchange of the plan, at the first rank that has instances; if none has, at rank 0.
  std::vector<CollectiveMeetings::Instances> instances() const;

private:
  struct OfRank {
    std::map<std::size_t, std::uint32_t> batches; // exchanges, by batch
    std::vector<Empty> empty;
    std::map<std::uint32_t, std::vector<std::size_t>> ends; // positions, by exchange
  };
  void addLoop(const Timeline &timeline, const SendLoops &loops, const SharedExchanges &plan,
               std::size_t rank, int site, std::uint32_t planned);

  std::set<int> ofLoops;
  std::size_t exchanges;
  std::vector<OfRank> ranks;
};

} // namespace sendwright

#endif
