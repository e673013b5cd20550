// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a piece of code does by itself, and which functions it calls: the input of every judgement
// on loops and functions. One walk over the code; callees are named, not entered.

#ifndef SENDWRIGHT_TOOL_LEGALITY_BODYSUMMARY_H
#define SENDWRIGHT_TOOL_LEGALITY_BODYSUMMARY_H

#include "tool/legality/Legality.h"
#include "tool/legality/PassedFunctions.h"

#include <vector>

namespace sendwright {

/// A call of a function whose body this unit has.
struct VisibleCall {
  const clang::FunctionDecl *definition;
  clang::SourceLocation where;
  bool throughPointer = false; ///< of a function passed as an argument (PassedFunctions.h)
};

/// A call of a function of another unit.
struct ExternalCall {
  std::string symbol; ///< the linker's name
  std::string name;   ///< for messages
  clang::SourceLocation where;
};

struct BodySummary {
  /// Calls through pointers whose targets are unknown. They do not set `refusal`.
  std::vector<const clang::CallExpr *> indirect;
  std::vector<VisibleCall> visible;
  std::vector<ExternalCall> external;
  std::vector<const clang::Stmt *> loops; ///< for, while and do statements, in source order
  std::optional<Refusal> refusal;         ///< for the first part that may wait, or cannot be judged
  std::optional<std::string> sharedRead;  ///< "reads the volatile 'flag'"
  bool reachesMpi = false;                ///< calls MPI, or code that may
  bool sends = false;
};

/// Summarises a function with its body. Linear in its size.
BodySummary summarizeFunction(const clang::FunctionDecl &definition, clang::ASTContext &context,
                              PassedFunctions &passed);

/// Summarises a statement.
BodySummary summarizeStatement(const clang::Stmt &statement, clang::ASTContext &context,
                               PassedFunctions &passed);

/// The body that a call of `function` runs; null where this unit does not have it.
const clang::FunctionDecl *visibleDefinition(const clang::FunctionDecl &function);

/// The linker's name.
std::string symbolName(const clang::FunctionDecl &function, clang::ASTContext &context);

} // namespace sendwright

#endif
