// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which marked loops may defer their sends to their end. The plugin proved it for each apart from
// the functions of other units that it calls; their units describe these.

#ifndef SENDWRIGHT_RUNTIME_SHARING_LEARNED_DEFERRABLESITES_H
#define SENDWRIGHT_RUNTIME_SHARING_LEARNED_DEFERRABLESITES_H

#include "runtime/include/sendwright/runtime.h"

#include <set>

namespace sendwright::adaptation {

/// The deferrable sites of the units that are registered now; loops of libraries that come later
/// are not deferred. Empty if a unit's facts are damaged, which one line reports. Linear in what
/// the loops reach.
std::set<const sendwright_site *> deferrableSites();

} // namespace sendwright::adaptation

#endif
