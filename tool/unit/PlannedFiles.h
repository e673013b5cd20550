// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a unit can hold a loop or call that a plan wants rewritten, found out without parsing it:
// most units of a program hold none, and must compile as fast as without the plugin. Also whether
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

/// False only if no file of the unit (the main file or an included file) has the name of a file
/// with a loop or call to be rewritten. Where the main file does not decide it at once, the texts
/// of the files do (IncludeClosure.h). If these name files by macros, the unit is preprocessed with
/// its files reduced to their directives, as dependency scanners do, which takes a few per cent of
/// compiling it. The invocation is used up.
bool mayHoldPlannedSites(std::shared_ptr<clang::CompilerInvocation> invocation,
                         clang::FileManager &files,
                         std::shared_ptr<clang::PCHContainerOperations> containers,
                         const Plan &plan);

/// Whether the unit may define functions that loops of other units rely on, so that facts about
/// them must be embedded: the profile knows such a unit with this main file, or the file's text
/// may define such a function (because it was moved there, or has a second definition). A text in C
/// may as soon as it names the function. Linear in the text and the plan.
bool mayDefinePlannedFunctions(llvm::StringRef mainFile, const clang::LangOptions &language,
                               clang::FileManager &files, const Plan &plan);

/// Whether the unit may hold directives (`#pragma hpf`), judged by the texts of its files other
/// than system headers. Linear in these texts.
bool mayHoldDirectives(const clang::CompilerInvocation &invocation, clang::FileManager &files);

/// Whether the unit must carry a plan that synchronises the program, whatever loops the unit holds:
/// its main file mentions main or MPI_Init. False if the plan synchronises nothing. Linear in the
/// text.
bool carriesSynchronization(llvm::StringRef mainFile, clang::FileManager &files, const Plan &plan);

} // namespace sendwright

#endif
