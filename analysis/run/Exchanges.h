// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges: places of a program that communicate with one another, wherever they stand. Real
// programs post the receives of an exchange in one function, send in a second and wait in a third,
// often in several files. The messages, not the text, show what belongs together: where each was
// sent, where its receive was posted, and where the requests of both were completed.

#ifndef SENDWRIGHT_ANALYSIS_RUN_EXCHANGES_H
#define SENDWRIGHT_ANALYSIS_RUN_EXCHANGES_H

#include "analysis/trace/Matching.h"
#include "analysis/trace/Profile.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace sendwright {

/// Where a call stands: in a marked loop, or otherwise where it was called from.
struct Place {
  int site = noSite;  ///< index into Profile::sites
  std::string caller; ///< for calls outside of marked loops; empty if unknown
  auto operator<=>(const Place &) const = default;
};

struct Exchange {
  std::set<Place> receives;    ///< where receives are posted
  std::set<Place> sends;       ///< where the messages are sent
  std::set<Place> completions; ///< where requests of sends or receives complete; blocking calls
                               ///< have none
  std::uint64_t messages = 0, bytes = 0; ///< over all ranks, matched messages only
};

/// Joins the places of all matched messages: places that exchange messages with one another,
/// directly or through others, form one exchange. A place that only completes requests joins
/// nothing, because programs wait for unrelated things in one function. Ordered by messages, most
/// first. Near linear in the messages; `matching` must belong to this profile.
std::vector<Exchange> findExchanges(const Profile &profile, const Matching &matching);

} // namespace sendwright

#endif
