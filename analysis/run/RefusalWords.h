// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the sentences of refusals have in common: ranks and places.

#ifndef SENDWRIGHT_ANALYSIS_RUN_REFUSALWORDS_H
#define SENDWRIGHT_ANALYSIS_RUN_REFUSALWORDS_H

#include <cstdint>
#include <string>

namespace sendwright {

/// "rank 3".
inline std::string nameOfRank(std::int64_t rank) { return "rank " + std::to_string(rank); }

/// " at app.c:40"; "" if the place is unknown (""). `place`: from callPlace() (TraceLocation.h).
inline std::string atPlace(const std::string &place) { return place.empty() ? "" : " at " + place; }

} // namespace sendwright

#endif
