// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What sites of all kinds have in common: a place in the text with an identity.

#ifndef SENDWRIGHT_TOOL_SITES_SOURCESITE_H
#define SENDWRIGHT_TOOL_SITES_SOURCESITE_H

#include "analysis/trace/Profile.h"

#include "clang/Basic/SourceLocation.h"

#include <string>

namespace sendwright {

struct SourceSite {
  SiteIdentity identity;
  clang::SourceLocation location; ///< where remarks point
  clang::FileID file;
  unsigned begin = 0, end = 0; ///< its text: offset of its first character, and past the last
  std::string obstacle;        ///< why the text cannot be edited; empty where it can
  bool inTemplate = false;     ///< or in a member of a template, or in a generic lambda
};

} // namespace sendwright

#endif
