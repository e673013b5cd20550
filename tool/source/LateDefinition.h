// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function whose body is known only when the compiler has read the whole unit.

#ifndef SENDWRIGHT_TOOL_SOURCE_LATEDEFINITION_H
#define SENDWRIGHT_TOOL_SOURCE_LATEDEFINITION_H

#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/StringRef.h"

namespace sendwright {

/// Gives the function `name`, which the unit has declared as `static const char *name(void)`, a
/// body that returns `text`, and hands it to whatever consumes the compiler's declarations. To be
/// called at the end of the unit, before code generation ends. Does nothing if there is no such
/// declaration.
void defineTextFunction(clang::CompilerInstance &compiler, llvm::StringRef name,
                        llvm::StringRef text);

} // namespace sendwright

#endif
