// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which patterns of different ranks belong together, found by who sends to whom: for programs in
// which ranks leave out executions of a loop, and that make no collective calls by which the others
// could be told apart (CommonPatterns.h).
//
// Two patterns probably belong together if each is sent to the rank of the other, and both were
// executed about equally often since the last collective call: ranks tell it at different moments.
// Whoever shares them must make sure that all ranks have executed them equally often.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_PATTERNSBYPARTNERS_H
#define SENDWRIGHT_ANALYSIS_SHARING_PATTERNSBYPARTNERS_H

#include "analysis/sharing/CommonPatterns.h"

#include <cstdint>
#include <vector>

namespace sendwright {

/// The ranks to which one rank sends, ascending, for each of its patterns, less 1.
using Destinations = std::vector<std::vector<std::int32_t>>;

/// Finds them: `ranks` and `sent` are of all ranks. Executions are counted from the last collective
/// call on. There are no patterns if the ranks have not made equally many calls. O(m p log m) for m
/// messages of a rank's patterns in all, of which p go to the same rank.
CommonPatterns findPatternsByPartners(const std::vector<PatternHistory> &ranks,
                                      const std::vector<Destinations> &sent);

} // namespace sendwright

#endif
