// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/transformations/collectives/CollectivePatterns.h"

#include "tool/sites/Surroundings.h"
#include "tool/transformations/collectives/PatternPieces.h"

#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

#include <algorithm>

namespace sendwright {

namespace {

using namespace clang;

/// Visits every branch and every block of a function, the outer before the inner.
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

bool areSameStatements(const GuardedStatements &one, const GuardedStatements &other) {
  return one.file == other.file && one.begin == other.begin && one.end == other.end &&
         one.word == other.word && one.arguments == other.arguments &&
         one.otherwise == other.otherwise && one.carriesOut == other.carriesOut;
}

/// Whether both need the same text and the same remarks.
bool areSamePatterns(const CollectivePattern &one, const CollectivePattern &other) {
  const CollectiveInSource &first = one.inSource, &second = other.inSource;
  const auto sameSites = [](const std::vector<SiteIdentity> &left,
                            const std::vector<SiteIdentity> &right) {
    return std::equal(
        left.begin(), left.end(), right.begin(), right.end(),
        [](const SiteIdentity &site, const SiteIdentity &known) { return site.sameLoopAs(known); });
  };
  return first.operation == second.operation && first.reduction == second.reduction &&
         first.problem == second.problem && first.own == second.own &&
         sameSites(first.sends, second.sends) && sameSites(first.receives, second.receives) &&
         one.boundsOfOthers == other.boundsOfOthers &&
         std::equal(one.guarded.begin(), one.guarded.end(), other.guarded.begin(),
                    other.guarded.end(), areSameStatements);
}

/// Merges the patterns of all instantiations of a template into one, as there is only one text for
/// them. They run as one operation, so they must all be the same, with the same calls.
std::vector<CollectivePattern> mergeInstantiations(std::vector<CollectivePattern> found,
                                                   const UnitSites &sites) {
  std::vector<CollectivePattern> merged;
  llvm::DenseMap<const LoopSite *, std::pair<std::size_t, std::size_t>> known; // index, number
  for (CollectivePattern &pattern : found) {
    if (!pattern.site || !pattern.site->inTemplate) {
      merged.push_back(std::move(pattern));
      continue;
    }
    const auto [place, isNew] = known.try_emplace(pattern.site, merged.size(), 1);
    if (isNew) {
      merged.push_back(std::move(pattern));
      continue;
    }
    ++place->second.second;
    CollectivePattern &first = merged[place->second.first];
    if (!areSamePatterns(first, pattern) && first.inSource.problem.empty())
      first.inSource.problem = "it differs between instantiations of its template";
  }
  const auto instancesOf = [&](const SiteIdentity &call) {
    for (const CallSite &site : sites.calls)
      if (site.identity.sameLoopAs(call))
        return site.instances.size();
    return std::size_t{0};
  };
  for (const auto &[site, place] : known) {
    CollectiveInSource &first = merged[place.first].inSource;
    bool inAll = place.second == site->instances.size();
    for (const auto &calls : {first.sends, first.receives})
      for (const SiteIdentity &call : calls)
        inAll = inAll && instancesOf(call) == site->instances.size();
    if (!inAll && first.problem.empty())
      first.problem = "it differs between instantiations of its template";
    if (!first.problem.empty())
      merged[place.first].guarded.clear();
  }
  return merged;
}

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
  return mergeInstantiations(std::move(search.found), sites);
}

} // namespace sendwright
