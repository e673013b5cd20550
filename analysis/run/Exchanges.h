// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges: places of a program that communicate with one another, wherever they stand. Real
// programs post the receives of an exchange in one function, send in a second and wait in a third,
// often in several files. What belongs together is not in their text but in the messages: where one
// was sent, where its receive was posted, and where the requests of both were completed.

#ifndef SENDWRIGHT_ANALYSIS_RUN_EXCHANGES_H
#define SENDWRIGHT_ANALYSIS_RUN_EXCHANGES_H

#include "analysis/trace/Matching.h"
#include "analysis/trace/Profile.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace sendwright {

/// Where a call stands: in a marked loop, or else where it was called from.
struct Place {
  int site = noSite;  ///< index into Profile::sites
  std::string caller; ///< of calls in no marked loop; empty where that is not known
  auto operator<=>(const Place &) const = default;
};

struct Exchange {
  std::set<Place> receives;    ///< where receives are posted
  std::set<Place> sends;       ///< where the messages are sent
  std::set<Place> completions; ///< where requests of either are completed; of blocking calls none
  std::uint64_t messages = 0, bytes = 0; ///< over all ranks, in what was matched
};

/// Joins the places of all matched messages: those that exchange messages with one another,
/// directly or through others, are one exchange. A place that only completes requests joins
/// nothing: programs wait for unrelated things in one function. Ordered by messages, most first.
/// Near linear in the messages; `matching` must be of this profile.
std::vector<Exchange> findExchanges(const Profile &profile, const Matching &matching);

} // namespace sendwright

#endif
