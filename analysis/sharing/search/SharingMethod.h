// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The methods of message sharing by name, for a user who wants to see what one of them does:
//
//   fastest                   of all methods, by the cost model
//   direct                    every message on its own
//   phase1, phase2            M. Duymus's Phase I; both of his phases
//   store-and-forward[:D]     on a grid of D dimensions; without D, of the fastest
//   group                     group sharing, of the fastest number of stages

#ifndef SENDWRIGHT_ANALYSIS_SHARING_SEARCH_SHARINGMETHOD_H
#define SENDWRIGHT_ANALYSIS_SHARING_SEARCH_SHARINGMETHOD_H

#include "analysis/sharing/search/Sharing.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace sendwright {

struct SharingMethod {
  enum class Kind : std::uint8_t { Fastest, Direct, PhaseOne, PhaseTwo, StoreAndForward, Group };
  Kind kind = Kind::Fastest;
  int dimensions = 0; ///< of StoreAndForward; 0: the fastest number
};

/// What a name may be, for messages: "fastest, direct, ...".
inline constexpr std::string_view sharingMethodNames =
    "fastest, direct, phase1, phase2, store-and-forward, store-and-forward:D or group";

/// Nothing if `name` is not one of the names. D is a number from 2 to 9.
std::optional<SharingMethod> sharingMethodOf(std::string_view name);

/// The verified routes that the method has among those of `analysis`: of several, the fastest, and
/// of equally fast routes the first. Null if there are none, as for a grid of more dimensions than
/// the ranks allow. They belong to `analysis`.
const SharedRoutes *routesOf(const SharingAnalysis &analysis, SharingMethod method);

/// What selectRoutes() returns, for a method that the user named: its routes, however long they
/// take, and no others. Direct routes if the method has none.
SharingChoice selectRoutes(const ExchangePattern &pattern, const Machine &machine,
                           double bytesPerItem, SearchEffort effort, SharingMethod method);

} // namespace sendwright

#endif
