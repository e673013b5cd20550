// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/legality/SpinLoops.h"

#include "tool/legality/BodySummary.h"
#include "tool/legality/EvaluatedCode.h"
#include "tool/legality/LibraryCallbacks.h"
#include "tool/legality/LibraryFunctions.h"
#include "tool/legality/SharedReads.h"
#include "tool/legality/Stores.h"

using namespace clang;

namespace sendwright {

namespace {

using Variables = llvm::SmallPtrSet<const VarDecl *, 8>;

// The variable that an lvalue is, or is a part of; null where it lies behind a pointer.
const VarDecl *variableOf(const Expr *lvalue) {
  const DeclRefExpr *root = rootReference(lvalue);
  const auto *variable = root ? dyn_cast<VarDecl>(root->getDecl()) : nullptr;
  return variable && !variable->getType()->isReferenceType() ? variable : nullptr;
}

// What a piece of code reads and changes, roughly.
class Effects final : public EvaluatedCode {
public:
  Effects(ASTContext &context, const CalleeOracle &oracle) : context(context), oracle(oracle) {}

  Variables reads, changes;
  bool readsMemory = false, changesMemory = false, calls = false;
  std::optional<std::string> sharedRead;
  std::optional<std::string> storedSharedRead; ///< by a callee that may store what it read
  bool handsOverSharedRead = false;            ///< a shared read stores what it read
  std::string firstRead;

  void onCall(const FunctionDecl &callee, const Expr *site, SourceLocation) override {
    calls = true;
    if (site)
      onArguments(callee, *site);
    KnownFunction known = classifyFunction(callee, context);
    if (known.kind == KnownFunction::Library)
      onLibraryCall(callee, known.effect, site);
    else if (const FunctionDecl *definition = visibleDefinition(callee);
             known.kind == KnownFunction::User && definition)
      onVisibleCall(*definition);
    else
      changesMemory |= !callee.isTrivial();
  }
  void onUnknownCall(const std::string &, SourceLocation) override { calls = changesMemory = true; }
  void onIndirectCall(const CallExpr &call) override {
    const std::vector<const FunctionDecl *> *targets = oracle.targets(call);
    if (!targets)
      return onUnknownCall("", call.getExprLoc());
    calls = true;
    for (const FunctionDecl *target : *targets)
      if (classifyFunction(*target, context).kind != KnownFunction::Library)
        onCall(*target, nullptr, call.getExprLoc());
  }
  void onLambda(const LambdaExpr &lambda) override {
    calls = true;
    if (!lambda.isGenericLambda())
      onVisibleCall(*lambda.getCallOperator());
    else
      for (const FunctionDecl *instance : lambda.getDependentCallOperator()->specializations())
        onVisibleCall(*instance);
  }

  bool VisitStmt(Stmt *node) override {
    discarded.note(*node);
    if (!sharedRead && !discarded.contains(*node))
      sharedRead = describeSharedRead(*node);
    handsOverSharedRead |= !storedSharedReads(*node).empty();
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *reference) override {
    if (const auto *variable = dyn_cast<VarDecl>(reference->getDecl())) {
      reads.insert(variable);
      name(*variable);
      readsMemory |= !variable->hasLocalStorage() || variable->getType()->isReferenceType();
    }
    return true;
  }
  bool VisitMemberExpr(MemberExpr *member) override {
    if (isa<FieldDecl>(member->getMemberDecl()))
      name(*member->getMemberDecl());
    readsMemory |= member->isArrow();
    return true;
  }
  bool VisitArraySubscriptExpr(ArraySubscriptExpr *) override { return readsMemory = true; }
  bool VisitUnaryOperator(UnaryOperator *operation) override {
    readsMemory |= operation->getOpcode() == UO_Deref;
    if (operation->isIncrementDecrementOp() || operation->getOpcode() == UO_AddrOf)
      changed(operation->getSubExpr());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *operation) override {
    if (operation->isAssignmentOp())
      changed(operation->getLHS());
    return true;
  }
  // Assembly changes nothing here: a loop with a non-empty assembly statement is refused anyway. A
  // barrier is a sign that another thread makes the change.
  bool VisitDeclaratorDecl(DeclaratorDecl *declaration) override {
    const auto *variable = dyn_cast<VarDecl>(declaration);
    if (variable && variable->hasLocalStorage())
      changes.insert(variable);
    return true;
  }

private:
  void name(const NamedDecl &declaration) {
    if (firstRead.empty())
      firstRead = declaration.getNameAsString();
  }

