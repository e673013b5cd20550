// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that pointers may lead to: those whose address the unit takes, and virtual ones. To
// name one to the runtime is to use it, and what the compiler would have left out of the object may
// need what the program does not have. So only code is looked at that the compiler emits: from what
// other units can reach, along uses, without branches that are never taken.

#ifndef SENDWRIGHT_TOOL_LEGALITY_ADDRESSEDFUNCTIONS_H
#define SENDWRIGHT_TOOL_LEGALITY_ADDRESSEDFUNCTIONS_H

#include "tool/legality/LibraryFunctions.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

#include <vector>

namespace sendwright {

/// The functions, each once, in the order of their first use. Bodies in the standard library's and
/// MPI's headers are not looked into. Linear in the unit.
std::vector<const clang::FunctionDecl *> addressedFunctions(clang::ASTContext &context);

/// Whether a function of MPI or of the library ends and does not wait outside MPI, whatever it is
/// given, and what it returns is nothing that a loop could wait for.
bool endsWhoeverCalls(const KnownFunction &known, const clang::FunctionDecl &function);

} // namespace sendwright

#endif
