// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What patterns with a root and patterns without one have in common: how their pieces are looked
// at, and how the words that take their place are put together.

#ifndef SENDWRIGHT_TOOL_TRANSFORMATIONS_COLLECTIVES_PATTERNPIECES_H
#define SENDWRIGHT_TOOL_TRANSFORMATIONS_COLLECTIVES_PATTERNPIECES_H

#include "tool/sites/MessageLoops.h"
#include "tool/sites/VariableUses.h"
#include "tool/transformations/collectives/CollectivePatterns.h"

#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <optional>
#include <string>
#include <vector>

namespace sendwright {

/// The sites of a unit by what is there, and what else patterns are judged by.
struct PatternSearch {
  clang::ASTContext &context;
  Legality &legality;
  const bool reassociate;
  llvm::DenseMap<const clang::Stmt *, const LoopSite *> loops;
  llvm::DenseMap<const clang::CallExpr *, const CallSite *> calls;
  llvm::DenseSet<const clang::Stmt *> taken; ///< loops of patterns, and of near misses
  std::vector<CollectivePattern> found;
  std::optional<ValueSet> changedElsewhere; ///< valuesOfFilesChangedConditionally(), once asked for

  PatternSearch(clang::ASTContext &context, const UnitSites &sites, Legality &legality,
                bool reassociate);
};

/// Patterns with a root: `branch`, and the statements that follow it in its block.
void findRooted(PatternSearch &search, const clang::FunctionDecl &function,
                const clang::IfStmt &branch, llvm::ArrayRef<const clang::Stmt *> behind);

/// Patterns without a root: pairs of loops among the statements of a block.
void findMutual(PatternSearch &search, const clang::FunctionDecl &function,
                const clang::CompoundStmt &block);

/// Patterns without a root: a loop in which each rank exchanges with one other in each step.
void findExchanges(PatternSearch &search, const clang::FunctionDecl &function,
                   const clang::ForStmt &statement);

/// Whether running the statement may have to do with other ranks: it may reach a function of MPI
/// that does more than to tell something.
bool mayCommunicate(PatternSearch &search, const clang::Stmt &statement);

/// A pattern with its sites, and as its problem why they are none; "" where they are.
CollectivePattern patternAt(const PatternSearch &search, Collective operation,
                            const clang::Stmt &loop, const std::vector<MessageCall> &calls);

/// What is the same for both loops of a pattern, or for its only one: why its messages are no
/// blocks of an operation, or "".
std::string loopProblem(const MessageLoop &loop, const clang::ASTContext &context);

/// Why two calls do not fit together: "the tags differ"; or "".
std::string differenceOf(const MessageCall &one, const MessageCall &other,
                         const clang::ASTContext &context);

/// Why the requests of a message, or of a loop's, cannot be left out together with `waits` and the
/// loops in `users`, or "".
std::string requestProblem(const MessageCall &message, const clang::VarDecl *counter,
                           const clang::FunctionDecl &function,
                           std::vector<const clang::Stmt *> users,
                           const std::vector<const clang::CallExpr *> &waits,
                           const clang::ASTContext &context);

/// Whether the call waits for requests of the same variable.
bool waitsFor(const clang::CallExpr &wait, const MessageCall &message);

/// Why the ranks that a loop goes over, and the root where there is one, may not be the same for
/// all: they are worked out from `rank` (null: of which nothing is known), or a value of theirs is
/// set where not all ranks come, or in `between`; or "".
std::string boundsProblem(PatternSearch &search, const MessageLoop &loop, const clang::Expr *root,
                          const clang::Expr *rank, const clang::FunctionDecl &function,
                          const std::vector<const clang::Stmt *> &between);

/// Statements of one block that an operation takes the place of.
struct LeftOut {
  std::vector<const clang::Stmt *> statements; ///< in their order; what is between them, too
  std::vector<const clang::CallExpr *> calls;  ///< of MPI in them
  bool usesResults = false;
  /// What the calls return where the operation is done.
  std::string result = "sendwright_collective_error()";

  void add(const clang::Stmt *statement, const clang::CallExpr *call, bool usesResult) {
    statements.push_back(statement);
    calls.push_back(call);
    usesResults |= usesResult;
  }
};

/// The arguments of a call, put together from expressions. Remembers the first that cannot be
/// written again.
class CallWords {
public:
  CallWords(const clang::ASTContext &context, std::string word);

  CallWords &add(const clang::Expr &expression);
  CallWords &add(const std::string &text);
  /// Of a block: its addresses for ranks 0 and 1.
  CallWords &addBlocks(const clang::Expr &pointer, const clang::VarDecl &rank);
  /// The first rank of the loop and the one past the last.
  CallWords &addBounds(const MessageLoop &loop);
  /// The latter alone.
  CallWords &addEnd(const MessageLoop &loop);

  const std::string &problem() const { return firstProblem; }
  const std::vector<std::string> &arguments() const { return guarded.arguments; }
  /// In the place of statements; otherwise the loop's variable has the value that it would have
  /// had, where there is a loop and others can see it. Where results are used, otherwise the
  /// statements run with the operation's result in the place of the calls.
  GuardedStatements inPlaceOf(const LeftOut &leftOut, const MessageLoop *loop);

private:
  const clang::ASTContext &context;
  GuardedStatements guarded;
  std::string firstProblem;

  void fail(const clang::Expr &expression);
  void repeatChecks(const LeftOut &leftOut);
};

} // namespace sendwright

#endif
