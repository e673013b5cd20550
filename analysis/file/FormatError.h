// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one exception of analysis/: a file that cannot be read or written, or that breaks its
// grammar.

#ifndef SENDWRIGHT_ANALYSIS_FILE_FORMATERROR_H
#define SENDWRIGHT_ANALYSIS_FILE_FORMATERROR_H

#include <stdexcept>
#include <string>

namespace sendwright {

/// what() is the whole line to print: "FILE:LINE: what is wrong, what was expected" for text,
/// "FILE: what is wrong, what was expected" for binary files.
class FormatError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

} // namespace sendwright

#endif
