// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a plan says of a send loop as an exchange, as text.

#ifndef SENDWRIGHT_TOOL_SENDWRIGHT_SHOWNSHARING_H
#define SENDWRIGHT_TOOL_SENDWRIGHT_SHOWNSHARING_H

#include "analysis/plan/Plan.h"

#include <cstdio>

namespace sendwright {

/// Prints the figures of its messages sent directly and by the fastest routes, or why it is not
/// shared.
void printSharing(std::FILE *out, const SitePlan &plan);

} // namespace sendwright

#endif
