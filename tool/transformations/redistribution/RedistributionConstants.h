// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known about a directive's expressions before the program runs: literal numbers, macros
// and constants for numbers, and arrays of constant size or content. The rest is checked at run
// time.

#ifndef SENDWRIGHT_TOOL_TRANSFORMATIONS_REDISTRIBUTION_REDISTRIBUTIONCONSTANTS_H
#define SENDWRIGHT_TOOL_TRANSFORMATIONS_REDISTRIBUTION_REDISTRIBUTIONCONSTANTS_H

#include "tool/transformations/redistribution/RedistributionScopes.h"

#include "clang/AST/ASTContext.h"
#include "clang/Lex/Preprocessor.h"

#include <optional>
#include <string>
#include <vector>

namespace sendwright {

/// What is known about the sizes of a gen_block.
struct KnownSizes {
  bool undeclared = false; ///< an undeclared name
  bool declared = false;   ///< it names something that is visible there
  std::optional<long long> count;
  std::optional<std::vector<long long>> values; ///< for an array that cannot change
};

/// What is wrong with sizes for this number of ranks and this extent, as far as both are known: a
/// sentence about the sizes, or "".
std::string problemOfSizes(const KnownSizes &sizes, std::optional<long long> ranks,
                           std::optional<long long> extent);
/// The same for a map, which names the processor of each index.
std::string problemOfMap(const KnownSizes &map, std::optional<long long> ranks,
                         std::optional<long long> extent);
/// The same for the length in block(n) or, where no ranks are given, cyclic(n).
std::string problemOfLength(long long length, std::optional<long long> ranks,
                            std::optional<long long> extent);

class DirectiveConstants {
public:
  /// Both must outlive this.
  DirectiveConstants(clang::ASTContext &context, clang::Preprocessor &preprocessor)
      : context(context), preprocessor(preprocessor) {}

  /// The value of an expression: + - * / and brackets over integers.
  std::optional<long long> valueOf(const std::string &expression,
                                   const DirectivePlace &place) const;
  /// What is known about the array of this name.
  KnownSizes sizesOf(const std::string &expression, const DirectivePlace &place) const;
  /// Whether a macro has this name at the place.
  bool isMacro(const std::string &name, const DirectivePlace &place) const;

private:
  clang::ASTContext &context;
  clang::Preprocessor &preprocessor;
};

} // namespace sendwright

#endif
