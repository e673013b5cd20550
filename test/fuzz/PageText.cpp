// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In the fuzzers the page of a report is its data alone: what is around it does not depend on
// files.

#include "tool/command/report/PageText.h"

namespace sendwright {

std::span<const std::string_view> pageBeforeData() { return {}; }
std::span<const std::string_view> pageAfterData() { return {}; }

} // namespace sendwright
