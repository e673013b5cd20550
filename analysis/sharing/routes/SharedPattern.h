// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pattern of an exchange, from a communication matrix.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_ROUTES_SHAREDPATTERN_H
#define SENDWRIGHT_ANALYSIS_SHARING_ROUTES_SHAREDPATTERN_H

#include "analysis/file/MatrixFile.h"
#include "analysis/sharing/routes/RouteTable.h"

namespace sendwright {

/// The pattern of a matrix: its entries by source and destination. Entries of a rank for itself are
/// left out. O(n log n) for n entries.
ExchangePattern patternOf(const CommunicationMatrix &matrix);

} // namespace sendwright

#endif
