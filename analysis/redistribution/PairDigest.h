// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A digest of two distributions, by which a schedule that was computed earlier is known to fit.

#ifndef SENDWRIGHT_ANALYSIS_REDISTRIBUTION_PAIRDIGEST_H
#define SENDWRIGHT_ANALYSIS_REDISTRIBUTION_PAIRDIGEST_H

#include "analysis/redistribution/Distribution.h"

#include <cstdint>

namespace sendwright {

/// Of the owners of all elements in both distributions, and of the processors: gen_block(2, 2) and
/// block of four elements on two processors are the same. Linear in the processors of dimensions
/// with one block each, constant otherwise.
std::uint64_t pairDigest(const Distribution &from, const Distribution &to);

} // namespace sendwright

#endif
