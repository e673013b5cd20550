// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which Clang this is built for. What differs between versions belongs here and nowhere else.

#ifndef SENDWRIGHT_TOOL_CLANGCOMPATIBILITY_H
#define SENDWRIGHT_TOOL_CLANGCOMPATIBILITY_H

#include "clang/Basic/Version.inc"

#if CLANG_VERSION_MAJOR != 19
#error "Sendwright is built and tested with Clang 19 only"
#endif

namespace sendwright {

/// A plugin works in the compiler of this major version only: Clang's classes have no stable
/// layout.
inline constexpr int supportedClangMajor = CLANG_VERSION_MAJOR;

} // namespace sendwright

#endif
