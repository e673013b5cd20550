// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchange patterns for measurements; the same arguments give the same pattern everywhere.

#ifndef SENDWRIGHT_TEST_BENCHMARK_SHARING_RANDOMPATTERNS_H
#define SENDWRIGHT_TEST_BENCHMARK_SHARING_RANDOMPATTERNS_H

#include "analysis/sharing/routes/RouteTable.h"

namespace sendwright {

/// Every rank sends to about `average` ranks, half of them near it, 1 to 20 items each.
ExchangePattern randomNeighbours(std::int32_t ranks, std::int32_t average);

/// Degrees fall by a power law from `most`, with the mean `average`; destinations are arbitrary,
/// with one item each.
ExchangePattern powerLaw(std::int32_t ranks, double average, std::int32_t most);

} // namespace sendwright

#endif
