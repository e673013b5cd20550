// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SENDWRIGHT_REDISTRIBUTE_MEMORY: how much memory the moving of arrays may take in addition to
// their old and new blocks.

#ifndef SENDWRIGHT_RUNTIME_REDISTRIBUTION_MEMORYBOUND_H
#define SENDWRIGHT_RUNTIME_REDISTRIBUTION_MEMORYBOUND_H

#include <cstdint>
#include <optional>

namespace sendwright::redistribution {

/// A number of bytes above 0; a suffix k, M or G multiplies it by 2^10, 2^20 or 2^30. Nothing for
/// any other text.
std::optional<std::uint64_t> parseMemory(const char *text);

/// The bound from the environment; `unbounded` if the variable is not set, or, after a message, if
/// its value is malformed.
std::uint64_t memoryBoundFromEnvironment();

} // namespace sendwright::redistribution

#endif
