// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/legality/BodySummary.h"

#include "tool/legality/EvaluatedCode.h"
#include "tool/legality/LibraryCallbacks.h"
#include "tool/legality/LibraryFunctions.h"
#include "tool/legality/SharedReads.h"
#include "tool/source/ClangCompatibility.h"

#include "clang/AST/Attr.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace sendwright {

namespace {

class Summarizer final : public EvaluatedCode {
public:
  Summarizer(BodySummary &summary, ASTContext &context, PassedFunctions &passed)
      : summary(summary), context(context), passed(passed) {}

  void onCall(const FunctionDecl &callee, const Expr *site, SourceLocation where) override {
    KnownFunction known = classifyFunction(callee, context);
    switch (known.kind) {
    case KnownFunction::Mpi:
      summary.reachesMpi = true;
      summary.sends |= known.mpi && isSend(known.mpi->role);
      return;
    case KnownFunction::Bypass:
      summary.reachesMpi = true;
      refuse("calls " + callee.getNameAsString() + ", which bypasses the runtime", where);
      return;
    case KnownFunction::Library:
      onLibraryCall(callee, known.effect, site, where);
      return;
    case KnownFunction::User:
      onUserCall(callee, where);
      return;
    }
  }

  void onUnknownCall(const std::string &reason, SourceLocation where) override {
    summary.reachesMpi = true;
    refuse(reason, where);
  }

  void onIndirectCall(const CallExpr &call) override {
    const std::vector<const FunctionDecl *> *targets = passed.targetsOf(call);
    if (!targets) {
      summary.reachesMpi = true;
      summary.indirect.push_back(&call);
      return;
    }
    for (const FunctionDecl *target : *targets)
      if (const KnownFunction known = classifyFunction(*target, context);
          known.kind == KnownFunction::User)
        onUserCall(*target, call.getExprLoc(), true);
      else if (known.kind == KnownFunction::Mpi)
        onCall(*target, nullptr, call.getExprLoc());
  }

  // A lambda is written to be called; where and how often does not matter here.
  void onLambda(const LambdaExpr &lambda) override {
    if (!lambda.isGenericLambda()) {
      onUserCall(*lambda.getCallOperator(), lambda.getBeginLoc());
      return;
    }
    for (const FunctionDecl *instance : lambda.getDependentCallOperator()->specializations())
      onUserCall(*instance, lambda.getBeginLoc());
  }

  bool VisitStmt(Stmt *node) override {
    discarded.note(*node);
    if (!summary.sharedRead && !discarded.contains(*node))
      summary.sharedRead = describeSharedRead(*node);
    return true;
  }
  bool VisitForStmt(ForStmt *loop) override { return onLoop(loop); }
  bool VisitWhileStmt(WhileStmt *loop) override { return onLoop(loop); }
  bool VisitDoStmt(DoStmt *loop) override { return onLoop(loop); }

  bool VisitGCCAsmStmt(GCCAsmStmt *assembly) override {
    // An empty assembly statement only keeps the compiler from moving accesses.
    if (!llvm::StringRef(textOf(*assembly)).trim().empty())
      refuse("contains inline assembly", assembly->getBeginLoc());
    return true;
  }
  bool VisitMSAsmStmt(MSAsmStmt *assembly) override {
    return refuse("contains inline assembly", assembly->getBeginLoc());
  }
  bool VisitOMPExecutableDirective(OMPExecutableDirective *directive) override {
    return refuse("contains an OpenMP region", directive->getBeginLoc());
  }
  bool VisitOpenACCConstructStmt(OpenAccConstruct *construct) override {
    return refuse("contains an OpenACC region", construct->getBeginLoc());
  }
  bool VisitCoroutineBodyStmt(CoroutineBodyStmt *body) override {
    return coroutine(body->getBeginLoc());
  }
  bool VisitCoroutineSuspendExpr(CoroutineSuspendExpr *expression) override {
    return coroutine(expression->getBeginLoc());
  }
  bool VisitDependentCoawaitExpr(DependentCoawaitExpr *expression) override {
    return coroutine(expression->getBeginLoc());
  }
  bool VisitIndirectGotoStmt(IndirectGotoStmt *jump) override {
    return refuse("jumps to a computed label", jump->getBeginLoc());
  }
  bool VisitGotoStmt(GotoStmt *jump) override {
    const SourceManager &sources = context.getSourceManager();
    if (sources.isBeforeInTranslationUnit(jump->getLabel()->getLocation(), jump->getBeginLoc()))
      refuse("jumps backwards by goto", jump->getBeginLoc());
    return true;
  }

private:
  bool onLoop(const Stmt *loop) {
    summary.loops.push_back(loop);
    return true;
  }

