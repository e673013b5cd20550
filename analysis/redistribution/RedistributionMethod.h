// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef SENDWRIGHT_ANALYSIS_REDISTRIBUTION_REDISTRIBUTIONMETHOD_H
#define SENDWRIGHT_ANALYSIS_REDISTRIBUTION_REDISTRIBUTIONMETHOD_H

#include <cstdint>

namespace sendwright {

/// How directives move arrays.
enum class RedistributionMethod : std::uint8_t {
  Schedule, ///< as the runtime does it
  Alltoallv ///< as with SENDWRIGHT_DISABLE=1
};

} // namespace sendwright

#endif
