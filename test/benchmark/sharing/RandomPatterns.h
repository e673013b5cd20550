// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchange patterns for measurements; the same for the same arguments, everywhere.

#ifndef SENDWRIGHT_TEST_BENCHMARK_SHARING_RANDOMPATTERNS_H
#define SENDWRIGHT_TEST_BENCHMARK_SHARING_RANDOMPATTERNS_H

#include "analysis/sharing/routes/RouteTable.h"

namespace sendwright {

/// Every rank sends to about `average` ranks, half of them near it, 1 to 20 items each.
ExchangePattern randomNeighbours(std::int32_t ranks, std::int32_t average);

/// Degrees fall by a power law from `most` so that they are `average` on average; destinations are
/// any, one item each.
ExchangePattern powerLaw(std::int32_t ranks, double average, std::int32_t most);

} // namespace sendwright

#endif
