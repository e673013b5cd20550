// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of a directive's expressions before the program runs: numbers that are written out,
// macros and constants for them, and arrays of constant size or content. The rest is checked at run
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

/// What is known of the sizes of a gen_block.
struct KnownSizes {
  bool undeclared = false; ///< it is a name that means nothing
  std::optional<long long> count;
  std::optional<std::vector<long long>> values; ///< of an array that cannot change
};

/// What is wrong with sizes on as many ranks, for an extent, as far as that is known: a sentence
/// about them, or "".
std::string problemOfSizes(const KnownSizes &sizes, std::optional<long long> ranks,
                           std::optional<long long> extent);
/// The same of the length in block(n) or, where no ranks are given, cyclic(n).
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
  /// Of an array's name.
  KnownSizes sizesOf(const std::string &expression, const DirectivePlace &place) const;
  /// Whether the name is that of a macro at the place.
  bool isMacro(const std::string &name, const DirectivePlace &place) const;

private:
  clang::ASTContext &context;
  clang::Preprocessor &preprocessor;
};

} // namespace sendwright

#endif
