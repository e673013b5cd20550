// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every transformation of one translation unit works on and adds to.

#ifndef SENDWRIGHT_TOOL_REWRITE_REWRITE_H
#define SENDWRIGHT_TOOL_REWRITE_REWRITE_H

#include "analysis/plan/Plan.h"
#include "analysis/program/LoopSummary.h"
#include "tool/legality/Legality.h"
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

/// What became of a send loop, in a template of one instantiation of it.
struct LoopOutcome {
  SiteIdentity site;
  unsigned column = 0;
  std::string transformation;         ///< stem; empty: left as written
  std::string reason;                 ///< why it was left
  std::uint64_t sends = 0, bytes = 0; ///< in the plan's profiles
};

struct Rewrite {
  clang::ASTContext &context;
  const UnitSites &sites;
  Legality &legality;
  Remarks &remarks;
  Edits edits;
  std::vector<EmittedSite> emitted;         ///< loops
  std::vector<EmittedSite> emittedCalls;    ///< of MPI
  std::vector<LoopInSource> loops;          ///< those that were marked
  std::vector<LoopOutcome> outcomes;        ///< of the send loops that the plan or the text shows
  std::map<clang::FileID, Pragmas> pragmas; ///< of the files that were asked about
};

/// The verdicts on all instances of a loop as one: what holds for one of them counts where it
/// forbids something, what holds for all where it allows something.
LoopVerdict judgeInstances(Legality &legality, const LoopSite &site);

/// Why text cannot be put around the loop: its obstacle, or a pragma before it; "" where it can.
std::string editObstacle(Rewrite &rewrite, const LoopSite &site);

/// Puts a scope around the loop.
void addScope(Rewrite &rewrite, const LoopSite &site, const EmittedSite &emitted,
              const std::string &opening, const std::vector<std::string> &comment);

/// Writes a call of the runtime, `before`, in front of a call of MPI: as a statement before its own
/// where it is a statement of a block, else within the expression.
void addBefore(Rewrite &rewrite, const CallSite &site, const EmittedSite &emitted,
               const std::string &before, const std::vector<std::string> &comment);

/// Why text cannot be put in front of a statement: a pragma before it; "" where it can.
std::string pragmaObstacle(Rewrite &rewrite, clang::FileID file, unsigned begin);

/// Where the unit defines the function that holds a site of another build, or nothing.
std::optional<clang::SourceLocation> definitionAround(const Rewrite &rewrite,
                                                      const SiteIdentity &site);

} // namespace sendwright

#endif
