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
/// "FILE: what is wrong, what was expected" for binary files.
class FormatError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// A word of a file as a message may show it: in quotes, at most 60 characters, on one line.
inline std::string quoted(std::string_view word) {
  std::string shown(word.substr(0, 60));
  for (char &c : shown)
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f || (c & 0x80))
      c = '?';
  return "'" + shown + (word.size() > shown.size() ? "...'" : "'");
}

} // namespace sendwright

#endif
