// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of statements that are sites: sends written one after the other, each perhaps under a
// condition, as in a halo exchange with one statement for each face.
//
// A block is the run of statements of one compound statement from the first that sends to the last,
// as long as no statement between them calls MPI in a way that ends a batch (a wait, a receive, a
// collective). Send loops may be among its statements: faces in one loop, edges in the next. They
// remain sites, too; the profile says whether the block or a loop in it holds the messages. A block
// has at least three sends, not all to the same destination, or a send loop and something else that
// sends: with less there is nothing to choose. A call of MPI_Startall is a block by itself, because
// it may start many. Sends within a loop whose body ends no batch belong
// to the loop, also through functions that it calls.

#ifndef SENDWRIGHT_TOOL_SITES_STATEMENTBLOCKS_H
#define SENDWRIGHT_TOOL_SITES_STATEMENTBLOCKS_H

#include "tool/sites/PairwiseChains.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sendwright {

struct StatementBlock {
  /// A compound statement of its own, which the program does not have: it shares its statements
  /// with the one that holds them.
  const clang::CompoundStmt *statements = nullptr;
  const clang::CompoundStmt *holder = nullptr;   ///< the compound statement of the program
  const clang::FunctionDecl *function = nullptr; ///< or template
  unsigned sends = 0; ///< as written, outside of loops; a call counts with the sends in it
  unsigned loops = 0; ///< statements with send loops
  std::optional<PairwiseChain> chain; ///< it consists of exchanges instead
  bool declares = false;              ///< names declared in it are visible after it
  std::string obstacle; ///< why no scope can be opened and closed around it; "" where it can
  /// Outside of templates, the block; in a template, the same statements in each instantiation.
  std::vector<std::pair<const clang::CompoundStmt *, const clang::FunctionDecl *>> instances;
};

/// Calls `visit` for every block in the bodies of the given functions: templates, instantiations
/// and others. A block of a template holds what sends whatever its parameters are. With `chains`
/// also for chains of at least two exchanges outside of templates, which are blocks, too. Linear in
/// the bodies, times their depth.
void forEachBlock(const std::vector<const clang::FunctionDecl *> &functions,
                  clang::ASTContext &context, bool chains,
                  const std::function<void(const StatementBlock &)> &visit);

} // namespace sendwright

#endif
