// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Communication matrices: who sends how many items to whom, as text.
//
// a comment; "K=24" in a comment on the first line fixes the number of ranks
//     SENDER: DEST:COUNT DEST:COUNT ...

#ifndef SENDWRIGHT_ANALYSIS_FILE_MATRIXFILE_H
#define SENDWRIGHT_ANALYSIS_FILE_MATRIXFILE_H

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sendwright {

struct MatrixEntry {
  int destination = 0;
  std::uint64_t items = 0; ///< in one message; at least 1
  bool operator==(const MatrixEntry &) const = default;
};

struct CommunicationMatrix {
  std::vector<std::vector<MatrixEntry>> rows; ///< per sender, in the order of the file
  bool sizeDeclared = false;                  ///< the file says K=N
};

/// Reads the matrix file `name` ("-": standard input). Throws FormatError "NAME:LINE: ..." if the
/// file cannot be read or breaks the grammar: a malformed number, a rank at or beyond K=N, a sender
/// with two lines, a destination twice in a line. Entries with COUNT 0 send nothing and are
/// dropped. Linear in the file's size.
CommunicationMatrix readMatrix(const std::string &name);

/// The same from memory; `name` is for messages.
CommunicationMatrix parseMatrix(std::string_view text, const std::string &name);

/// Writes a matrix in pieces, as readMatrix() reads it; its first line declares the number of ranks
/// and may have a `comment`, which is escaped. Ranks that send nothing have no line. Linear in the
/// matrix.
void formatMatrix(const CommunicationMatrix &matrix, const std::string &comment,
                  const std::function<void(std::string_view)> &write);

/// The bytes of a whole file ("-": standard input). Throws FormatError if it cannot be read.
std::string readTextFile(const std::string &name);

} // namespace sendwright

#endif
