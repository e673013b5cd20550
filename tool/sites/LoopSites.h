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
#include "tool/sites/PairwiseChains.h"
#include "tool/sites/SourceSite.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sendwright {

struct InstantiatedLoop {
  const clang::Stmt *loop; ///< for a block, a compound statement of its own (StatementBlocks.h)
  const clang::FunctionDecl *function;
};

/// What a block sends, as written.
struct BlockSize {
  unsigned sends = 0; ///< outside of loops; a call of a function counts with the sends in it
  unsigned loops = 0; ///< statements with send loops
};

struct LoopSite : SourceSite {
  std::optional<BlockSize> block;     ///< nothing for a loop
  std::optional<PairwiseChain> chain; ///< its MPI_Sendrecv calls, if they may overlap
  bool declares = false;              ///< a block; names declared in it are visible after it
  std::string directive;              ///< of a directive that sends: its word. Not a statement
  std::vector<InstantiatedLoop>
      instances; ///< empty for a directive, and for a template that the unit does not instantiate

  bool isBlock() const { return block.has_value(); }
  /// What remarks call it: "send loop", "block of 6 sends", "block of 2 send loops", "chain of 6
  /// exchanges", "loop of exchanges", "call of MPI_Startall", "directive 'reflect'".
  std::string name() const;
};

struct UnitSites {
  std::vector<LoopSite> loops;               ///< and blocks; ordered by file and position
  std::vector<CallSite> calls;               ///< likewise; only where they were asked for
  std::vector<WrapperCallSite> wrapperCalls; ///< likewise, without those in templates
  /// Where functions (file name, qualified name) are defined.
  std::map<std::pair<std::string, std::string>, clang::SourceLocation> functions;
};

/// What findSites() looks for besides loops and blocks of sends.
struct WantedSites {
  bool calls = false;        ///< the MPI calls before which a super epoch can end
  bool chains = false;       ///< chains of exchanges, outside of templates
  bool wrapperCalls = false; ///< the calls of functions that may wrap MPI
};

/// Finds the loops and blocks of the unit outside of system headers, MPI's headers and precompiled
/// headers. Linear in the user's code.
UnitSites findSites(clang::ASTContext &context, WantedSites wanted);

/// The qualified name of a function without template arguments; a lambda is "::lambda" after the
/// name of the enclosing function.
std::string siteFunctionName(const clang::FunctionDecl *function);

} // namespace sendwright

#endif
