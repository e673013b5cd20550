// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What patterns with and without a root share: how their parts are examined, and how the text that
// replaces the parts is put together.

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

/// The sites of a unit by their statements and calls, and what else the judgement of patterns
/// needs.
struct PatternSearch {
  clang::ASTContext &context;
  Legality &legality;
  const bool reassociate;
  llvm::DenseMap<const clang::Stmt *, const LoopSite *> loops;
  llvm::DenseMap<const clang::CallExpr *, const CallSite *> calls;
  llvm::DenseSet<const clang::Stmt *> taken; ///< loops that belong to patterns or near misses
  std::vector<CollectivePattern> found;
  std::optional<ValueSet> changedElsewhere; ///< valuesOfFilesChangedConditionally(), on first use

  PatternSearch(clang::ASTContext &context, const UnitSites &sites, Legality &legality,
                bool reassociate);
};

/// Patterns with a root: `branch`, and the statements after it in its block.
void findRooted(PatternSearch &search, const clang::FunctionDecl &function,
                const clang::IfStmt &branch, llvm::ArrayRef<const clang::Stmt *> behind);

/// Patterns without a root: pairs of loops among the statements of a block.
void findMutual(PatternSearch &search, const clang::FunctionDecl &function,
                const clang::CompoundStmt &block);

/// Patterns without a root: a loop in which each rank exchanges with one other rank in each step.
void findExchanges(PatternSearch &search, const clang::FunctionDecl &function,
                   const clang::ForStmt &statement);

/// Whether the statement may communicate with other ranks: it may reach an MPI function that does
/// more than tell something.
bool mayCommunicate(PatternSearch &search, const clang::Stmt &statement);

/// A recognised pattern with its sites, or the reason why the sites do not form one.
CollectivePattern patternAt(const PatternSearch &search, Collective operation,
                            const clang::Stmt &loop, const std::vector<MessageCall> &calls);

/// Why the messages of a pattern's loop (of either loop, where it has two) are not blocks of an
/// operation, or "".
std::string loopProblem(const MessageLoop &loop, const clang::ASTContext &context);

/// Why two calls do not fit together: "the tags differ"; or "".
std::string differenceOf(const MessageCall &one, const MessageCall &other,
                         const clang::ASTContext &context);

/// Why the requests of a message, or of the messages of a loop, cannot be skipped together with
/// `waits` and the loops in `users`, or "".
std::string requestProblem(const MessageCall &message, const clang::VarDecl *counter,
                           const clang::FunctionDecl &function,
                           std::vector<const clang::Stmt *> users,
                           const std::vector<const clang::CallExpr *> &waits,
                           const clang::ASTContext &context);

/// Whether the call waits for requests of the same variable.
bool waitsFor(const clang::CallExpr &wait, const MessageCall &message);

/// Why the ranks that a loop goes over, and the root if there is one, may differ between ranks:
/// they are computed from `rank` (null: nothing is known about it), or one of their values is set
/// where not all ranks come, or in `between`; or "".
std::string boundsProblem(PatternSearch &search, const MessageLoop &loop, const clang::Expr *root,
                          const clang::Expr *rank, const clang::FunctionDecl &function,
                          const std::vector<const clang::Stmt *> &between);

/// Statements of one block that an operation replaces.
struct LeftOut {
  std::vector<const clang::Stmt *> statements; ///< in order; what lies between them is replaced too
  std::vector<const clang::CallExpr *> calls;  ///< MPI calls in them
  bool usesResults = false;
  /// What the calls return where the operation was carried out.
  std::string result = "sendwright_collective_error()";

  void add(const clang::Stmt *statement, const clang::CallExpr *call, bool usesResult) {
    statements.push_back(statement);
    calls.push_back(call);
    usesResults |= usesResult;
  }
};

/// The arguments of a call, put together from expressions. Remembers the first expression that
/// cannot be written again.
class CallWords {
public:
  CallWords(const clang::ASTContext &context, std::string word);

  CallWords &add(const clang::Expr &expression);
  CallWords &add(const std::string &text);
  /// The addresses of the blocks for ranks 0 and 1.
  CallWords &addBlocks(const clang::Expr &pointer, const clang::VarDecl &rank);
  /// The first rank of the loop and the rank past its last.
  CallWords &addBounds(const MessageLoop &loop);
  /// Only the rank past the loop's last.
  CallWords &addEnd(const MessageLoop &loop);

  const std::string &problem() const { return firstProblem; }
  const std::vector<std::string> &arguments() const { return guarded.arguments; }
  /// Puts the call in place of statements. If the operation is carried out, the loop's variable
  /// gets its final value where there is a loop and other code reads it; where results are used,
  /// the statements run with the operation's result in place of the calls.
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
