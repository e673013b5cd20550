// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Under sanitizers a test takes ten times as long. What they look for is in the code, so that fewer
// random cases show it.

#ifndef SENDWRIGHT_TEST_ANALYSIS_SANITIZED_H
#define SENDWRIGHT_TEST_ANALYSIS_SANITIZED_H

namespace sendwright {

#ifdef SENDWRIGHT_SANITIZED
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

/// A tenth of them under sanitizers.
constexpr int someOf(int cases) { return sanitized ? cases / 10 : cases; }

} // namespace sendwright

#endif
