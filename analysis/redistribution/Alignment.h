// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How an array lies that is aligned with another (ALIGN of High Performance Fortran 2.0): index i
// of its dimension lies where index i + offset of one of the other's dimensions lies. A dimension
// that lies along no dimension of the other is not divided.
//
// What such an array owns is again a distribution, so nothing else needs to know of alignments.
// Where each processor has one block of the other array, it has one block here (gen_block); cyclic
// stays cyclic if both dimensions begin together; anything else is a map of owners.

#ifndef SENDWRIGHT_ANALYSIS_REDISTRIBUTION_ALIGNMENT_H
#define SENDWRIGHT_ANALYSIS_REDISTRIBUTION_ALIGNMENT_H

#include "analysis/redistribution/Distribution.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sendwright {

/// Where one dimension of an aligned array lies.
struct AlignedDimension {
  std::optional<std::size_t> along; ///< a dimension of the other array; nothing: not divided
  std::int64_t offset = 0;          ///< where index 0 lies on that dimension
  std::int64_t extent = -1;         ///< of the aligned array; -1: up to the other's end
};

/// What is known of the other array: a format and an extent for each dimension; of each dimension
/// that is divided also its owners, or null where they are still to be chosen.
struct AlignmentTarget {
  std::string name; ///< for messages
  const std::vector<DimensionFormat> &formats;
  const std::vector<std::int64_t> &extents;
  const Distribution *distribution = nullptr;
};

/// The aligned array's own formats and extents, by dimension.
struct AlignedShape {
  std::vector<DimensionFormat> formats;
  std::vector<std::int64_t> extents;
};

/// The format of a dimension whose indices are `offset` to `offset` + `extent` - 1 of `target`,
/// which is divided as `format` says. 0 <= offset, offset + extent <= target.extent(). Linear in
/// the processors; in the extent where blocks are cyclic with an offset, or indirect.
DimensionFormat alignedFormat(const DimensionFormat &format, const DimensionDistribution &target,
                              std::int64_t offset, std::int64_t extent);

/// How an aligned array is distributed over the other's processors. Without the other's
/// distribution, divided dimensions are gen_block without sizes. Throws FormatError "what is wrong,
/// what was expected":
/// - a dimension along one that the other array lacks, or two along the same one;
/// - indices that the other array does not have;
/// - a divided dimension of the other array along which nothing lies: each of its processors would
///   have a copy;
/// - divided dimensions in another order than the other array's.
AlignedShape alignedShape(const std::vector<AlignedDimension> &dimensions,
                          const AlignmentTarget &target);

} // namespace sendwright

#endif
