// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/redistribution/Distribution.h"

#include "analysis/file/FormatError.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <string>

namespace sendwright {

namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

std::int64_t dividedUp(std::int64_t a, std::int64_t b) { return a / b + (a % b != 0); }

/// Where each block begins, and finally the extent, at which blocks are cut off.
std::vector<std::int64_t> boundariesOf(const std::vector<std::int64_t> &sizes, std::int64_t extent,
                                       int processors) {
  if (sizes.size() != static_cast<std::size_t>(processors))
    throw FormatError("gen_block has " + std::to_string(sizes.size()) +
                      " sizes, expected one for each of " + std::to_string(processors) +
                      " processors");
  std::vector<std::int64_t> boundaries{0};
  boundaries.reserve(sizes.size() + 1);
  for (std::int64_t size : sizes) {
    if (size < 0)
      throw FormatError("gen_block has a block of size " + std::to_string(size) +
                        ", expected sizes of at least 0");
    const std::int64_t begin = boundaries.back();
    boundaries.push_back(size > extent - begin ? extent : begin + size);
  }
  if (boundaries.back() < extent)
    throw FormatError("the sizes of gen_block sum to " + std::to_string(boundaries.back()) +
                      ", expected at least the extent, " + std::to_string(extent));
  return boundaries;
}

} // namespace

DimensionDistribution::DimensionDistribution(const DimensionFormat &format, std::int64_t extent,
                                             int processors)
    : length(extent), count(processors) {
  using Kind = DimensionFormat::Kind;
  if (extent < 0)
    throw FormatError("extent " + std::to_string(extent) + ", expected at least 0");
  if (processors < 1)
    throw FormatError(std::to_string(processors) + " processors, expected at least 1");
  if (format.kind == Kind::Collapsed && processors > 1)
    throw FormatError("a dimension that is not distributed on " + std::to_string(processors) +
                      " processors, expected 1");
  if (format.kind == Kind::GenBlock) {
    boundaries = boundariesOf(format.sizes, extent, processors);
    return;
  }
  if (format.kind == Kind::Indirect) {
    mapOwners(format.sizes);
    return;
  }
  const std::string name = format.kind == Kind::Block ? "block" : "cyclic";
  if (format.blockLength < 0)
    throw FormatError(name + "(" + std::to_string(format.blockLength) +
                      "), expected a length of at least 1");
  blockLength = format.blockLength;
  if (blockLength == 0)
    blockLength = format.kind == Kind::Cyclic ? 1 : dividedUp(extent, processors);
  if (format.kind == Kind::Block && dividedUp(extent, processors) > blockLength)
    throw FormatError("block(" + std::to_string(blockLength) + ") on " +
                      std::to_string(processors) + " processors holds less than the extent, " +
                      std::to_string(extent) + ", expected a length of at least " +
                      std::to_string(dividedUp(extent, processors)));
  // Blocks longer than the array change nothing, and the period must fit its type.
  blockLength = std::clamp<std::int64_t>(blockLength, 1, std::max<std::int64_t>(extent, 1));
  if (blockLength > largest / processors)
    throw FormatError(name + " over " + std::to_string(processors) + " processors of an extent " +
                      std::to_string(extent) + ", expected a smaller one");
}

void DimensionDistribution::mapOwners(const std::vector<std::int64_t> &owners) {
  if (owners.size() != static_cast<std::size_t>(length))
    throw FormatError("indirect names the owners of " + std::to_string(owners.size()) +
                      " indices, expected as many as the extent, " + std::to_string(length));
  if (owners.size() > std::numeric_limits<std::uint32_t>::max())
    throw FormatError("indirect over more than 2^32 indices, expected fewer");
  intervalsOf.resize(static_cast<std::size_t>(count));
  mappedSizes.resize(intervalsOf.size());
  for (std::size_t index = 0; index < owners.size(); ++index) {
    const std::int64_t owner = owners[index];
    if (owner < 0 || owner >= count)
      throw FormatError("indirect gives index " + std::to_string(index) + " to processor " +
                        std::to_string(owner) + ", expected 0 to " + std::to_string(count - 1));
    std::int64_t &size = mappedSizes[static_cast<std::size_t>(owner)];
    if (intervalOwners.empty() || intervalOwners.back() != owner) {
      intervalsOf[static_cast<std::size_t>(owner)].push_back(
          static_cast<std::uint32_t>(intervalOwners.size()));
      intervalOwners.push_back(static_cast<int>(owner));
      intervalLocals.push_back(size);
      boundaries.push_back(static_cast<std::int64_t>(index));
    }
    ++size;
  }
  if (intervalOwners.empty()) { // of no index
    intervalOwners.push_back(0);
    intervalLocals.push_back(0);
    boundaries.push_back(0);
  }
  boundaries.push_back(length);
}

std::size_t DimensionDistribution::intervalAt(std::int64_t index) const {
  const auto after = std::upper_bound(boundaries.begin(), boundaries.end(), index);
  return static_cast<std::size_t>(after - boundaries.begin()) - 1;
}

std::int64_t DimensionDistribution::blocks() const {
  if (mapped())
    return static_cast<std::int64_t>(intervalOwners.size());
  return boundaries.empty() ? dividedUp(length, blockLength) : count;
}

