// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sites of a piece of source as a test sees them: their texts and identities. Including this
// needs nothing of Clang.

#ifndef SENDWRIGHT_TEST_TOOL_SITES_SITESFIXTURE_H
#define SENDWRIGHT_TEST_TOOL_SITES_SITESFIXTURE_H

#include "analysis/trace/Profile.h"
#include "test/tool/Language.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sendwright::test {

/// A loop or a call that is a site.
struct TextSite {
  SiteIdentity identity;
  std::string text;
  std::string obstacle;
  bool inTemplate = false;
  std::size_t instances = 0;
};

struct TextCall : TextSite {
  std::string function; ///< of MPI
  bool inMacro = false;
  bool isStatement = false; ///< of a block
  std::string statement;    ///< the source from there to the end of the call
};

struct TextBlock : TextSite {
  unsigned sends = 0, loops = 0;
  bool declares = false;
};

/// A loop or block whose exchanges may overlap.
struct TextChain : TextSite {
  unsigned calls = 0;
  std::vector<std::string> reads; ///< in the order of the alphabet
};

/// All in the order of the text. They fail the running test if the source does not compile.
std::vector<TextSite> loopsOf(const std::string &source, Language language = Language::C);
std::vector<TextBlock> blocksOf(const std::string &source, Language language = Language::C);
std::vector<TextChain> chainsOf(const std::string &source, Language language = Language::C);
std::vector<TextCall> callsOf(const std::string &source, Language language = Language::C);

/// hashTokens() in C or C++.
std::uint64_t hashOf(const std::string &text, Language language = Language::C);

/// Pragmas::before() of the first occurrence of `token` in `text`.
std::string pragmaBefore(const std::string &text, const std::string &token);

} // namespace sendwright::test

#endif
