// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists of whole numbers as options give them: "4", "0,1,2", or "@FILE".

#ifndef SENDWRIGHT_ANALYSIS_FILE_NUMBERLIST_H
#define SENDWRIGHT_ANALYSIS_FILE_NUMBERLIST_H

#include <cstdint>
#include <string>
#include <vector>

namespace sendwright {

/// Reads at least one number from 0 to `largest`, separated by commas or white space; for "@FILE"
/// ("@-": standard input), the numbers in that file, where `#` starts a comment. Throws FormatError
/// with the file's line or with `option`: "found ..., expected " and then `expected`. Linear.
std::vector<std::uint64_t> parseNumberList(const std::string &value, const std::string &option,
                                           const char *expected, std::uint64_t largest);

} // namespace sendwright

#endif
