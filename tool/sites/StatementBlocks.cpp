// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/sites/StatementBlocks.h"

#include "tool/legality/Stores.h"
#include "tool/sites/Jumps.h"
#include "tool/sites/LoopObstacles.h"
#include "tool/sites/StatementSends.h"
#include "tool/sites/Surroundings.h"
#include "tool/source/SyntaxWalk.h"

#include "clang/AST/StmtOpenMP.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace sendwright {

namespace {

constexpr unsigned fewestSends = 3, fewestExchanges = 2;

using Visit = llvm::function_ref<void(StatementBlock &)>;

CompoundStmt *compoundOf(ASTContext &context, llvm::ArrayRef<Stmt *> statements) {
  return CompoundStmt::Create(context, statements, FPOptionsOverride(),
                              statements.front()->getBeginLoc(), statements.back()->getEndLoc());
}

/// The variables that an expression names.
class NamedVariables final : public SyntaxWalk {
public:
  llvm::SmallPtrSet<const VarDecl *, 4> found;
  bool calls = false;

  bool VisitDeclRefExpr(DeclRefExpr *reference) override {
    if (const auto *variable = dyn_cast<VarDecl>(reference->getDecl()))
      found.insert(variable);
    return true;
  }
  bool VisitCallExpr(CallExpr *) override { return !(calls = true); }
  bool VisitUnaryOperator(UnaryOperator *operation) override {
    calls |= operation->isIncrementDecrementOp();
    return true;
  }
};

/// Whether all sends certainly go where the first goes: the same words, whose variables the
/// statements do not set.
bool haveOneDestination(const std::vector<const Expr *> &destinations, const Stmt &statements,
                        ASTContext &context) {
  llvm::FoldingSetNodeID first;
  if (!destinations.front())
    return false;
  destinations.front()->Profile(first, context, /*Canonical=*/true);
  for (const Expr *destination : llvm::drop_begin(destinations)) {
    llvm::FoldingSetNodeID other;
    if (!destination)
      return false;
    destination->Profile(other, context, /*Canonical=*/true);
    if (other != first)
      return false;
  }
  NamedVariables named;
  named.TraverseStmt(const_cast<Expr *>(destinations.front()));
  if (named.calls)
    return false;
  const Stores stores = findStores(statements, context);
  return llvm::none_of(stores.places, [&](const MemoryPlace &place) {
    return place.variable && named.found.contains(place.variable);
  });
}

/// Whether what a loop sends, if it sends, is certainly captured together. Where the loop calls
/// functions of other units, one of them may wait: then the profile decides between loop and block.
bool isSendLoop(const StatementSends &loop) { return !loop.endsBatch && !loop.callsUnknown; }

class BlockWalk {
public:
  BlockWalk(const FunctionDecl &function, ASTContext &context, SendingStatements &sending,
            bool withChains, Visit visit)
      : function(function), context(context), sending(sending), visit(visit),
        jumps(function.getBody()), around(functionObstacle(&function)) {
    if (withChains && !function.isDependentContext())
      chains.emplace(function, context);
    walk(function.getBody());
  }

private:
  const FunctionDecl &function;
  ASTContext &context;
  SendingStatements &sending;
  Visit visit;
  const Jumps jumps; // of the whole function
  std::optional<PairwiseChains> chains;
  std::string around; // an obstacle for all blocks at this place

  void walk(const Stmt *statement) {
    const std::string outer = around;
    if (const auto *directive = dyn_cast<OMPExecutableDirective>(statement);
        directive && around.empty())
      around = regionObstacle(directive, "the block");
    if (isLoop(statement) && isSendLoop(sending.of(*statement)))
      return; // its sends are its own
    if (const auto *compound = dyn_cast<CompoundStmt>(statement))
      walkStatements(*compound);
    else if (const auto *expression = dyn_cast<StmtExpr>(statement))
      walkChildren(expression->getSubStmt()); // the last statement is the expression's value
    else
      walkChildren(statement);
    around = outer;
  }

