// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/transformation/JointSum.h"

#include "analysis/file/Hashing.h"

#include <string_view>

namespace sendwright {

void JointSum::add(const ByteWriter &what, std::uint64_t times) {
  const std::string_view bytes = what.view();
  const XXH128_hash_t digest = XXH3_128bits(bytes.data(), bytes.size());
  sum[0] += times * digest.low64;
  sum[1] += times * digest.high64;
}

/// If several ranks do so, their shares must not add up to zero.
void JointSum::spoil() {
  ByteWriter what;
  what.text("a part that contradicts itself");
  add(what);
}

} // namespace sendwright
