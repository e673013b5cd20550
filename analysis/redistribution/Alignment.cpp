// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/redistribution/Alignment.h"

#include "analysis/file/FormatError.h"

#include <algorithm>

namespace sendwright {

namespace {

/// The part of each processor's only block that lies in [begin, end).
std::vector<std::int64_t> sizesWithin(const DimensionDistribution &blocks, std::int64_t begin,
                                      std::int64_t end) {
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(blocks.processors()));
  for (int coordinate = 0; coordinate < blocks.processors(); ++coordinate)
    blocks.forEachBlock(coordinate, [&](std::int64_t from, std::int64_t to) {
      sizes[static_cast<std::size_t>(coordinate)] +=
          std::max<std::int64_t>(0, std::min(to, end) - std::max(from, begin));
      return true;
    });
  return sizes;
}

std::string ordinal(std::size_t dimension) { return "dimension " + std::to_string(dimension + 1); }

/// The extent of one dimension.
std::int64_t extentAlong(const AlignedDimension &dimension, std::size_t number,
                         const AlignmentTarget &target, std::size_t along) {
  const std::int64_t available = target.extents[along];
  if (dimension.offset < 0 || dimension.offset > available)
    throw FormatError(ordinal(number) + " begins at index " + std::to_string(dimension.offset) +
                      " of " + target.name + ", expected 0 to " + std::to_string(available));
  const std::int64_t most = available - dimension.offset;
  if (dimension.extent > most || dimension.extent < -1)
    throw FormatError(ordinal(number) + " has an extent of " + std::to_string(dimension.extent) +
                      ", expected at most " + std::to_string(most) + ", as far as " + target.name +
                      " reaches");
  return dimension.extent == -1 ? most : dimension.extent;
}

/// Throws if the aligned array cannot lie on the processors as the other array does.
void checkOrder(const std::vector<AlignedDimension> &dimensions, const AlignmentTarget &target) {
  std::vector<bool> taken(target.formats.size());
  std::size_t next = 0; // the first divided dimension of the other array that may still come
  for (std::size_t number = 0; number < dimensions.size(); ++number) {
    const std::optional<std::size_t> &along = dimensions[number].along;
    if (!along)
      continue;
    if (*along >= taken.size())
      throw FormatError(ordinal(number) + " lies along " + ordinal(*along) + ", expected 1 to " +
                        std::to_string(taken.size()));
    if (taken[*along])
      throw FormatError("two dimensions lie along " + ordinal(*along) + ", expected one");
    taken[*along] = true;
    if (target.formats[*along].kind == DimensionFormat::Kind::Collapsed)
      continue;
    if (*along < next)
      throw FormatError(ordinal(number) + " lies along " + ordinal(*along) +
                        ", expected the divided dimensions in the order of " + target.name);
    next = *along + 1;
  }
  for (std::size_t at = 0; at < taken.size(); ++at)
    if (!taken[at] && target.formats[at].kind != DimensionFormat::Kind::Collapsed)
      throw FormatError(
          "nothing lies along " + ordinal(at) + " of " + target.name +
          ", which is divided, so each processor would have a copy; expected * for it");
}

} // namespace

DimensionFormat alignedFormat(const DimensionFormat &format, const DimensionDistribution &target,
                              std::int64_t offset, std::int64_t extent) {
  if (offset == 0 && extent == target.extent())
    return format;
  if (target.contiguous())
    return DimensionFormat::genBlock(sizesWithin(target, offset, offset + extent));
  if (offset == 0 && format.kind == DimensionFormat::Kind::Cyclic)
    return format;
  std::vector<std::int64_t> owners(static_cast<std::size_t>(extent));
  for (std::int64_t index = 0; index < extent; ++index)
    owners[static_cast<std::size_t>(index)] = target.ownerOf(offset + index);
  return DimensionFormat::indirect(std::move(owners));
}

AlignedShape alignedShape(const std::vector<AlignedDimension> &dimensions,
                          const AlignmentTarget &target) {
  checkOrder(dimensions, target);
  AlignedShape shape;
  for (std::size_t number = 0; number < dimensions.size(); ++number) {
    const AlignedDimension &dimension = dimensions[number];
    if (!dimension.along && dimension.extent < 0)
      throw FormatError(ordinal(number) + " has no extent, expected one where * stands");
    shape.extents.push_back(dimension.along
                                ? extentAlong(dimension, number, target, *dimension.along)
                                : dimension.extent);
    shape.formats.emplace_back();
    if (!dimension.along ||
        target.formats[*dimension.along].kind == DimensionFormat::Kind::Collapsed)
      continue;
    shape.formats.back() = target.distribution
                               ? alignedFormat(target.formats[*dimension.along],
                                               target.distribution->dimension(*dimension.along),
                                               dimension.offset, shape.extents.back())
                               : DimensionFormat::genBlock({});
  }
  return shape;
}

} // namespace sendwright
