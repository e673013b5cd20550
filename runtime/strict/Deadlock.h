// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Judges reports: a set of ranks is deadlocked if each waits for something that only ranks of the
// set could do, and all of these are blocked. The largest such set is found by removing, until
// nothing changes, every rank whose wait may end. If something is unknown, a wait may end.
//
// This is right if all reports of the set hold at one moment, which the caller must ensure.

#ifndef SENDWRIGHT_RUNTIME_STRICT_DEADLOCK_H
#define SENDWRIGHT_RUNTIME_STRICT_DEADLOCK_H

#include "runtime/strict/Report.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace sendwright::strict {

using Reports = std::map<std::int64_t, RankReport>; ///< keyed by rank

/// The ranks that can never go on. O(ranks * waits * pending messages) at worst.
std::set<std::int64_t> deadlockedRanks(const Reports &reports);

/// Those ranks of `stuck` that ultimately wait only for one another, and for which the others wait.
std::set<std::int64_t> cycleAmong(const Reports &reports, const std::set<std::int64_t> &stuck);

/// One line for a rank of `stuck`: its call and place, the ranks that it waits for, and why it
/// waits in vain. `line` turns a Place's address into "file:line".
std::string describeWait(const Reports &reports, const std::set<std::int64_t> &stuck,
                         std::int64_t rank,
                         const std::function<std::string(const std::string &)> &line);

} // namespace sendwright::strict

#endif
