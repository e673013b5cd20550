// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sites: the loops, blocks of sends and MPI calls of a translation unit that the user wrote, and
// what identifies each.
//
// A site is a place in the text. A loop in a template is one site here, with an instance for every
// instantiation of the unit; all are judged, and the text is edited once. Profiles and plans
// distinguish the instantiations by what the edit passes to the runtime.

#ifndef SENDWRIGHT_TOOL_SITES_LOOPSITES_H
#define SENDWRIGHT_TOOL_SITES_LOOPSITES_H

#include "tool/sites/CallSites.h"
#include "tool/sites/SourceSite.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sendwright {

struct InstantiatedLoop {
  const clang::Stmt *loop; ///< for a block, a compound statement of its own (StatementBlocks.h)
  const clang::FunctionDecl *function;
};

struct LoopSite : SourceSite {
  unsigned blockSends = 0; ///< how often a block sends, as written; 0 for a loop
  bool declares = false;   ///< a block; names declared in it are visible after it
  std::vector<InstantiatedLoop>
      instances; ///< empty for a template that the unit does not instantiate

  bool isBlock() const { return blockSends > 0; }
  /// What remarks call it: "send loop" or "block of 6 sends".
  std::string name() const;
};

struct UnitSites {
  std::vector<LoopSite> loops;               ///< and blocks; ordered by file and position
  std::vector<CallSite> calls;               ///< likewise; only where they were asked for
  std::vector<WrapperCallSite> wrapperCalls; ///< likewise, without those in templates
  /// Where functions (file name, qualified name) are defined.
  std::map<std::pair<std::string, std::string>, clang::SourceLocation> functions;
};

/// Finds the loops and blocks of the unit outside of system headers, MPI's headers and precompiled
/// headers. With `withCalls` also the MPI calls before which a super epoch can end, and with
/// `withWrapperCalls` the calls of functions that may wrap MPI. Linear in the user's code.
UnitSites findSites(clang::ASTContext &context, bool withCalls, bool withWrapperCalls = false);

/// The qualified name of a function without template arguments; a lambda is "::lambda" after the
/// name of the enclosing function.
std::string siteFunctionName(const clang::FunctionDecl *function);

} // namespace sendwright

#endif
