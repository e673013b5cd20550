// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a function uses variables, and where they may get another value: whether a value computed
// at one place still holds at another, and whether anything reads what a loop would have left
// behind.

#ifndef SENDWRIGHT_TOOL_SITES_VARIABLEUSES_H
#define SENDWRIGHT_TOOL_SITES_VARIABLEUSES_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <vector>

namespace sendwright {

/// Variables, and fields of any object.
using ValueSet = llvm::SmallPtrSet<const clang::ValueDecl *, 8>;

/// The variables and fields that the expression reads.
ValueSet valuesIn(const clang::Expr &expression);

/// The values that the code may change: assigned, incremented, or passed by address. Of called
/// functions in the program, effects on global variables are followed one call deep.
ValueSet valuesChangedIn(const clang::Stmt &code, const clang::ASTContext &context);

/// The values that the code may change under a condition, other than by asking MPI for a rank or a
/// size. A condition that encloses one of `inside` does not count. Where ranks differ in the
/// condition, they differ in the value.
ValueSet valuesChangedConditionally(const clang::Stmt &code, const clang::Stmt *inside,
                                    const clang::ASTContext &context);

/// `seeds`, and everything that the code computes from them. Linear in the code, times the length
/// of such chains.
ValueSet valuesWorkedOutFrom(ValueSet seeds, const clang::Stmt &code);

/// The global variables and fields that some function of the unit may change under a condition, as
/// above. Linear in the unit's own code.
ValueSet valuesOfFilesChangedConditionally(const clang::ASTContext &context);

/// The parameters of the function to which calls in the unit may pass different values on different
/// ranks: the argument is chosen by a condition, comes from one of `ranks`, is set under a
/// condition at the call, or differs between calls within one function. Linear in the unit.
ValueSet parametersGivenConditionally(const clang::FunctionDecl &function, const ValueSet &ranks,
                                      const clang::ASTContext &context);

/// Whether the function uses a local variable outside `allowed`, other than where its memory is
/// allocated or freed.
bool isUsedOutside(const clang::VarDecl &variable, const clang::FunctionDecl &function,
                   llvm::ArrayRef<const clang::Stmt *> allowed);

/// Whether a local pointer or array points only to memory of its own: an array, a container, or
/// memory from malloc(), calloc() or new.
bool ownsItsMemory(const clang::VarDecl &variable, const clang::FunctionDecl &function,
                   const clang::ASTContext &context);

} // namespace sendwright

#endif
