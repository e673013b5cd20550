// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a piece of code stores to, which of its variables could be a send buffer at all, and which
// buffers it sends from with calls after which MPI lets the program overwrite the buffer at once.

#ifndef SENDWRIGHT_TOOL_LEGALITY_STORES_H
#define SENDWRIGHT_TOOL_LEGALITY_STORES_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

#include "llvm/ADT/SmallPtrSet.h"

#include <vector>

namespace sendwright {

/// Memory that is stored to or sent from: a variable (or a part of it), or what a pointer points
/// to.
struct MemoryPlace {
  const clang::VarDecl *variable = nullptr; ///< null: behind a pointer or reference
  clang::QualType type;                     ///< of the variable, or of what the pointer points to
};

/// The name at the start of an lvalue, if no pointer is followed on the way; else null.
const clang::DeclRefExpr *rootReference(const clang::Expr *lvalue);
/// The place that an lvalue designates.
MemoryPlace placeOf(const clang::Expr &lvalue);
/// The place that a pointer value points to, looking through casts and offsets.
MemoryPlace pointeeOf(const clang::Expr &pointer);

using VariableSet = llvm::SmallPtrSet<const clang::VarDecl *, 8>;

struct Stores {
  std::vector<MemoryPlace> places;          ///< stored to, by assignments and by MPI
  bool anywhere = false;                    ///< some store goes to an unknown place
  VariableSet declared;                     ///< variables that begin and end their life in the code
  std::vector<clang::QualType> temporaries; ///< unnamed objects whose life ends in the code
  std::vector<const clang::FunctionDecl *> visible;  ///< called functions with a visible definition
  std::vector<const clang::FunctionDecl *> external; ///< called functions of other units
  std::vector<MemoryPlace> buffers;                  ///< of blocking sends
  bool scatteredBuffers = false; ///< a datatype may take a blocking send to any memory
  bool endsExceptions = false;   ///< a catch clause ends the life of the exception that it names
};

/// The stores of a statement's own text. Linear.
Stores findStores(const clang::Stmt &statement, clang::ASTContext &context);

/// The variables in `body` whose address may become a send buffer: it is taken, bound to a
/// reference or captured, except in an argument of an MPI function that is not a blocking send's
/// buffer. A store to any other local variable cannot change what is sent. Linear.
VariableSet exposedVariables(const clang::Stmt &body, clang::ASTContext &context);

/// True for MPI_INT and other predefined types: the address of an MPI object, or a number. They
/// describe the memory from the buffer on; a type that the program built may lead from there to
/// anywhere.
bool isPredefinedDatatype(const clang::Expr &datatype);

/// True for handles, statuses, and types that consist of pointers alone (an iterator, the three
/// words of a std::vector): no program sends these as a typed message.
bool isNeverMessage(clang::QualType type);

} // namespace sendwright

#endif