  bool refuse(std::string reason, SourceLocation where) {
    if (!summary.refusal)
      summary.refusal = Refusal{std::move(reason), where};
    return true;
  }

  bool coroutine(SourceLocation where) { return refuse("suspends a coroutine", where); }

  void onLibraryCall(const FunctionDecl &callee, LibraryEffect effect, const Expr *site,
                     SourceLocation where) {
    std::string name = qualifiedName(callee);
    switch (effect) {
    case LibraryEffect::Waits:
      if (!readsStringStream(site))
        refuse("calls " + name + ", which may wait outside MPI", where);
      break;
    case LibraryEffect::Exits:
      refuse("calls " + name + ", whose handlers would run before the sends", where);
      break;
    case LibraryEffect::Jumps:
      refuse("calls " + name + ", which may jump between functions", where);
      break;
    case LibraryEffect::Unknown:
      refuse("calls " + name + ", which is not known to return at once", where);
      break;
    case LibraryEffect::ReadsShared: // described by VisitStmt
    case LibraryEffect::AsksSystem:
    case LibraryEffect::Prints:
    case LibraryEffect::Returns:
    case LibraryEffect::Advances:
    case LibraryEffect::Pure:
      break;
    }
    LibraryCallbacks callbacks = libraryCallbacks(callee, site, context);
    if (callbacks.unknown)
      onUnknownCall(*callbacks.unknown, where);
    for (const FunctionDecl *callback : callbacks.functions)
      if (const auto *method = dyn_cast<CXXMethodDecl>(callback);
          method && method->isVirtual() && !isa<CXXDestructorDecl>(method))
        onUnknownCall("calls the virtual function '" + method->getNameAsString() +
                          "', whose target is not known",
                      where);
      else
        onCall(*callback, nullptr, where);
  }

  void onUserCall(const FunctionDecl &callee, SourceLocation where, bool throughPointer = false) {
    if (callee.isTrivial())
      return;
    if (const FunctionDecl *definition = visibleDefinition(callee))
      summary.visible.push_back({definition, where, throughPointer});
    else if (!callee.isDefaulted() && !callee.isDeleted())
      summary.external.push_back({symbolName(callee, context), qualifiedName(callee), where});
  }

  // Extraction from a string stream only reads memory.
  static bool readsStringStream(const Expr *site) {
    const Expr *stream = nullptr;
    if (const auto *member = dyn_cast_or_null<CXXMemberCallExpr>(site))
      stream = member->getImplicitObjectArgument();
    else if (const auto *call = dyn_cast_or_null<CallExpr>(site); call && call->getNumArgs() > 0)
      stream = call->getArg(0);
    // In `stream >> a >> b` the inner extraction returns the stream.
    while (stream) {
      stream = stream->IgnoreParenImpCasts();
      const auto *record = stream->getType()->getAsCXXRecordDecl();
      if (record && record->getDeclName().isIdentifier() &&
          (record->getName() == "basic_istringstream" || record->getName() == "basic_stringstream"))
        return true;
      const auto *inner = dyn_cast<CXXOperatorCallExpr>(stream);
      stream = inner && inner->getOperator() == OO_GreaterGreater ? inner->getArg(0) : nullptr;
    }
    return false;
  }

  BodySummary &summary;
  ASTContext &context;
  PassedFunctions &passed;
  DiscardedValues discarded;
};

} // namespace

BodySummary summarizeFunction(const FunctionDecl &definition, ASTContext &context,
                              PassedFunctions &passed) {
  BodySummary summary;
  if (isMarkedAsRedistributing(definition)) {
    summary.reachesMpi = true;
    summary.refusal = Refusal{"redistributes arrays by a directive", definition.getLocation()};
  }
  Summarizer(summary, context, passed).walkFunction(definition);
  return summary;
}

BodySummary summarizeStatement(const Stmt &statement, ASTContext &context,
                               PassedFunctions &passed) {
  BodySummary summary;
  Summarizer(summary, context, passed).walkStatement(&statement);
  return summary;
}

const FunctionDecl *visibleDefinition(const FunctionDecl &function) {
  // Another unit's definition replaces a weak one.
  const FunctionDecl *definition = nullptr;
  if (function.hasAttr<WeakAttr>())
    return nullptr;
  return function.hasBody(definition) && definition->getBody() ? definition : nullptr;
}

std::string symbolName(const FunctionDecl &function, ASTContext &context) {
  return ASTNameGenerator(context).getName(&function);
}

} // namespace sendwright
