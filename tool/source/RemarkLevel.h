// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much the user is told.

#ifndef SENDWRIGHT_TOOL_SOURCE_REMARKLEVEL_H
#define SENDWRIGHT_TOOL_SOURCE_REMARKLEVEL_H

namespace sendwright {

enum class RemarkLevel {
  None,
  Applied, ///< what became of loops that the plan wants rewritten
  All      ///< also every other send loop, with the reason why it stays
};

} // namespace sendwright

#endif
