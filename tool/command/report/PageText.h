// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of the page around its data, in pieces, as compilers limit the length of a literal. The
// build writes the definitions (page/embed.py).

#ifndef SENDWRIGHT_TOOL_COMMAND_REPORT_PAGETEXT_H
#define SENDWRIGHT_TOOL_COMMAND_REPORT_PAGETEXT_H

#include <span>
#include <string_view>

namespace sendwright {

std::span<const std::string_view> pageBeforeData();
std::span<const std::string_view> pageAfterData();

} // namespace sendwright

#endif
