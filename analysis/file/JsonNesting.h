// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How deep JSON nests, without parsing it: whoever copies or prints a value does so by recursion,
// and a megabyte of '[' would need more stack than there is.

#ifndef SENDWRIGHT_ANALYSIS_FILE_JSONNESTING_H
#define SENDWRIGHT_ANALYSIS_FILE_JSONNESTING_H

#include <cstddef>
#include <string_view>

namespace sendwright {

/// Where `text` nests lists and objects deeper than `most`; npos where it does not. Linear.
std::size_t findDeepNesting(std::string_view text, std::size_t most);

} // namespace sendwright

#endif
