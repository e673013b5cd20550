// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// xxHash, inlined, so that a profiled program needs no further library. Clang's analyzer sees only
// declarations: what it finds in xxHash's code is not ours to fix.

#ifndef SENDWRIGHT_ANALYSIS_FILE_HASHING_H
#define SENDWRIGHT_ANALYSIS_FILE_HASHING_H

#ifndef __clang_analyzer__
#define XXH_INLINE_ALL
#else
#define XXH_STATIC_LINKING_ONLY // its types
#endif
#include <xxhash.h>

#endif
