// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How deeply JSON nests, found without parsing it. Code that copies or prints a JSON value
// recurses, and a megabyte of '[' would overflow its stack.

#ifndef SENDWRIGHT_ANALYSIS_FILE_JSONNESTING_H
#define SENDWRIGHT_ANALYSIS_FILE_JSONNESTING_H

#include <cstddef>
#include <string_view>

namespace sendwright {

/// The position where `text` nests lists and objects deeper than `most`, or npos. Linear.
std::size_t findDeepNesting(std::string_view text, std::size_t most);

} // namespace sendwright

#endif
