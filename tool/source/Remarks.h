// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the user is told at a loop or call, as a remark of the compiler.

#ifndef SENDWRIGHT_TOOL_SOURCE_REMARKS_H
#define SENDWRIGHT_TOOL_SOURCE_REMARKS_H

#include "tool/source/RemarkLevel.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/CompilerInstance.h"

#include <string>

namespace sendwright {

class Remarks {
public:
  /// Prints through `client` with the locations of `unit`, which must both outlive this.
  Remarks(clang::CompilerInstance &unit, clang::DiagnosticConsumer &client, RemarkLevel level);

  /// A loop or call was changed.
  void applied(clang::SourceLocation location, const std::string &what);
  /// Something was done that needs no attention; printed at level All.
  void asUsual(clang::SourceLocation location, const std::string &what);
  /// A loop or block that the plan wants rewritten stays as it is. `what` names it: "send loop".
  void notApplied(clang::SourceLocation location, const std::string &what,
                  const std::string &reason);
  /// A call that the plan wants to synchronise stays as it is.
  void callNotApplied(clang::SourceLocation location, const std::string &reason);
  /// A call of `function` stays MPI's own; printed at level All.
  void callLeft(clang::SourceLocation location, const std::string &function,
                const std::string &reason);
  /// A loop that looks like a collective operation stays as it is: says what it looks like, and why
  /// it stays. Printed at level All if the plan does not want it replaced.
  void notReplaced(clang::SourceLocation location, const std::string &what, bool isPlanned);
  /// A loop or block stays as it is, as expected; printed at level All.
  void left(clang::SourceLocation location, const std::string &what, const std::string &reason);

private:
  clang::DiagnosticsEngine engine;
  RemarkLevel level;

  void print(clang::SourceLocation location, const std::string &text);
};

} // namespace sendwright

#endif
