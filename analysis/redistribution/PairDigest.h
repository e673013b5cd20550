// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A digest of two distributions, which shows that a schedule computed earlier fits.

#ifndef SENDWRIGHT_ANALYSIS_REDISTRIBUTION_PAIRDIGEST_H
#define SENDWRIGHT_ANALYSIS_REDISTRIBUTION_PAIRDIGEST_H

#include "analysis/redistribution/Distribution.h"

#include <cstdint>

namespace sendwright {

/// A digest of the owners of all elements in both distributions, and of the number of processors:
/// gen_block(2, 2) and block of four elements on two processors have the same digest. Linear in the
/// processors of dimensions with one block for each processor, otherwise constant.
std::uint64_t pairDigest(const Distribution &from, const Distribution &to);

} // namespace sendwright

#endif
