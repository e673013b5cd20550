// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/sites/VariableUses.h"

#include "tool/legality/LibraryFunctions.h"
#include "tool/sites/RepeatedExpressions.h"
#include "tool/sites/Surroundings.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <algorithm>
#include <vector>

namespace sendwright {

namespace {

using namespace clang;

bool asksMpi(const CallExpr &call, const ASTContext &context) {
  const FunctionDecl *callee = call.getDirectCallee();
  return callee && classifyFunction(*callee, context).kind == KnownFunction::Mpi &&
         (callee->getName() == "MPI_Comm_rank" || callee->getName() == "MPI_Comm_size");
}

bool isCondition(const Stmt &statement) {
  return isa<IfStmt, SwitchStmt, AbstractConditionalOperator, CXXCatchStmt>(statement) ||
         (isa<BinaryOperator>(statement) && cast<BinaryOperator>(statement).isLogicalOp());
}

/// Whether the function may return from within the statement, under a condition.
bool mayReturn(const Stmt &statement) {
  if (isa<ReturnStmt>(statement))
    return true;
  bool found = false;
  if (!isa<LambdaExpr>(statement))
    forEachChild(&statement, [&](const Stmt *child) { found = found || mayReturn(*child); });
  return found;
}

/// Collects what may change. A name that is only read, through any chain of members, does not
/// change.
class ChangeWalk {
public:
  ChangeWalk(const ASTContext &context, bool onlyConditionally, const Stmt *inside)
      : context(context), inside(inside), counts(!onlyConditionally),
        onlyConditionally(onlyConditionally) {}

  ValueSet changed;

  void walk(const Stmt *code) {
    const bool outer = counts;
    if (onlyConditionally && isCondition(*code) && !(inside && contains(*code, inside)))
      counts = true;
    const auto *call = dyn_cast<CallExpr>(code);
    if (!(call && onlyConditionally && asksMpi(*call, context)))
      walkParts(code, call);
    counts = outer;
  }

private:
  const ASTContext &context;
  const Stmt *const inside;
  bool counts;
  const bool onlyConditionally;
  bool isNested = false; // in a function that the code calls

  void walkParts(const Stmt *code, const CallExpr *call) {
    if (isa<UnaryExprOrTypeTraitExpr>(code))
      return;
    if (const auto *cast = dyn_cast<CastExpr>(code);
        cast && cast->getCastKind() == CK_LValueToRValue)
      return walkRead(cast->getSubExpr());
    if (const auto *name = dyn_cast<DeclRefExpr>(code); name && counts)
      if (const auto *variable = dyn_cast<VarDecl>(name->getDecl());
          variable && !variable->getType()->isArrayType() &&
          !variable->getType().isConstQualified())
        changed.insert(variable);
    if (const auto *member = dyn_cast<MemberExpr>(code); member && counts)
      changed.insert(member->getMemberDecl());
    if (call)
      walkCall(*call);
    else if (const auto *block = dyn_cast<CompoundStmt>(code); block && onlyConditionally)
      walkBlock(*block);
    else
      forEachChild(code, [this](const Stmt *child) { walk(child); });
  }

  /// After a statement in which some ranks may leave, only the others continue.
  void walkBlock(const CompoundStmt &block) {
    const bool outer = counts;
    for (auto part = block.body_begin(); part != block.body_end(); ++part) {
      walk(*part);
      if (!counts && mayReturn(**part))
        counts = !inside || std::none_of(part, block.body_end(), [&](const Stmt *later) {
          return contains(*later, inside);
        });
    }
    counts = outer;
  }

  /// An lvalue that is read: the expressions that lead to it may still store.
  void walkRead(const Expr *lvalue) {
    lvalue = lvalue->IgnoreParens();
    if (isa<DeclRefExpr>(lvalue))
      return;
    if (const auto *member = dyn_cast<MemberExpr>(lvalue))
      return member->isArrow() ? walk(member->getBase()) : walkRead(member->getBase());
    forEachChild(lvalue, [this](const Stmt *child) { walk(child); });
  }

