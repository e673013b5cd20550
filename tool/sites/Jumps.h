// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The jumps and labels in a stretch of code: nothing may jump into a scope.

#ifndef SENDWRIGHT_TOOL_SITES_JUMPS_H
#define SENDWRIGHT_TOOL_SITES_JUMPS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

#include <string>

namespace sendwright {

struct Jumps {
  llvm::SmallPtrSet<const clang::LabelDecl *, 4> labels;
  llvm::SmallVector<const clang::LabelDecl *, 4> targets; ///< of goto, one entry for each
  /// Case labels; own: of switches within the stretch.
  llvm::SmallPtrSet<const clang::SwitchCase *, 4> cases, ownCases;
  bool computed = false; ///< goto *p, or asm goto
  bool addressTaken = false;
  bool suspends = false;
  bool tailCall = false; ///< a call that must reuse the function's frame

  /// Collects the jumps of a statement. Linear.
  explicit Jumps(const clang::Stmt *statement);

private:
  void add(const clang::Stmt *statement);
  void note(const clang::Stmt *statement);
};

/// Why no scope can be put around `statement`, given the jumps of the whole function; or "". `what`
/// names the statement in the sentence: "the loop". Linear in the statement.
std::string jumpObstacle(const clang::Stmt *statement, const Jumps &whole, const std::string &what);

} // namespace sendwright

#endif