  void walkChildren(const Stmt *statement) {
    forEachChild(statement, [this](const Stmt *child) { walk(child); });
  }

  void walkStatements(const CompoundStmt &compound) {
    const llvm::ArrayRef<Stmt *> statements(const_cast<CompoundStmt &>(compound).body_begin(),
                                            compound.size());
    std::size_t begin = 0; // of the statements that a block may hold
    std::vector<StatementSends> sends;
    for (std::size_t number = 0; number <= statements.size(); ++number) {
      if (number < statements.size()) {
        sends.push_back(sending.of(*statements[number]));
        if (mayBeWithin(*statements[number], sends.back()))
          continue;
      }
      const auto run = llvm::ArrayRef(sends).slice(begin, number - begin);
      takeRun(compound, statements.slice(begin, number - begin), run, statements.drop_front(begin));
      if (number < statements.size()) {
        if (const std::size_t taken = takeChain(compound, statements.drop_front(number)))
          number += taken - 1;
        else
          walk(statements[number]);
      }
      sends.resize(std::min(number + 1, statements.size()));
      begin = number + 1;
    }
  }

  /// The text of an attributed statement may begin in a pragma.
  static bool mayBeWithin(const Stmt &statement, const StatementSends &sends) {
    return !sends.endsBatch &&
           !isa<SwitchCase, OMPExecutableDirective, CapturedStmt, AttributedStmt>(statement);
  }

  /// Takes the chain that statements begin with, and returns how many they are; 0 if there is none.
  std::size_t takeChain(const CompoundStmt &holder, llvm::ArrayRef<Stmt *> rest) {
    const PairwiseChain chain = chains ? chains->atBeginOf(rest) : PairwiseChain();
    if (chain.statements < 2 || chain.calls < fewestExchanges)
      return 0;
    StatementBlock block;
    block.holder = &holder;
    block.function = &function;
    block.statements = compoundOf(context, rest.take_front(chain.statements));
    block.chain = chain;
    finish(block, rest);
    return chain.statements;
  }

  /// `rest`: the run, and what follows it in its compound statement.
  void takeRun(const CompoundStmt &holder, llvm::ArrayRef<Stmt *> run,
               llvm::ArrayRef<StatementSends> sends, llvm::ArrayRef<Stmt *> rest) {
    const auto doesSend = [](const StatementSends &one) {
      return one.sends > 0 || one.sendsInLoop;
    };
    const auto first = static_cast<std::size_t>(llvm::find_if(sends, doesSend) - sends.begin());
    std::size_t end = sends.size();
    while (end > first && !doesSend(sends[end - 1]))
      --end;
    StatementBlock block;
    block.holder = &holder;
    block.function = &function;
    bool startsSeveral = false;
    std::vector<const Expr *> destinations;
    for (const StatementSends &one : sends.slice(first, end - first)) {
      startsSeveral |= one.startsSeveral;
      block.sends += one.sends;
      block.loops += one.sendsInLoop ? 1 : 0;
      destinations.insert(destinations.end(), one.destinations.begin(), one.destinations.end());
    }
    const llvm::ArrayRef<Stmt *> taken = run.slice(first, end - first);
    if (startsSeveral || (taken.size() > 1 && (block.loops > 0 || block.sends >= fewestSends))) {
      block.statements = compoundOf(context, taken);
      const bool isBlock = startsSeveral || block.loops > 0 ||
                           !haveOneDestination(destinations, *block.statements, context);
      if (isBlock)
        finish(block, rest.drop_front(first));
      if (isBlock && block.loops == 0)
        return;
    }
    for (const Stmt *statement : run)
      walk(statement);
  }

  void finish(StatementBlock &block, llvm::ArrayRef<Stmt *> rest) {
    const bool returns =
        isa<ReturnStmt>(block.statements->body_back()) && rest.size() == block.statements->size();
    block.declares = !returns && llvm::any_of(block.statements->body(), [](const Stmt *statement) {
      return isa<DeclStmt>(statement);
    });
    block.obstacle = around;
    if (block.obstacle.empty())
      block.obstacle = jumpObstacle(block.statements, jumps, "the block");
    if (block.obstacle.empty() && block.declares)
      block.obstacle = closingObstacle(*block.statements, rest);
    visit(block);
  }

