// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Units that cannot call MPI themselves, in generate mode. Most of a large program's units are of
// this kind, so they are not parsed twice: they get no marks. What the planner must know about
// their functions is read from the compiler's own parse.

#ifndef SENDWRIGHT_TOOL_UNIT_UNMARKEDUNIT_H
#define SENDWRIGHT_TOOL_UNIT_UNMARKEDUNIT_H

#include "tool/unit/ProjectRules.h"

#include "clang/AST/ASTContext.h"
#include "clang/Frontend/CompilerInstance.h"

#include <string>

namespace sendwright {

/// Whether the unit stays without marks: a C++ source that includes no file called mpi.h, whatever
/// macros are defined. C is parsed fast. Precompiled headers, units that use one, and units of
/// named modules are marked as ever. Linear in the texts of the unit's files.
bool staysUnmarked(clang::CompilerInstance &compiler, llvm::StringRef mainFile,
                   const ProjectRules &rules);

/// What the planner is told about the parsed unit: its functions, and the loops that may send
/// through functions of other units. "" if there is nothing to tell.
std::string describeUnmarked(clang::ASTContext &context);

} // namespace sendwright

#endif
