// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a loop stands in the text, and whether text can be inserted around it.

#ifndef SENDWRIGHT_TOOL_SITES_LOOPTEXT_H
#define SENDWRIGHT_TOOL_SITES_LOOPTEXT_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"

#include <map>
#include <string>

namespace sendwright {

struct LoopText {
  clang::FileID file;
  unsigned begin = 0;      ///< offset of the first character
  unsigned end = 0;        ///< offset past the last one: a closing brace, or the semicolon
  std::string obstacle;    ///< why no text can be inserted around it; empty where it can
  bool isMacroUse = false; ///< a macro use stands for the whole loop; `obstacle` says so
};

/// Finds the text of a for, range-for, while or do statement. Where macros are in the way, the text
/// is the macro's use and `obstacle` says so.
LoopText textOf(const clang::Stmt *loop, const clang::ASTContext &context);

/// The pragmas of one file, each of which applies to the statement after it.
class Pragmas {
public:
  /// Lexes the whole text once.
  Pragmas(llvm::StringRef text, const clang::LangOptions &language);
  /// The pragma ("omp parallel") before the token at `offset`, or "".
  std::string before(unsigned offset) const;

private:
  std::map<unsigned, std::string> beforeToken;
};

} // namespace sendwright

#endif
