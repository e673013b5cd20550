// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/PostedReceives.h"

#include <algorithm>

namespace sendwright {

bool PostedReceives::areSureToReceive(std::int32_t tag, std::uint32_t number,
                                      std::uint32_t tagNumber) const {
  const auto found = std::ranges::find(ofTags, tag, &OfTag::tag);
  const std::uint32_t sameTag = found == ofTags.end() ? 0 : found->count;
  if (sameTag != 0 && tagNumber - found->first < sameTag)
    return true;
  return number - first < sameTag + ofAnyTag;
}

} // namespace sendwright
