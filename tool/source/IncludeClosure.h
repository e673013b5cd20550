// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a unit can include a file with a certain name, judged by its text alone: every include
// directive is followed, whatever conditions it is under, without preprocessing. Most units include
// nothing of interest, which this finds out in a fraction of the time of preprocessing.

#ifndef SENDWRIGHT_TOOL_SOURCE_INCLUDECLOSURE_H
#define SENDWRIGHT_TOOL_SOURCE_INCLUDECLOSURE_H

#include "clang/Basic/FileManager.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSet.h"

namespace sendwright {

/// An include directive as written.
struct IncludeDirective {
  llvm::StringRef name;    ///< between the quotes or brackets
  bool isAngled = false;   ///< in brackets
  bool searchNext = false; ///< #include_next
};

/// Calls `visit` for every include directive of `text`, even in comments and under conditions that
/// do not hold. Returns false if a directive names its file by a macro. Linear.
bool findIncludes(llvm::StringRef text, llvm::function_ref<void(const IncludeDirective &)> visit);

enum class Reach { Never, Possible, Unknown };

/// Whether the unit includes a file whose name, without its folder, is in `names`. Never holds for
/// any definition of macros; Unknown says that a macro names a file. Linear in the texts.
Reach reachOfIncludes(const clang::CompilerInvocation &invocation, clang::FileManager &files,
                      const llvm::StringSet<> &names);

/// Whether `isWanted` accepts the text of one of the unit's files: those on the command line, and
/// those that they include from folders other than the system's. Does not search for files named by
/// macros. Linear in the texts.
bool reachesText(const clang::CompilerInvocation &invocation, clang::FileManager &files,
                 llvm::function_ref<bool(llvm::StringRef)> isWanted);

} // namespace sendwright

#endif
