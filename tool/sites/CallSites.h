// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of MPI in a function's text before which a super epoch can end
// (docs/transformations/epochs.md).
//
// Left out is what only looks like a call (operands of sizeof, decltype and the like), and what is
// spelled in a macro's body or as its argument, where one text may stand for several calls. A macro
// that makes one statement of one call, for example to check its result, is no obstacle.

#ifndef SENDWRIGHT_TOOL_SITES_CALLSITES_H
#define SENDWRIGHT_TOOL_SITES_CALLSITES_H

#include "analysis/mpi/MpiFunctions.h"
#include "tool/sites/SourceSite.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <vector>

namespace sendwright {

struct CallSite : SourceSite {
  const MpiFunction *function = nullptr;
  /// Offset of the block's statement that consists of the call, or of an assignment of its result:
  /// another statement can stand before it. Nothing where the call is a part of something larger.
  std::optional<unsigned> statement;
  /// The call is the argument of a macro whose use is a whole statement, which is the site's text:
  /// MPI_CHECK(MPI_Send(...)). It is marked only as a part of what looks like a collective
  /// operation.
  bool inMacro = false;
  std::vector<const clang::CallExpr *> instances; ///< empty for a template that is not instantiated
};

/// A call of a function that may wrap calls of MPI (forEachWrapperCall()).
struct WrapperCallSite : SourceSite {
  std::string callee; ///< as its function names MPI's calls in it (siteFunctionName())
  std::optional<unsigned> statement;     ///< as above
  const clang::CallExpr *call = nullptr; ///< in one of the instances
};

/// A call as it occurs in one function, or in one instantiation of it.
struct FoundCall {
  const clang::CallExpr *call;
  const MpiFunction *function;
  std::optional<clang::SourceLocation> statement; ///< as above
  std::string obstacle;
  const clang::Stmt *macroUse = nullptr;        ///< the statement that the macro makes of the call
  const clang::FunctionDecl *wrapper = nullptr; ///< for forEachWrapperCall(): the callee
};

/// Calls `visit`, in the order of the text, for each direct call in the function's own body (not in
/// its lambdas) of an MPI function that can be a step of synchronisation. In a template's pattern
/// this includes calls whose function depends on the template's arguments. Linear in the body.
void forEachCall(const clang::FunctionDecl *function, const clang::ASTContext &context,
                 llvm::function_ref<void(const FoundCall &)> visit);

/// The same for direct calls of functions that may wrap calls of MPI: the program's own functions
/// with a parameter of one of MPI's types (a communicator, a request, a datatype), and methods of
/// classes that hold such an object. Left out are calls in macros, and calls whose result is an
/// object of a class.
void forEachWrapperCall(const clang::FunctionDecl *function, const clang::ASTContext &context,
                        llvm::function_ref<void(const FoundCall &)> visit);

} // namespace sendwright

#endif
