// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a unit can hold a loop or call that a plan wants rewritten, found out without parsing it:
// most units of a program hold none, and are to compile as fast as without the plugin. And whether
// it defines functions that such loops may call.

#ifndef SENDWRIGHT_TOOL_UNIT_PLANNEDFILES_H
#define SENDWRIGHT_TOOL_UNIT_PLANNEDFILES_H

#include "analysis/plan/Plan.h"

#include "clang/Basic/FileManager.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Serialization/PCHContainerOperations.h"

#include <memory>

namespace sendwright {

/// False only if no file of the unit, neither the main file nor one that it includes, has the name
/// of a file with a loop or call to be rewritten. Where the main file does not decide it at once,
/// the texts of the files do (IncludeClosure.h); where those name files by macros, the unit is
/// preprocessed with its files reduced to their directives (what dependency scanners do), which
/// takes a few per cent of compiling it. The invocation is used up.
bool mayHoldPlannedSites(std::shared_ptr<clang::CompilerInvocation> invocation,
                         clang::FileManager &files,
                         std::shared_ptr<clang::PCHContainerOperations> containers,
                         const Plan &plan);

/// Whether the unit may define functions that loops of other units rely on, of which facts are to
/// be embedded: the profile knows such a unit with this main file, or the file's text names such a
/// function (it was moved there, or there is a second definition). Linear in the text and the plan.
bool mayDefinePlannedFunctions(llvm::StringRef mainFile, const clang::LangOptions &language,
                               clang::FileManager &files, const Plan &plan);

/// Whether the unit may hold directives (`#pragma hpf`), by the texts of its files that are not the
/// system's. Linear in those.
bool mayHoldDirectives(const clang::CompilerInvocation &invocation, clang::FileManager &files);

/// Whether the unit is to carry a plan that synchronises the program, whatever loops it holds: its
/// main file speaks of main or MPI_Init. False where the plan synchronises nothing. Linear in the
/// text.
bool carriesSynchronization(llvm::StringRef mainFile, clang::FileManager &files, const Plan &plan);

} // namespace sendwright

#endif
