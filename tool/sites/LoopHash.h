// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A number for the text of a loop that survives reformatting: comments and white space do not
// count.

#ifndef SENDWRIGHT_TOOL_SITES_LOOPHASH_H
#define SENDWRIGHT_TOOL_SITES_LOOPHASH_H

#include "clang/Basic/LangOptions.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace sendwright {

/// XXH3 (64 bits) over the raw tokens of `text`, macros unexpanded. Line markers of a preprocessor
/// ("# 12 "app.c"") do not count. Linear.
std::uint64_t hashTokens(llvm::StringRef text, const clang::LangOptions &language);

} // namespace sendwright

#endif
