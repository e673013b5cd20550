// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The value of SENDWRIGHT_BUFFERS: how many message buffers each rank has.

#ifndef SENDWRIGHT_RUNTIME_STRICT_BUFFERCOUNTS_H
#define SENDWRIGHT_RUNTIME_STRICT_BUFFERCOUNTS_H

#include <string>
#include <vector>

namespace sendwright::strict {

/// Numbers of buffers, indexed by rank; or `error`, one line that says what is wrong and what was
/// expected.
struct BufferCounts {
  std::vector<int> byRank;
  std::string error;
};

/// Reads "N" (for all), "N,N,..." (one for each rank), "@FILE" or "FILE" (one for each rank,
/// separated by white space or commas; # begins a comment).
BufferCounts readBufferCounts(const std::string &value, int ranks);

} // namespace sendwright::strict

#endif
