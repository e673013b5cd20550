// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What may be deferred, and why not.
//
// A loop may be put into a batch when its body ends and does not wait for anything outside MPI: the
// messages that it defers leave at its end, or at the next MPI call that could notice. The runtime
// takes care of what the body does inside MPI. A send buffer needs no copy when, in addition,
// nothing in the loop can overwrite it.
//
// Where the loop's own text calls through a pointer, the runtime must check the target before the
// call; the verdict names these calls.
//
// Facts about functions are computed bottom-up over the bodies that this translation unit sees; the
// plan has the facts about functions in other units, recorded with the profile.

#ifndef SENDWRIGHT_TOOL_LEGALITY_LEGALITY_H
#define SENDWRIGHT_TOOL_LEGALITY_LEGALITY_H

#include "analysis/plan/Plan.h"
#include "analysis/program/UnitFacts.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceLocation.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sendwright {

/// Why a loop is not put into a batch (one sentence without a full stop), and where.
struct Refusal {
  std::string reason;
  clang::SourceLocation location;
};

struct LoopVerdict {
  bool mayReachMpi = false;       ///< a call in it may end in MPI (generate mode marks it)
  bool sends = false;             ///< a call in its own text or in visible bodies is an MPI send
  std::optional<Refusal> refusal; ///< why it must not be captured
  bool stableBuffers = false;     ///< proved: nothing in the loop overwrites what it sends
  SiteReliance reliance;          ///< the facts about other units that the verdict rests on
  std::vector<const clang::CallExpr *> indirect; ///< calls that the runtime must be told of
};

/// How to treat functions of other units that no plan describes: as unknown, or as harmless and
/// named in the verdict.
enum class OtherUnits { Unknown, Named };

class Legality {
public:
  /// `plan` (facts about other units) may be null; it and the context must outlive this.
  Legality(clang::ASTContext &context, const Plan *plan, OtherUnits others = OtherUnits::Unknown);
  ~Legality();

  /// Judges a for, range-for, while or do statement inside `function` (in a template, an
  /// instantiation). Results are cached per function body; linear in the code visited for the first
  /// time.
  LoopVerdict judge(const clang::Stmt *loop, const clang::FunctionDecl *function);

  /// Whether running the statement could end in a call of MPI.
  bool mayReachMpi(const clang::Stmt &statement);

  /// The facts, by symbol name, of every function defined in this unit that other units can call.
  /// With a plan, also of the functions that loops may call according to the plan.
  std::map<std::string, FunctionFacts> functions();

  /// The functions whose address this unit's emitted code takes, with facts about those defined in
  /// the unit or in libraries. Linear in the unit.
  std::vector<CallTarget> targets();

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace sendwright

#endif
