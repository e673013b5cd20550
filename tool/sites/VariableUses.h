// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where in a function variables are used, and where they may get another value: whether what is
// worked out at one place is still so at another, and whether anybody misses what a loop would have
// left behind.

#ifndef SENDWRIGHT_TOOL_SITES_VARIABLEUSES_H
#define SENDWRIGHT_TOOL_SITES_VARIABLEUSES_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <vector>

namespace sendwright {

/// Variables, and fields whatever the object.
using ValueSet = llvm::SmallPtrSet<const clang::ValueDecl *, 8>;

/// The variables and fields that the expression reads.
ValueSet valuesIn(const clang::Expr &expression);

/// Those that the code may give another value: assigned, counted, or handed out by address. What
/// functions of the program that it calls do to variables of files is seen one call deep.
ValueSet valuesChangedIn(const clang::Stmt &code, const clang::ASTContext &context);

/// Those that the code may give another value under a condition, other than by asking MPI for a
/// rank or a size; a condition that one of `inside` stands in does not count. Where ranks differ in
/// the condition, they differ in the value.
ValueSet valuesChangedConditionally(const clang::Stmt &code, const clang::Stmt *inside,
                                    const clang::ASTContext &context);

/// `seeds`, and what the code sets to values that are worked out from them. Linear in the code,
/// times the length of such chains.
ValueSet valuesWorkedOutFrom(ValueSet seeds, const clang::Stmt &code);

/// The variables of files, and fields, that some function of the unit may give another value under
/// a condition, as above. Linear in the unit's own code.
ValueSet valuesOfFilesChangedConditionally(const clang::ASTContext &context);

/// Parameters of the function that calls in the unit may give other values at one rank than at
/// another: what is passed is chosen by a condition, comes from one of `ranks`, is set under a
/// condition where the call stands, or differs between calls of one function. Linear in the unit.
ValueSet parametersGivenConditionally(const clang::FunctionDecl &function, const ValueSet &ranks,
                                      const clang::ASTContext &context);

/// Whether a local variable is used in the function outside `allowed`, other than where its memory
/// is got or given back.
bool isUsedOutside(const clang::VarDecl &variable, const clang::FunctionDecl &function,
                   llvm::ArrayRef<const clang::Stmt *> allowed);

/// Whether all that a local pointer or array shows is memory of its own: an array, a container, or
/// what malloc(), calloc() or new gave.
bool ownsItsMemory(const clang::VarDecl &variable, const clang::FunctionDecl &function,
                   const clang::ASTContext &context);

} // namespace sendwright

#endif