  void changed(const Expr *lvalue) {
    if (const VarDecl *variable = variableOf(lvalue))
      changes.insert(variable);
    else
      changesMemory = true;
  }

  // A library function changes only what its arguments lead to. If it counted as changing more, a
  // loop around a fence or a clock would count as making progress.
  void onLibraryCall(const FunctionDecl &callee, LibraryEffect effect, const Expr *site) {
    LibraryCallbacks callbacks = libraryCallbacks(callee, site, context);
    changesMemory |= callbacks.unknown.has_value();
    for (const FunctionDecl *callback : callbacks.functions)
      if (const FunctionDecl *definition = visibleDefinition(*callback))
        onVisibleCall(*definition);
      else
        changesMemory = true;
    changesMemory |= effect == LibraryEffect::Advances;
    if (effect == LibraryEffect::Returns || effect == LibraryEffect::Advances)
      onPointerArguments(callee, site);
  }

  void onVisibleCall(const FunctionDecl &definition) {
    CalleeEffects effects = oracle.effects(definition);
    changesMemory |= effects.changesMemory || effects.reachesMpi;
    if (!sharedRead)
      sharedRead = effects.sharedRead;
    if (!storedSharedRead && effects.writesMemory)
      storedSharedRead = effects.sharedRead;
  }

  void onPointerArguments(const FunctionDecl &callee, const Expr *site) {
    const auto *call = dyn_cast_or_null<CallExpr>(site);
    if (!call || !storesThroughParameters(callee) || qualifiedName(callee) == "free")
      return;
    unsigned offset = isa<CXXMethodDecl>(callee) && isa<CXXOperatorCallExpr>(call) ? 1 : 0;
    for (unsigned i = offset; i < call->getNumArgs(); ++i) {
      QualType given = call->getArg(i)->getType();
      QualType type =
          i - offset < callee.getNumParams() ? callee.getParamDecl(i - offset)->getType() : given;
      if (type->isLValueReferenceType()) // see onArguments
        continue;
      // Iterators and views lead to their elements.
      changesMemory |= type.getNonReferenceType()->isRecordType();
      QualType pointee = type->getPointeeType();
      // A stream and similar objects belong to the library: no program reads their memory.
      if (pointee.isNull() || pointee.isConstQualified() || isLibraryRecord(pointee) ||
          call->getArg(i)->isNullPointerConstant(context, Expr::NPC_ValueDependentIsNull))
        continue;
      MemoryPlace place = pointeeOf(*call->getArg(i));
      if (place.variable)
        changes.insert(place.variable);
      else
        changesMemory = true;
    }
  }

  bool isLibraryRecord(QualType type) const {
    const RecordDecl *record = type->getAsRecordDecl();
    return record && context.getSourceManager().isInSystemHeader(record->getLocation());
  }

  // An object whose method is called, or that is passed by reference, may change.
  void onArguments(const FunctionDecl &callee, const Expr &site) {
    const auto *method = dyn_cast<CXXMethodDecl>(&callee);
    bool changesObject = method && !method->isStatic() && !method->isConst();
    if (const auto *member = dyn_cast<CXXMemberCallExpr>(&site); member && changesObject)
      changed(member->getImplicitObjectArgument());
    const auto *call = dyn_cast<CallExpr>(&site);
    if (!call)
      return;
    bool objectFirst = method && isa<CXXOperatorCallExpr>(call);
    if (objectFirst && changesObject)
      changed(call->getArg(0));
    unsigned offset = objectFirst ? 1 : 0;
    for (unsigned i = 0; i < callee.getNumParams() && i + offset < call->getNumArgs(); ++i) {
      QualType type = callee.getParamDecl(i)->getType();
      if (type->isLValueReferenceType() && !type.getNonReferenceType().isConstQualified())
        changed(call->getArg(i + offset));
    }
  }

