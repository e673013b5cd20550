// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One translation unit from its command line to its edits: what both the plugin and
// `sendwright rewrite` do.

#ifndef SENDWRIGHT_TOOL_UNIT_TRANSLATIONUNIT_H
#define SENDWRIGHT_TOOL_UNIT_TRANSLATIONUNIT_H

#include "analysis/plan/Plan.h"
#include "tool/rewrite/Rewrite.h"
#include "tool/rewrite/UnitTransformation.h"
#include "tool/source/Edits.h"
#include "tool/source/Emission.h"
#include "tool/unit/Options.h"
#include "tool/unit/ProjectRules.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/FileManager.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Serialization/PCHContainerOperations.h"

#include <memory>
#include <string>
#include <vector>

namespace sendwright {

/// A plan, and the bytes from which it was read, which are embedded unchanged.
struct PlanFile {
  Plan plan;
  std::string bytes;
  /// Throws FormatError naming the file and what is wrong.
  static PlanFile read(const std::string &name);
};

/// Who receives the parse's own diagnostics, and Sendwright's remarks.
struct Listeners {
  clang::DiagnosticConsumer &diagnostics;
  clang::DiagnosticConsumer &remarks;
};

struct RewrittenUnit {
  bool parsed = false; ///< false: the unit has errors, and nothing is rewritten
  std::vector<EditedFile> files;
  std::vector<SourceError> errors;   ///< in directives: the program cannot be compiled
  std::vector<LoopOutcome> outcomes; ///< in use mode, for a table of all loops
  Unit unit; ///< what must be declared; empty if it has neither sites nor functions
};

/// Parses a unit on its own and rewrites it according to `options`; always translates its
/// directives. `plan` may be null and must outlive the result. The invocation is used up. `rules`
/// are those for the unit's main file.
RewrittenUnit rewriteUnit(std::shared_ptr<clang::CompilerInvocation> invocation,
                          clang::FileManager &files,
                          std::shared_ptr<clang::PCHContainerOperations> containers,
                          const Options &options, const ProjectRules &rules, const PlanFile *plan,
                          Listeners listeners);

/// True while rewriteUnit() is parsing in this thread: the compiler also instantiates plugins for
/// that parse, and they must not rewrite it.
bool isParsing();

} // namespace sendwright

#endif
