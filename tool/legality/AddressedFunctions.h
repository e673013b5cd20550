// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that pointers may lead to: virtual functions, and functions whose address the unit
// takes.
// Naming a function to the runtime uses it, so code that the compiler would have dropped from the
// object would stay, and may need symbols that the program does not have. Therefore only code that
// the compiler emits is searched: whatever other units can reach, followed along uses, without
// branches that are never taken.

#ifndef SENDWRIGHT_TOOL_LEGALITY_ADDRESSEDFUNCTIONS_H
#define SENDWRIGHT_TOOL_LEGALITY_ADDRESSEDFUNCTIONS_H

#include "tool/legality/LibraryFunctions.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

#include <vector>

namespace sendwright {

/// Each function once, in the order of first use. Does not enter bodies in headers of the standard
/// library or of MPI. Linear in the unit.
std::vector<const clang::FunctionDecl *> addressedFunctions(clang::ASTContext &context);

/// Whether a function of MPI or of a library, given any arguments, returns without waiting for
/// anything outside MPI, and returns nothing that a loop could wait for.
bool returnsForAnyArguments(const KnownFunction &known, const clang::FunctionDecl &function);

} // namespace sendwright

#endif