  ASTContext &context;
  const CalleeOracle &oracle;
  DiscardedValues discarded;
};

bool containsJump(const Stmt *statement) {
  if (!statement || isa<LambdaExpr>(statement))
    return false;
  if (isa<BreakStmt, ReturnStmt, GotoStmt, IndirectGotoStmt, CXXThrowExpr>(statement))
    return true;
  for (const Stmt *child : statement->children())
    if (containsJump(child))
      return true;
  return false;
}

const Expr *conditionOf(const Stmt *statement) {
  if (const auto *loop = dyn_cast<ForStmt>(statement))
    return loop->getCond();
  if (const auto *loop = dyn_cast<WhileStmt>(statement))
    return loop->getCond();
  if (const auto *loop = dyn_cast<DoStmt>(statement))
    return loop->getCond();
  if (const auto *branch = dyn_cast<IfStmt>(statement))
    return branch->getCond();
  if (const auto *branch = dyn_cast<SwitchStmt>(statement))
    return branch->getCond();
  return nullptr;
}

const Stmt *bodyOf(const Stmt *loop) {
  if (const auto *statement = dyn_cast<ForStmt>(loop))
    return statement->getBody();
  if (const auto *statement = dyn_cast<WhileStmt>(loop))
    return statement->getBody();
  return cast<DoStmt>(loop)->getBody();
}

// The conditions inside a loop that may decide whether it is left.
void collectExitConditions(const Stmt *statement, std::vector<const Expr *> &conditions) {
  if (!statement || isa<LambdaExpr>(statement))
    return;
  if (const Expr *condition = conditionOf(statement); condition && containsJump(statement))
    conditions.push_back(condition);
  for (const Stmt *child : statement->children())
    collectExitConditions(child, conditions);
}

// A jump that every iteration reaches.
bool leavesUnconditionally(const Stmt *body) {
  if (const auto *block = dyn_cast_or_null<CompoundStmt>(body))
    return llvm::any_of(block->body(), leavesUnconditionally);
  if (const auto *label = dyn_cast_or_null<LabelStmt>(body))
    return leavesUnconditionally(label->getSubStmt());
  return body && isa<BreakStmt, ReturnStmt, GotoStmt, CXXThrowExpr>(body);
}

// The variables whose value comes from a shared read, through any number of assignments. What was
// stored behind a pointer may be read behind any pointer.
class SharedValues final : public EvaluatedCode {
public:
  SharedValues(const Stmt &body, ASTContext &context, const CalleeOracle &oracle)
      : context(context), oracle(oracle) {
    Effects whole(context, oracle);
    whole.walkStatement(&body);
    if (!whole.sharedRead && !whole.handsOverSharedRead)
      return;
    memoryOrigin = whole.storedSharedRead;
    for (bool grown = true; grown;) {
      std::size_t variables = origins.size();
      bool memory = memoryOrigin.has_value();
      walkStatement(&body);
      grown = origins.size() > variables || memoryOrigin.has_value() != memory;
    }
  }

  // The reason why the value of an expression is shared.
  std::optional<std::string> origin(const Expr &expression) const {
    Effects effects(context, oracle);
    effects.walkStatement(&expression);
    if (effects.sharedRead)
      return effects.sharedRead;
    for (const VarDecl *variable : effects.reads)
      if (auto found = origins.find(variable); found != origins.end())
        return found->second;
    if (effects.readsMemory)
      return memoryOrigin;
    return std::nullopt;
  }

  // A callee may store what it read through the address of a variable.
  void onCall(const FunctionDecl &callee, const Expr *site, SourceLocation) override {
    const FunctionDecl *definition = visibleDefinition(callee);
    const auto *call = dyn_cast_or_null<CallExpr>(site);
    if (!call || !definition || classifyFunction(callee, context).kind != KnownFunction::User)
      return;
    CalleeEffects effects = oracle.effects(*definition);
    if (!effects.sharedRead || !effects.writesMemory)
      return;
    for (const Expr *argument : call->arguments()) {
      argument = argument->IgnoreParenCasts();
      if (const auto *address = dyn_cast<UnaryOperator>(argument);
          address && address->getOpcode() == UO_AddrOf)
        argument = address->getSubExpr();
      if (const VarDecl *variable = argument->isLValue() ? variableOf(argument) : nullptr)
        origins.emplace(variable, *effects.sharedRead);
    }
  }
  void onUnknownCall(const std::string &, SourceLocation) override {}
  void onLambda(const LambdaExpr &) override {}
  bool VisitStmt(Stmt *node) override {
    const std::vector<const Expr *> stored = storedSharedReads(*node);
    const auto origin = stored.empty() ? std::nullopt : describeSharedRead(*node);
    for (const Expr *lvalue : stored)
      if (const VarDecl *variable = lvalue ? variableOf(lvalue) : nullptr)
        origins.emplace(variable, origin.value_or(""));
      else if (!memoryOrigin)
        memoryOrigin = origin;
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *operation) override {
    if (!operation->isAssignmentOp())
      return true;
    if (const VarDecl *variable = variableOf(operation->getLHS()))
      assign(variable, *operation->getRHS());
    else if (!memoryOrigin)
      memoryOrigin = origin(*operation->getRHS());
    return true;
  }
  bool VisitDeclaratorDecl(DeclaratorDecl *declaration) override {
    const auto *variable = dyn_cast<VarDecl>(declaration);
    if (const Expr *value = variable ? variable->getInit() : nullptr)
      assign(variable, *value);
    return true;
  }

private:
  void assign(const VarDecl *variable, const Expr &value) {
    if (!origins.count(variable))
      if (auto found = origin(value))
        origins.emplace(variable, *found);
  }

