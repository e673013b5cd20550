// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/redistribution/PairDigest.h"

#include "analysis/file/Bytes.h"
#include "analysis/file/Hashing.h"

namespace sendwright {

namespace {

void writeOwners(ByteWriter &bytes, const Distribution &distribution) {
  bytes.number(static_cast<std::uint64_t>(distribution.ranks()));
  bytes.number(distribution.dimensions());
  if (distribution.gridRanks() != GridRanks()) {
    bytes.signedNumber(distribution.gridRanks().first);
    bytes.signedNumber(distribution.gridRanks().stride);
  }
  for (std::size_t number = 0; number < distribution.dimensions(); ++number) {
    const DimensionDistribution &dimension = distribution.dimension(number);
    bytes.signedNumber(dimension.extent());
    bytes.number(static_cast<std::uint64_t>(dimension.processors()));
    bytes.number(dimension.contiguous());
    if (dimension.mapped()) {
      for (std::int64_t at = 0; at < dimension.extent(); at = dimension.blockEnd(at)) {
        bytes.signedNumber(at);
        bytes.signedNumber(dimension.ownerOf(at));
      }
      continue;
    }
    if (!dimension.contiguous()) {
      bytes.signedNumber(dimension.period());
      continue;
    }
    for (int coordinate = 0; coordinate < dimension.processors(); ++coordinate)
      bytes.signedNumber(dimension.localSize(coordinate));
  }
}

} // namespace

std::uint64_t pairDigest(const Distribution &from, const Distribution &to) {
  ByteWriter writer;
  writeOwners(writer, from);
  writeOwners(writer, to);
  const std::string bytes = writer.take();
  return XXH64(bytes.data(), bytes.size(), 0);
}

} // namespace sendwright
