// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists of whole numbers as options give them: "4", "0,1,2", or "@FILE".

#ifndef SENDWRIGHT_ANALYSIS_FILE_NUMBERLIST_H
#define SENDWRIGHT_ANALYSIS_FILE_NUMBERLIST_H

#include <cstdint>
#include <string>
#include <vector>

namespace sendwright {

/// Reads numbers from 0 to `largest`, at least one, separated by commas or white space; of "@FILE"
/// ("@-": standard input) those of the file, where `#` starts a comment. Throws FormatError, at the
/// file's line or at `option`: "found ..., expected " with what is `expected`. Linear.
std::vector<std::uint64_t> parseNumberList(const std::string &value, const std::string &option,
                                           const char *expected, std::uint64_t largest);

} // namespace sendwright

#endif
