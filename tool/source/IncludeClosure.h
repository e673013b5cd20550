// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a unit can include a file of some name, by its text alone: every include directive is
// followed, whatever conditions it is under, without preprocessing anything. A unit that includes
// nothing of interest, as most do, is found out in a fraction of the time that preprocessing takes.

#ifndef SENDWRIGHT_TOOL_SOURCE_INCLUDECLOSURE_H
#define SENDWRIGHT_TOOL_SOURCE_INCLUDECLOSURE_H

#include "clang/Basic/FileManager.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSet.h"

namespace sendwright {

/// An include directive as it is written.
struct IncludeDirective {
  llvm::StringRef name;    ///< between the quotes or brackets
  bool isAngled = false;   ///< in brackets
  bool searchNext = false; ///< #include_next
};

/// Calls `visit` for every include directive of `text`, also for those in comments and under
/// conditions that do not hold. False if one names its file by a macro. Linear.
bool findIncludes(llvm::StringRef text, llvm::function_ref<void(const IncludeDirective &)> visit);

enum class Reach { Never, Possible, Unknown };

/// Whether the unit's files include one whose name, without its folder, is in `names`: Never holds
/// whatever macros are defined; Unknown says that a file is named by a macro. Linear in the texts.
Reach reachOfIncludes(const clang::CompilerInvocation &invocation, clang::FileManager &files,
                      const llvm::StringSet<> &names);

/// Whether a text that `isWanted` accepts is among the unit's files: those of the command line and
/// those that they include from folders that are not the system's. A file that is named by a macro
/// is not looked for. Linear in the texts.
bool reachesText(const clang::CompilerInvocation &invocation, clang::FileManager &files,
                 llvm::function_ref<bool(llvm::StringRef)> isWanted);

} // namespace sendwright

#endif
