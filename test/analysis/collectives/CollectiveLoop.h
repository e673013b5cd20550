// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the loops of this folder's tests stand.

#ifndef TEST_ANALYSIS_COLLECTIVES_COLLECTIVELOOP_H
#define TEST_ANALYSIS_COLLECTIVES_COLLECTIVELOOP_H

#include "analysis/trace/Profile.h"

constexpr unsigned loopLine = 10;

inline sendwright::SiteIdentity identityAt(unsigned line) {
  return {"app.c", "exchange", line, 0, line, ""};
}

#endif
