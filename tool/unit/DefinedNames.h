// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a C++ text may define functions of certain names, found out without preprocessing or
// parsing it: many files mention a function, few define it.

#ifndef SENDWRIGHT_TOOL_UNIT_DEFINEDNAMES_H
#define SENDWRIGHT_TOOL_UNIT_DEFINEDNAMES_H

#include "clang/Basic/LangOptions.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

namespace sendwright {

/// False only if no name stands where a C++ function, or a class with functions that the compiler
/// adds, can be defined: before a body (other than the body of if, for, ...) or before `= default`,
/// in the definition of a macro, or among the arguments of a macro outside of functions. `text`
/// must end with a null character. Linear in the text.
bool mayDefine(llvm::StringRef text, const clang::LangOptions &language,
               const llvm::StringSet<> &names);

} // namespace sendwright

#endif
