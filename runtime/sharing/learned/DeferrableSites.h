// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which marked loops may defer what they send to their end. The plugin proved it of each but for
// the functions of other units that it calls; what those do, their units say.

#ifndef SENDWRIGHT_RUNTIME_SHARING_LEARNED_DEFERRABLESITES_H
#define SENDWRIGHT_RUNTIME_SHARING_LEARNED_DEFERRABLESITES_H

#include "runtime/include/sendwright/runtime.h"

#include <set>

namespace sendwright::adaptation {

/// Those of the units that are registered now; loops of libraries that come later are not deferred.
/// None where what units say is damaged, which one line tells. Linear in what the loops reach.
std::set<const sendwright_site *> deferrableSites();

} // namespace sendwright::adaptation

#endif