BlockFamily DimensionDistribution::owned(int coordinate) const {
  BlockFamily family;
  if (!boundaries.empty()) {
    const std::int64_t *boundary = boundaries.data() + coordinate;
    family.first = boundary[0];
    family.length = boundary[1] - boundary[0];
    family.stride = std::max<std::int64_t>(family.length, 1);
    family.count = family.length > 0;
    family.end = boundary[1];
    return family;
  }
  family.first = blockLength * coordinate;
  family.length = blockLength;
  family.stride = period();
  assert(family.stride > 0); // the constructor checks this
  if (family.first >= length)
    return family;
  family.count = (length - 1 - family.first) / family.stride + 1;
  const std::int64_t last = family.first + (family.count - 1) * family.stride;
  family.end = last + std::min(blockLength, length - last);
  return family;
}

std::int64_t DimensionDistribution::localSize(int coordinate) const {
  if (mapped())
    return mappedSizes[static_cast<std::size_t>(coordinate)];
  const BlockFamily family = owned(coordinate);
  if (family.count == 0)
    return 0;
  const std::int64_t last = family.first + (family.count - 1) * family.stride;
  return (family.count - 1) * family.length + family.end - last;
}

int DimensionDistribution::ownerOf(std::int64_t index) const {
  if (boundaries.empty())
    return static_cast<int>(index / blockLength % count);
  const std::size_t interval = intervalAt(index);
  return mapped() ? intervalOwners[interval] : static_cast<int>(interval);
}

std::int64_t DimensionDistribution::localIndex(std::int64_t index) const {
  if (boundaries.empty())
    return index / period() * blockLength + index % blockLength;
  const std::size_t interval = intervalAt(index);
  return index - boundaries[interval] + (mapped() ? intervalLocals[interval] : 0);
}

std::int64_t DimensionDistribution::blockEnd(std::int64_t index) const {
  if (!boundaries.empty())
    return boundaries[intervalAt(index) + 1];
  const std::int64_t begin = index - index % blockLength;
  return begin + std::min(blockLength, length - begin);
}

Distribution::Distribution(const std::vector<DimensionFormat> &formats,
                           const std::vector<std::int64_t> &extents, const std::vector<int> &grid,
                           GridRanks on)
    : on(on) {
  if (formats.empty() || formats.size() != extents.size())
    throw FormatError(std::to_string(formats.size()) + " formats for an array of " +
                      std::to_string(extents.size()) + " dimensions, expected one for each");
  const auto distributed = static_cast<std::size_t>(
      std::count_if(formats.begin(), formats.end(), [](const DimensionFormat &format) {
        return format.kind != DimensionFormat::Kind::Collapsed;
      }));
  if (distributed != grid.size())
    throw FormatError(std::to_string(distributed) + " distributed dimensions on a grid of " +
                      std::to_string(grid.size()) + ", expected as many");
  std::size_t gridDimension = 0;
  std::int64_t elements = 1;
  for (std::size_t at = 0; at < formats.size(); ++at) {
    const bool collapsed = formats[at].kind == DimensionFormat::Kind::Collapsed;
    try {
      cuts.emplace_back(formats[at], extents[at], collapsed ? 1 : grid[gridDimension++]);
    } catch (const FormatError &error) {
      if (formats.size() == 1)
        throw;
      throw FormatError("dimension " + std::to_string(at + 1) + ": " + error.what());
    }
    if (extents[at] > 0 && elements > largest / extents[at])
      throw FormatError("more than 2^63 elements, expected less");
    elements *= std::max<std::int64_t>(extents[at], 1);
  }
  strides.assign(cuts.size(), 0);
  for (std::size_t at = cuts.size(); at-- > 0;) {
    if (formats[at].kind == DimensionFormat::Kind::Collapsed)
      continue;
    strides[at] = processorCount;
    if (cuts[at].processors() > std::numeric_limits<int>::max() / processorCount)
      throw FormatError("more than 2^31 processors, expected less");
    processorCount *= cuts[at].processors();
  }
  if (on.first < 0 || on.stride < 1 ||
      processorCount - 1 > (std::numeric_limits<int>::max() - 1 - on.first) / on.stride)
    throw FormatError("processors on ranks from " + std::to_string(on.first) + " in steps of " +
                      std::to_string(on.stride) + ", expected ranks of the communicator");
}

int Distribution::placeOf(int rank) const {
  const int distance = rank - on.first;
  if (distance < 0 || distance % on.stride != 0 || distance / on.stride >= processorCount)
    return -1;
  return distance / on.stride;
}

int Distribution::coordinate(int rank, std::size_t dimension) const {
  const int place = (rank - on.first) / on.stride;
  return strides[dimension] == 0 ? 0 : place / strides[dimension] % cuts[dimension].processors();
}

std::int64_t Distribution::localElements(int rank) const {
  if (placeOf(rank) < 0)
    return 0;
  std::int64_t elements = 1;
  for (std::size_t at = 0; at < cuts.size(); ++at)
    elements *= localSize(rank, at);
  return elements;
}

} // namespace sendwright
