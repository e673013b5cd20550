// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that the proofs about waits know by a name: no other such name leads to it.
//
//     double row[n], static double halo[n]     an array, or any plain variable
//     double *row = malloc(...)                a local pointer that only holds memory of its own
//     double *restrict row                     a pointer that its function only reads
//     std::vector<double> row                  a variable: its elements belong to it alone
//     row, in a method                         a member of this object that is one of these
//
// A name is a variable, or a field: of the object that `this` points to.
//
// A restricted pointer is as good as an array: where memory is changed, the language allows access
// to it by that pointer alone, as long as its function runs. Elements of two vectors never share
// memory, but vectors may exchange theirs (std::swap): keepsItsMemory() says whether they do.

#ifndef SENDWRIGHT_TOOL_TRANSFORMATIONS_COMPLETION_NAMEDMEMORY_H
#define SENDWRIGHT_TOOL_TRANSFORMATIONS_COMPLETION_NAMEDMEMORY_H

#include "tool/source/SyntaxWalk.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <string>
#include <vector>

namespace sendwright {

/// What a function does with memory, from one walk over its body. Refers to the function and the
/// context, which must outlive it.
class NamedMemory final : public SyntaxWalk {
public:
  NamedMemory(const clang::FunctionDecl &definition, const clang::ASTContext &ast);

  /// The variable or member in whose memory an lvalue lies, or into which a pointer value leads;
  /// null if a pointer in memory leads there. Whether it is a name is for isName() to say. Linear
  /// in the expression.
  const clang::ValueDecl *rootOf(const clang::Expr *expression) const;

  /// The same for a variable that refers to the element of a loop over a container; null for
  /// others.
  const clang::ValueDecl *rootOfElement(const clang::VarDecl &variable) const;

  /// Whether no other name shares memory with it.
  bool isName(const clang::ValueDecl &value) const;

  /// Why the elements of `value` may be those of another name when all statements from the first to
  /// the last of `statements` have been executed, as the end of a sentence about a line: "calls
  /// 'pack', which may exchange 'halo' for another"; "" if they stay. `line` receives that
  /// statement. Linear in the statements.
  std::string whyMemoryMayMove(const clang::ValueDecl &value,
                               llvm::ArrayRef<clang::Stmt *> statements,
                               const clang::Stmt **line) const;

  /// Whether its elements could get another name at all.
  bool mayMoveAtAll(const clang::ValueDecl &value) const;

  /// Whether a container is named only to ask for or change its number of elements.
  bool isSized(const clang::DeclRefExpr &name) const { return sized.contains(&name); }

  /// All calls of the function, and where it names each variable.
  std::vector<const clang::CallExpr *> calls;
  llvm::DenseMap<const clang::VarDecl *, std::vector<const clang::DeclRefExpr *>> names;

  bool VisitCallExpr(clang::CallExpr *call) override;
  bool VisitDeclRefExpr(clang::DeclRefExpr *name) override;
  bool VisitCastExpr(clang::CastExpr *cast) override;
  bool VisitBinaryOperator(clang::BinaryOperator *operation) override;
  bool VisitCXXForRangeStmt(clang::CXXForRangeStmt *loop) override;

private:
  bool isPointerName(const clang::VarDecl &variable) const;
  bool onlyGivesElements(const clang::VarDecl &variable) const;

  const clang::FunctionDecl &function;
  const clang::ASTContext &context;
  llvm::SmallPtrSet<const clang::Expr *, 32> read, assigned; ///< as a whole
  llvm::SmallPtrSet<const clang::Expr *, 32> asContainer;    ///< of a call that only gives elements
  llvm::SmallPtrSet<const clang::Expr *, 32> sized; ///< of a call about the number of elements
  /// Loop variables that refer to an element, and the container.
  llvm::DenseMap<const clang::VarDecl *, const clang::Expr *> elements;
};

/// The container of a call that gives an element or the address of the elements, or their number,
/// of a std::vector of numbers (or of vectors), or of a std::array; null for other calls.
const clang::Expr *containerOf(const clang::CallExpr &call);

/// Neither volatile nor atomic nor a reference.
bool isPlain(clang::QualType type);

/// "'halo'".
std::string quoted(const clang::ValueDecl &value);

} // namespace sendwright

#endif
