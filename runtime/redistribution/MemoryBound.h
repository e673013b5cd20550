// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SENDWRIGHT_REDISTRIBUTE_MEMORY: how much memory moving arrays may take beside their old and new
// blocks.

#ifndef SENDWRIGHT_RUNTIME_REDISTRIBUTION_MEMORYBOUND_H
#define SENDWRIGHT_RUNTIME_REDISTRIBUTION_MEMORYBOUND_H

#include <cstdint>
#include <optional>

namespace sendwright::redistribution {

/// A number of bytes above 0, with k, M or G behind it for 2^10, 2^20 or 2^30 of them; nothing for
/// any other text.
std::optional<std::uint64_t> parseMemory(const char *text);

/// What the environment says, `unbounded` where it says nothing, or nothing of that form, which a
/// line says then.
std::uint64_t memoryBoundFromEnvironment();

} // namespace sendwright::redistribution

#endif