  /// A scope that is closed by a call is declared in the compound statement that holds the block:
  /// no jump may pass over its declaration, or leave the block for a place behind it.
  std::string closingObstacle(const Stmt &block, llvm::ArrayRef<Stmt *> rest) {
    const Jumps inside(&block);
    for (const LabelDecl *target : inside.targets)
      if (!inside.labels.contains(target))
        return "a goto leaves the block, which declares variables";
    const std::string obstacle =
        jumpObstacle(compoundOf(context, rest), jumps, "the statements from there on");
    return obstacle.empty() ? "" : obstacle + ", and the block declares variables";
  }
};

/// The compound statement of a function that begins at a place of the text.
class CompoundFinder final : public SyntaxWalk {
public:
  explicit CompoundFinder(SourceLocation begin) : begin(begin) {}
  const CompoundStmt *found = nullptr;

  bool VisitCompoundStmt(CompoundStmt *compound) override {
    if (compound->getLBracLoc() == begin)
      found = compound;
    return !found;
  }

private:
  SourceLocation begin;
};

/// The statements of a template's block in an instantiation; null where it does not have them.
const CompoundStmt *blockInInstantiation(const StatementBlock &block,
                                         const FunctionDecl &instantiation, ASTContext &context) {
  CompoundFinder finder(block.holder->getLBracLoc());
  finder.TraverseStmt(instantiation.getBody());
  if (!finder.found || finder.found->size() != block.holder->size())
    return nullptr;
  const auto first = llvm::find(block.holder->body(), block.statements->body_front());
  const auto place = static_cast<std::size_t>(first - block.holder->body_begin());
  const llvm::ArrayRef<Stmt *> all(const_cast<CompoundStmt *>(finder.found)->body_begin(),
                                   finder.found->size());
  return compoundOf(context, all.slice(place, block.statements->size()));
}

/// The functions that are no instantiations, and the instantiations of each.
class Patterns {
public:
  explicit Patterns(const std::vector<const FunctionDecl *> &functions) {
    for (const FunctionDecl *function : functions)
      if (const FunctionDecl *pattern = function->getTemplateInstantiationPattern())
        instantiations[pattern->getCanonicalDecl()].push_back(function);
      else
        written.push_back(function);
  }

  std::vector<const FunctionDecl *> written;

  void addInstances(StatementBlock &block, ASTContext &context) const {
    if (!block.function->isDependentContext())
      block.instances.emplace_back(block.statements, block.function);
    for (const FunctionDecl *instantiation :
         instantiations.lookup(block.function->getCanonicalDecl()))
      if (!instantiation->isDependentContext())
        if (const CompoundStmt *same = blockInInstantiation(block, *instantiation, context))
          block.instances.emplace_back(same, instantiation);
  }

private:
  llvm::DenseMap<const FunctionDecl *, std::vector<const FunctionDecl *>> instantiations;
};

} // namespace

void forEachBlock(const std::vector<const FunctionDecl *> &functions, ASTContext &context,
                  bool chains, const std::function<void(const StatementBlock &)> &visit) {
  SendingStatements sending(context);
  for (const FunctionDecl *function : functions)
    forEachLoop(function, [&](const Stmt *loop, const std::string &) {
      const StatementSends sends = sending.of(*loop);
      if (sends.sendsInLoop && isSendLoop(sends))
        sending.noteSendLoop(*loop);
    });
  const Patterns patterns(functions);
  for (const FunctionDecl *function : patterns.written)
    if (!sending.isCalledFromSendLoop(*function))
      BlockWalk(*function, context, sending, chains, [&](StatementBlock &block) {
        patterns.addInstances(block, context);
        visit(block);
      });
}

} // namespace sendwright
