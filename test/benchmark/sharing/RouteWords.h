// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Routes as words for write-plan, so that the runtime can execute the routes of any method.

#ifndef SENDWRIGHT_TEST_BENCHMARK_SHARING_ROUTEWORDS_H
#define SENDWRIGHT_TEST_BENCHMARK_SHARING_ROUTEWORDS_H

#include "analysis/sharing/search/Sharing.h"

#include <string>

namespace sendwright {

/// Writes FOLDER/NAME.words for each method of the pattern except for direct sending, which needs
/// no plan, and prints a line for each: its name ("phase-one", "phase-two", "store-and-forward-2"
/// to "-5", "selected"), the predicted microseconds and the method's name for a person. All
/// messages have tag 3. Returns the exit status.
int writeRouteWords(const ExchangePattern &pattern, const SharingAnalysis &analysis,
                    const std::string &folder);

} // namespace sendwright

#endif
