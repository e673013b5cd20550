// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only exception that analysis/ throws: a file cannot be read or written, or breaks its
// grammar.

#ifndef SENDWRIGHT_ANALYSIS_FILE_FORMATERROR_H
#define SENDWRIGHT_ANALYSIS_FILE_FORMATERROR_H

#include <stdexcept>
#include <string>
#include <string_view>

namespace sendwright {

/// what() is the whole line to print: "FILE:LINE: what is wrong, what was expected" for text,
/// "FILE: what is wrong, what was expected" for binary files. Names and quoted words in it are
/// escaped (analysis/file/Escaping.h), so it is always one line.
class FormatError : public std::runtime_error {
public:
  explicit FormatError(const std::string &line);
};

/// A word of a file as a message may show it: in quotes, on one line, cut after 60 bytes.
std::string quoted(std::string_view word);

} // namespace sendwright

#endif
