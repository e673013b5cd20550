// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/redistribution/MemoryBound.h"

#include "runtime/base/Interception.h"
#include "runtime/redistribution/PrivateGroups.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace sendwright::redistribution {

std::optional<std::uint64_t> parseMemory(const char *text) {
  if (*text < '0' || *text > '9')
    return std::nullopt;
  char *end = nullptr;
  errno = 0;
  const unsigned long long value = std::strtoull(text, &end, 10);
  static const char units[] = "kMG";
  int shift = 0;
  if (const char *unit = *end ? std::strchr(units, *end == 'K' ? 'k' : *end) : nullptr) {
    shift = 10 * static_cast<int>(unit - units + 1);
    ++end;
  }
  if (*end || errno || value == 0 || value > UINT64_MAX >> shift)
    return std::nullopt;
  return value << shift;
}

std::uint64_t memoryBoundFromEnvironment() {
  const char *text = std::getenv("SENDWRIGHT_REDISTRIBUTE_MEMORY");
  if (!text || !*text)
    return unbounded;
  if (const std::optional<std::uint64_t> bytes = parseMemory(text))
    return *bytes;
  sayOnce(
      "SENDWRIGHT_REDISTRIBUTE_MEMORY=%s is ignored, expected a number of bytes above 0, or one "
      "followed by k, M or G",
      text);
  return unbounded;
}

} // namespace sendwright::redistribution
