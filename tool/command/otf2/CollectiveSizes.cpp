// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/otf2/CollectiveSizes.h"

namespace sendwright {

namespace {

std::uint64_t saturatingProduct(std::uint64_t one, std::uint64_t other) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(one, other, &product) ? UINT64_MAX : product;
}

/// How many members get what the rank contributes, and from how many it gets as much.
struct Copies {
  std::uint64_t sent = 0, received = 0;
};

Copies copiesOf(const MpiFunction &function, const CollectivePlace &place) {
  const std::uint64_t members = place.members;
  if (function.amount == CollectiveAmount::BlockForEach ||
      function.amount == CollectiveAmount::CountForEach)
    return {1, 1}; // the contribution is all of the blocks together
  switch (function.flow) {
  case CollectiveFlow::AllToAll:
    return {members, members};
  case CollectiveFlow::FromRoot:
    return {place.isRoot ? members : 0, 1};
  case CollectiveFlow::ToRoot:
    return {1, place.isRoot ? members : 0};
  case CollectiveFlow::Prefix: {
    const bool excludesOwn =
        function.id == MpiFunctionId::Exscan || function.id == MpiFunctionId::Iexscan;
    const std::uint64_t own = excludesOwn ? 0 : 1;
    return {members - 1 - place.index + own, place.index + own};
  }
  case CollectiveFlow::None:
    break;
  }
  return {1, 0};
}

} // namespace

CollectiveSizes sizesOf(const MpiFunction &function, std::uint64_t bytes,
                        const CollectivePlace &place) {
  const Copies copies = copiesOf(function, place);
  return {saturatingProduct(bytes, copies.sent), saturatingProduct(bytes, copies.received)};
}

std::uint64_t contributedBytes(const MpiFunction &function, const CollectiveSizes &sizes,
                               const CollectivePlace &place) {
  const Copies copies = copiesOf(function, place);
  if (function.flow == CollectiveFlow::FromRoot && sizes.received > 0)
    return sizes.received;
  if (copies.sent > 0 && sizes.sent > 0)
    return sizes.sent / copies.sent;
  return copies.received > 0 ? sizes.received / copies.received : 0;
}

} // namespace sendwright
