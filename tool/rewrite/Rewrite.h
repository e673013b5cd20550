// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all transformations of one translation unit share: what they read, and what they add to.

#ifndef SENDWRIGHT_TOOL_REWRITE_REWRITE_H
#define SENDWRIGHT_TOOL_REWRITE_REWRITE_H

#include "analysis/plan/Plan.h"
#include "analysis/program/LoopSummary.h"
#include "tool/legality/Legality.h"
#include "tool/sites/IndirectCallees.h"
#include "tool/sites/LoopSites.h"
#include "tool/sites/LoopText.h"
#include "tool/source/Edits.h"
#include "tool/source/Emission.h"
#include "tool/source/Remarks.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceLocation.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sendwright {

/// What became of a send loop; in a template, of one instantiation.
struct LoopOutcome {
  SiteIdentity site;
  unsigned column = 0;
  std::string transformation;         ///< stem; empty: left as written
  std::string reason;                 ///< why it was left
  std::uint64_t sends = 0, bytes = 0; ///< in the plan's profiles
};

/// A call of MPI that must be marked although it is in a macro.
struct WantedMark {
  SiteIdentity call;
  std::vector<std::string> bounds; ///< the bounds of the loop that it answers, if any
};

struct Rewrite {
  clang::ASTContext &context;
  const UnitSites &sites;
  Legality &legality;
  Remarks &remarks;
  Edits edits;
  std::vector<EmittedSite> emitted;      ///< sites of loops
  std::vector<EmittedSite> emittedCalls; ///< sites of MPI calls
  std::vector<EmittedCaller> emittedCallers;
  std::vector<LoopInSource> loops;   ///< the loops that were marked
  std::vector<LoopOutcome> outcomes; ///< of the send loops that the plan or the text shows
  std::vector<WantedMark> wantedMarks;
  std::vector<SiteIdentity>
      explainedElsewhere;                   ///< loops that are no send loops: others report them
  std::map<clang::FileID, Pragmas> pragmas; ///< of the files looked at so far
};

/// The verdicts on all instances of a loop as one: what forbids something counts if it holds for
/// one instance; what allows something counts if it holds for all.
LoopVerdict judgeInstances(Legality &legality, const LoopSite &site);

/// Why no text can be inserted around the loop or block: its obstacle, or a pragma before it; ""
/// where it can.
std::string editObstacle(Rewrite &rewrite, const LoopSite &site);

/// Puts a scope around the loop or block, and around this that of its exchanges, if they overlap.
/// `calls` may be empty if they do.
void addScope(Rewrite &rewrite, const LoopSite &site, const EmittedSite &emitted,
              const ScopeCalls &calls, const std::vector<std::string> &comment);
/// Shows the runtime what a loop calls through pointers.
void addChecks(Rewrite &rewrite, const LoopSite &site, const IndirectCallees &callees);

/// Writes a call of the runtime, `before`, in front of a call of MPI: as a statement of its own
/// where the MPI call is a statement of a block, else within the expression.
void addBefore(Rewrite &rewrite, const CallSite &site, const EmittedSite &emitted,
               const std::string &before, const std::vector<std::string> &comment);

/// The same in front of a call of a function that may wrap MPI.
void addBefore(Rewrite &rewrite, const WrapperCallSite &site, const EmittedCaller &emitted);

/// Why no text can be inserted before a statement: a pragma before it; "" where it can. `what`
/// names the statement in the sentence.
std::string pragmaObstacle(Rewrite &rewrite, clang::FileID file, unsigned begin,
                           const std::string &what = "the loop");

/// Where the unit defines the function that holds a site of another build, or nothing.
std::optional<clang::SourceLocation> definitionAround(const Rewrite &rewrite,
                                                      const SiteIdentity &site);

} // namespace sendwright

#endif
