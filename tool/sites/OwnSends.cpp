// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/sites/OwnSends.h"

#include "tool/legality/BodySummary.h"
#include "tool/legality/EvaluatedCode.h"
#include "tool/legality/LibraryFunctions.h"
#include "tool/sites/LoopObstacles.h"

#include "llvm/ADT/DenseSet.h"

using namespace clang;

namespace sendwright {

namespace {

class OwnSends final : public EvaluatedCode {
public:
  OwnSends(const Stmt &loop, const ASTContext &context) : loop(loop), context(context) {}

  bool found = false;

  bool enters(Stmt &statement) override {
    return !found && (&statement == &loop || !isLoop(&statement)) &&
           EvaluatedCode::enters(statement);
  }
  void onCall(const FunctionDecl &callee, const Expr *, SourceLocation) override {
    const KnownFunction known = classifyFunction(callee, context);
    found |= known.kind == KnownFunction::Mpi && known.mpi && isSend(known.mpi->role);
    const FunctionDecl *definition =
        known.kind == KnownFunction::User ? visibleDefinition(callee) : nullptr;
    if (definition && entered.insert(definition).second)
      walkFunction(*definition);
  }
  void onUnknownCall(const std::string &, SourceLocation) override {}
  void onLambda(const LambdaExpr &lambda) override {
    if (!lambda.isGenericLambda())
      onCall(*lambda.getCallOperator(), nullptr, lambda.getBeginLoc());
  }

private:
  const Stmt &loop;
  const ASTContext &context;
  llvm::DenseSet<const FunctionDecl *> entered;
};

} // namespace

bool sendsByItself(const Stmt &loop, const ASTContext &context) {
  OwnSends sends(loop, context);
  sends.walkStatement(&loop);
  return sends.found;
}

} // namespace sendwright
