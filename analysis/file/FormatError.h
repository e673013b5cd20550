// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one exception of analysis/: a file that cannot be read or written, or that breaks its
// grammar.

#ifndef SENDWRIGHT_ANALYSIS_FILE_FORMATERROR_H
#define SENDWRIGHT_ANALYSIS_FILE_FORMATERROR_H

#include <stdexcept>
#include <string>
#include <string_view>

namespace sendwright {

/// what() is the whole line to print: "FILE:LINE: what is wrong, what was expected" for text,
/// "FILE: what is wrong, what was expected" for binary files. It is one line that shows what names
/// and quoted words hold (analysis/file/Escaping.h), whatever that is.
class FormatError : public std::runtime_error {
public:
  explicit FormatError(const std::string &line);
};

/// A word of a file as a message may show it: in quotes, at most 60 bytes, on one line.
std::string quoted(std::string_view word);

} // namespace sendwright

#endif