  void walkCall(const CallExpr &call) {
    const auto *method = dyn_cast_or_null<CXXMethodDecl>(call.getDirectCallee());
    if (const auto *member = dyn_cast<CXXMemberCallExpr>(&call);
        member && method && (method->isConst() || isAccessor(*method))) {
      walkRead(member->getImplicitObjectArgument());
    } else if (isa<CXXOperatorCallExpr>(call) && method && call.getNumArgs() > 0 &&
               (method->isConst() || isAccessor(*method))) {
      walkRead(call.getArg(0));
      for (unsigned argument = 1; argument < call.getNumArgs(); ++argument)
        walk(call.getArg(argument));
      return;
    } else if (!call.getDirectCallee() || isa<CXXMemberCallExpr>(call)) {
      walk(call.getCallee());
    }
    for (const Expr *argument : call.arguments())
      walk(argument);
    walkCallee(call.getDirectCallee());
  }

  void walkCallee(const FunctionDecl *callee) {
    const FunctionDecl *definition = nullptr;
    if (isNested || !callee || !callee->hasBody(definition) ||
        classifyFunction(*callee, context).kind != KnownFunction::User)
      return;
    isNested = true;
    walk(definition->getBody());
    isNested = false;
  }
};

/// The name of the function that an expression calls, or "".
llvm::StringRef calledName(const Expr &expression) {
  const auto *call = dyn_cast<CallExpr>(&expression);
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  return callee && callee->getIdentifier() ? callee->getName() : "";
}

/// In SimGrid's MPI, macros lead malloc() and similar names to its own functions.
bool allocates(const Expr &value) {
  const Expr *inner = value.IgnoreParenCasts();
  return isa<CXXNewExpr>(inner) || llvm::StringSwitch<bool>(calledName(*inner))
                                       .Case("malloc", true)
                                       .Case("calloc", true)
                                       .Case("aligned_alloc", true)
                                       .Case("smpi_shared_malloc_intercept", true)
                                       .Case("smpi_shared_calloc_intercept", true)
                                       .Default(false);
}

bool isNull(const Expr &value, const ASTContext &context) {
  return value.IgnoreParenCasts()->isNullPointerConstant(const_cast<ASTContext &>(context),
                                                         Expr::NPC_ValueDependentIsNotNull) !=
         Expr::NPCK_NotNull;
}

bool names(const Expr &expression, const VarDecl &variable) {
  const auto *name = dyn_cast<DeclRefExpr>(expression.IgnoreParenCasts());
  return name && name->getDecl() == &variable;
}

const BinaryOperator *assignmentTo(const Stmt &code, const VarDecl &variable) {
  const auto *assignment = dyn_cast<BinaryOperator>(&code);
  return assignment && assignment->getOpcode() == BO_Assign &&
                 names(*assignment->getLHS(), variable)
             ? assignment
             : nullptr;
}

/// free(v), delete v, v = malloc(...): statements that only allocate or free memory.
bool allocatesOrFrees(const Stmt &code, const VarDecl &variable) {
  if (const auto *deletion = dyn_cast<CXXDeleteExpr>(&code))
    return names(*deletion->getArgument(), variable);
  if (const BinaryOperator *assignment = assignmentTo(code, variable))
    return allocates(*assignment->getRHS()) ||
           isa<IntegerLiteral>(assignment->getRHS()->IgnoreParenCasts());
  if (const auto *member = dyn_cast<CXXMemberCallExpr>(&code)) {
    const CXXMethodDecl *method = member->getMethodDecl();
    return method && method->getIdentifier() &&
           (method->getName() == "resize" || method->getName() == "clear") &&
           names(*member->getImplicitObjectArgument(), variable);
  }
  const auto *call = dyn_cast<CallExpr>(&code);
  return call && call->getNumArgs() == 1 && names(*call->getArg(0), variable) &&
         llvm::StringSwitch<bool>(calledName(*call))
             .Case("free", true)
             .Case("smpi_shared_free", true)
             .Default(false);
}

bool isUsed(const Stmt &code, const VarDecl &variable, llvm::ArrayRef<const Stmt *> allowed) {
  if (llvm::is_contained(allowed, &code) || allocatesOrFrees(code, variable))
    return false;
  if (const auto *name = dyn_cast<DeclRefExpr>(&code))
    return name->getDecl() == &variable;
  if (isa<UnaryExprOrTypeTraitExpr>(code))
    return false;
  if (const auto *lambda = dyn_cast<LambdaExpr>(&code)) // captures by reference name it inside
    return llvm::any_of(lambda->captures(), [&](const LambdaCapture &capture) {
      return capture.capturesVariable() && capture.getCapturedVar() == &variable;
    });
  bool used = false;
  forEachChild(&code, [&](const Stmt *child) { used = used || isUsed(*child, variable, allowed); });
  return used;
}

bool assignsOther(const Stmt &code, const VarDecl &variable, const ASTContext &context) {
  if (const BinaryOperator *assignment = assignmentTo(code, variable);
      assignment && !allocates(*assignment->getRHS()) && !isNull(*assignment->getRHS(), context))
    return true;
  bool found = false;
  forEachChild(
      &code, [&](const Stmt *child) { found = found || assignsOther(*child, variable, context); });
  return found;
}

/// What an assignment or definition sets, and the value.
struct Setting {
  const ValueDecl *value = nullptr;
  const Expr *to = nullptr;
};

Setting settingBy(const Expr &assignment) {
  const auto *operation = dyn_cast<BinaryOperator>(&assignment);
  if (!operation || !operation->isAssignmentOp())
    return {};
  const Expr *target = operation->getLHS()->IgnoreParens();
  if (const auto *name = dyn_cast<DeclRefExpr>(target))
    return {name->getDecl(), operation->getRHS()};
  const auto *member = dyn_cast<MemberExpr>(target);
  return {member ? member->getMemberDecl() : nullptr, operation->getRHS()};
}

bool mentionsAny(const Stmt &code, const ValueSet &values) {
  const auto *name = dyn_cast<DeclRefExpr>(&code);
  const auto *member = dyn_cast<MemberExpr>(&code);
  if ((name && values.contains(name->getDecl())) ||
      (member && values.contains(member->getMemberDecl())))
    return true;
  bool found = false;
  forEachChild(&code, [&](const Stmt *child) { found = found || mentionsAny(*child, values); });
  return found;
}

/// Adds what the code sets to an expression that mentions one of the values.
void addWorkedOut(const Stmt &code, ValueSet &values) {
  const auto add = [&](const Setting &setting) {
    if (setting.value && setting.to && mentionsAny(*setting.to, values))
      values.insert(setting.value);
  };
  if (const auto *declaration = dyn_cast<DeclStmt>(&code)) {
    for (const Decl *one : declaration->decls())
      if (const auto *variable = dyn_cast<VarDecl>(one))
        add({variable, variable->getInit()});
  } else if (const auto *expression = dyn_cast<Expr>(&code)) {
    add(settingBy(*expression));
  }
  forEachChild(&code, [&](const Stmt *child) { addWorkedOut(*child, values); });
}

/// The user's functions in a unit, including those in namespaces and classes; for templates, the
/// instantiations.
void forEachFunction(const DeclContext &around, const SourceManager &sources,
                     llvm::function_ref<void(const FunctionDecl &)> visit) {
  for (Decl *declaration : around.noload_decls()) {
    if (sources.isInSystemHeader(sources.getExpansionLoc(declaration->getLocation())))
      continue;
    if (auto *functions = dyn_cast<FunctionTemplateDecl>(declaration)) {
      for (const FunctionDecl *instance : functions->specializations())
        if (instance->doesThisDeclarationHaveABody())
          visit(*instance);
      continue;
    }
    if (auto *classes = dyn_cast<ClassTemplateDecl>(declaration)) {
      for (const ClassTemplateSpecializationDecl *instance : classes->specializations())
        if (instance->getSpecializationKind() != TSK_ExplicitSpecialization) // visited by itself
          forEachFunction(*instance, sources, visit);
      continue;
    }
    if (const auto *function = dyn_cast<FunctionDecl>(declaration);
        function && function->doesThisDeclarationHaveABody())
      visit(*function);
    else if (isa<NamespaceDecl, LinkageSpecDecl, CXXRecordDecl>(declaration))
      forEachFunction(*cast<DeclContext>(declaration), sources, visit);
  }
}

void collectCalls(const Stmt &code, const FunctionDecl &function,
                  std::vector<const CallExpr *> &calls) {
  if (const auto *call = dyn_cast<CallExpr>(&code))
    if (const FunctionDecl *callee = call->getDirectCallee();
        callee && callee->getCanonicalDecl() == function.getCanonicalDecl())
      calls.push_back(call);
  forEachChild(&code, [&](const Stmt *child) { collectCalls(*child, function, calls); });
}

/// Whether a value depends on a comparison or a choice.
bool isChosen(const Stmt &code) {
  const auto *operation = dyn_cast<BinaryOperator>(&code);
  bool found = isCondition(code) || (operation && operation->isComparisonOp());
  forEachChild(&code, [&](const Stmt *child) { found = found || isChosen(*child); });
  return found;
}

void collectValues(const Stmt &code, ValueSet &values) {
  if (const auto *name = dyn_cast<DeclRefExpr>(&code))
    values.insert(name->getDecl());
  if (const auto *member = dyn_cast<MemberExpr>(&code))
    values.insert(member->getMemberDecl());
  forEachChild(&code, [&](const Stmt *child) { collectValues(*child, values); });
}

} // namespace

ValueSet valuesIn(const Expr &expression) {
  ValueSet values;
  collectValues(expression, values);
  return values;
}

ValueSet valuesChangedIn(const Stmt &code, const ASTContext &context) {
  ChangeWalk walk(context, /*onlyConditionally=*/false, nullptr);
  walk.walk(&code);
  return std::move(walk.changed);
}

ValueSet valuesChangedConditionally(const Stmt &code, const Stmt *inside,
                                    const ASTContext &context) {
  ChangeWalk walk(context, /*onlyConditionally=*/true, inside);
  walk.walk(&code);
  return std::move(walk.changed);
}

ValueSet valuesWorkedOutFrom(ValueSet seeds, const Stmt &code) {
  for (std::size_t known = 0; known != seeds.size();) {
    known = seeds.size();
    addWorkedOut(code, seeds);
  }
  return seeds;
}

ValueSet valuesOfFilesChangedConditionally(const ASTContext &context) {
  ValueSet changed;
  forEachFunction(*context.getTranslationUnitDecl(), context.getSourceManager(),
                  [&](const FunctionDecl &function) {
                    if (function.isMain()) // if one rank leaves main(), all must
                      return;
                    for (const ValueDecl *value : valuesChangedConditionally(
                             *function.getBody(), /*inside=*/nullptr, context)) {
                      const auto *variable = dyn_cast<VarDecl>(value);
                      if (!variable || !variable->hasLocalStorage())
                        changed.insert(value);
                    }
                  });
  return changed;
}

ValueSet parametersGivenConditionally(const FunctionDecl &function, const ValueSet &ranks,
                                      const ASTContext &context) {
  ValueSet given;
  const auto look = [&](const FunctionDecl &caller) {
    std::vector<const CallExpr *> calls;
    collectCalls(*caller.getBody(), function, calls);
    if (calls.empty())
      return;
    const ValueSet ofRanks = valuesWorkedOutFrom(ranks, *caller.getBody());
    for (const CallExpr *call : calls) {
      const ValueSet changed = valuesChangedConditionally(*caller.getBody(), call, context);
      const unsigned count = std::min(call->getNumArgs(), calls.front()->getNumArgs());
      for (unsigned index = 0; index < count && index < function.getNumParams(); ++index) {
        const Expr &argument = *call->getArg(index);
        if (isChosen(argument) || mentionsAny(argument, ofRanks) ||
            mentionsAny(argument, changed) ||
            !areSame(argument, *calls.front()->getArg(index), context))
          given.insert(function.getParamDecl(index));
      }
    }
  };
  forEachFunction(*context.getTranslationUnitDecl(), context.getSourceManager(), look);
  return given;
}

bool isUsedOutside(const VarDecl &variable, const FunctionDecl &function,
                   llvm::ArrayRef<const Stmt *> allowed) {
  return isUsed(*function.getBody(), variable, allowed);
}

bool ownsItsMemory(const VarDecl &variable, const FunctionDecl &function,
                   const ASTContext &context) {
  if (!variable.hasLocalStorage() || isa<ParmVarDecl>(variable) ||
      variable.getType()->isReferenceType())
    return false;
  if (!variable.getType()->isPointerType())
    return true;
  if (variable.hasInit() && !allocates(*variable.getInit()) &&
      !isNull(*variable.getInit(), context))
    return false;
  return !assignsOther(*function.getBody(), variable, context);
}

} // namespace sendwright