  ASTContext &context;
  const CalleeOracle &oracle;
  std::map<const VarDecl *, std::string> origins;
  std::optional<std::string> memoryOrigin;
};

bool isConstant(const Expr *condition, bool value, const ASTContext &context) {
  bool result = false;
  return !condition->isValueDependent() && condition->EvaluateAsBooleanCondition(result, context) &&
         result == value;
}

class LoopCheck {
public:
  LoopCheck(const Stmt &loop, const VariableSet &exposed, ASTContext &context,
            const CalleeOracle &oracle)
      : loop(loop), exposed(exposed), context(context), oracle(oracle) {
    const Expr *condition = conditionOf(&loop);
    once = isa<DoStmt>(loop) && isConstant(condition, false, context);
    if (condition && !isConstant(condition, true, context))
      conditions.push_back(condition);
    for (const Stmt *child : loop.children())
      collectExitConditions(child, conditions);
  }

  std::optional<std::string> reason(const SharedValues &shared) const {
    if (once)
      return std::nullopt;
    for (const Expr *condition : conditions)
      if (auto origin = shared.origin(*condition))
        return *origin + " in a loop condition";
    if (leavesUnconditionally(bodyOf(&loop)))
      return std::nullopt;
    if (conditions.empty())
      return "contains a loop that does not end";
    Effects decides(context, oracle), changes(context, oracle);
    for (const Expr *condition : conditions)
      decides.walkStatement(condition);
    changes.walkStatement(&loop);
    if (changesWhatDecides(decides, changes))
      return std::nullopt;
    std::string name = decides.firstRead.empty() ? "a value" : "'" + decides.firstRead + "'";
    return "spins on " + name + ", which the loop does not change";
  }

private:
  bool changesWhatDecides(const Effects &decides, const Effects &changes) const {
    if ((decides.readsMemory || decides.calls) && changes.changesMemory)
      return true;
    for (const VarDecl *variable : decides.reads)
      if (changes.changes.contains(variable))
        return true;
    // A call in the condition may read what the loop changes, by a variable's address or name.
    return decides.calls && llvm::any_of(changes.changes, [this](const VarDecl *variable) {
             return !variable->hasLocalStorage() || exposed.contains(variable);
           });
  }

  const Stmt &loop;
  const VariableSet &exposed;
  ASTContext &context;
  const CalleeOracle &oracle;
  bool once = false;
  std::vector<const Expr *> conditions;
};

} // namespace

std::optional<Refusal> findSpinLoop(const std::vector<const Stmt *> &loops, const Stmt &body,
                                    ASTContext &context, const CalleeOracle &oracle) {
  if (loops.empty())
    return std::nullopt;
  SharedValues shared(body, context, oracle);
  VariableSet exposed = exposedVariables(body, context);
  for (const Stmt *loop : loops)
    if (auto reason = LoopCheck(*loop, exposed, context, oracle).reason(shared))
      return Refusal{*reason, loop->getBeginLoc()};
  return std::nullopt;
}

bool changesMemory(const FunctionDecl &definition, ASTContext &context,
                   const CalleeOracle &oracle) {
  Effects effects(context, oracle);
  effects.walkFunction(definition);
  // A lambda may change variables of the function around it.
  return effects.changesMemory || llvm::any_of(effects.changes, [&](const VarDecl *variable) {
           return !variable->hasLocalStorage() ||
                  variable->getParentFunctionOrMethod() != &definition;
         });
}

} // namespace sendwright
