// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/sites/CollectivePatterns.h"

#include "tool/sites/PatternPieces.h"
#include "tool/sites/Surroundings.h"

#include "clang/AST/Stmt.h"
#include "llvm/ADT/SetVector.h"

#include <algorithm>

namespace sendwright {

namespace {

using namespace clang;

/// Looks at every branch and every block of a function, outer ones first.
class PatternWalk {
public:
  PatternWalk(PatternSearch &search, const FunctionDecl &function)
      : search(search), function(function) {
    walk(function.getBody(), {});
  }

private:
  PatternSearch &search;
  const FunctionDecl &function;

  void walk(const Stmt *statement, llvm::ArrayRef<const Stmt *> behind) {
    if (const auto *branch = dyn_cast<IfStmt>(statement))
      findRooted(search, function, *branch, behind);
    if (const auto *loop = dyn_cast<ForStmt>(statement))
      findExchanges(search, function, *loop);
    const auto *block = dyn_cast<CompoundStmt>(statement);
    if (!block)
      return forEachChild(statement, [this](const Stmt *child) { walk(child, {}); });
    const std::vector<const Stmt *> children = statementsOf(block);
    for (std::size_t child = 0; child < children.size(); ++child)
      walk(children[child], llvm::ArrayRef(children).drop_front(child + 1));
    findMutual(search, function, *block);
  }
};

} // namespace

std::vector<CollectivePattern> findCollectives(ASTContext &context, const UnitSites &sites,
                                               Legality &legality, bool reassociate) {
  PatternSearch search(context, sites, legality, reassociate);
  llvm::SetVector<const FunctionDecl *> functions; // in the order of the text
  for (const LoopSite &site : sites.loops)
    for (const InstantiatedLoop &instance : site.instances)
      functions.insert(instance.function);
  for (const FunctionDecl *function : functions)
    PatternWalk(search, *function);
  return std::move(search.found);
}

} // namespace sendwright
