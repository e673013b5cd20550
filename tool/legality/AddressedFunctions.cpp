// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/legality/AddressedFunctions.h"

#include "tool/legality/EvaluatedCode.h"
#include "tool/legality/LibraryFunctions.h"
#include "tool/source/ClangCompatibility.h"
#include "tool/source/SyntaxWalk.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace sendwright {

namespace {

class EmittedCode final : public EvaluatedCode {
public:
  explicit EmittedCode(ASTContext &context) : context(context) {}

  llvm::SetVector<const FunctionDecl *> addressed;

  void walkFrom(const Decl &root) {
    reach(&root);
    walk();
  }
  void walk() {
    while (!waiting.empty()) {
      const Decl *next = waiting.pop_back_val();
      if (const auto *function = dyn_cast<FunctionDecl>(next))
        walkFunction(*function);
      else
        walkStatement(cast<VarDecl>(next)->getInit());
    }
  }

  void onCall(const FunctionDecl &callee, const Expr *site, SourceLocation) override {
    if (const auto *call = dyn_cast_or_null<CallExpr>(site))
      called.insert(call->getCallee()->IgnoreParenImpCasts());
    reach(&callee);
    // A constructor needs the virtual table; unless another unit is bound to hold it, this unit
    // does.
    if (const auto *constructor = dyn_cast<CXXConstructorDecl>(&callee);
        constructor && constructor->getParent()->isDynamicClass() &&
        !context.getCurrentKeyFunction(constructor->getParent()))
      addTable(*constructor->getParent());
  }
  /// The compiler emits the virtual table, and so the virtual functions of the class.
  void addTable(const CXXRecordDecl &record) {
    if (isStandardLibrary(record, context))
      return;
    for (const CXXMethodDecl *method : record.methods())
      if (method->isVirtual() && !isPureVirtual(*method) && !isa<CXXDestructorDecl>(method)) {
        addressed.insert(method->getCanonicalDecl());
        reach(method);
      }
  }
  void onUnknownCall(const std::string &, SourceLocation) override {}
  void onLambda(const LambdaExpr &lambda) override {
    if (!lambda.isGenericLambda())
      reach(lambda.getCallOperator());
  }
  bool VisitDeclRefExpr(DeclRefExpr *use) override {
    if (const auto *function = dyn_cast<FunctionDecl>(use->getDecl())) {
      const auto *method = dyn_cast<CXXMethodDecl>(function);
      if (!called.contains(use) && (!method || !method->isVirtual())) // &C::method
        addressed.insert(function->getCanonicalDecl());
    }
    reach(use->getDecl());
    return true;
  }

  // The compiler emits no code for a branch that is never taken.
  bool enters(Stmt &statement) override {
    if (neverTaken.contains(&statement) || !EvaluatedCode::enters(statement))
      return false;
    if (const auto *branch = dyn_cast<IfStmt>(&statement))
      leaveOut(branch->getCond(), branch->getThen(), branch->getElse());
    else if (const auto *choice = dyn_cast<ConditionalOperator>(&statement))
      leaveOut(choice->getCond(), choice->getTrueExpr(), choice->getFalseExpr(), true);
    else if (const auto *operation = dyn_cast<BinaryOperator>(&statement);
             operation && operation->isLogicalOp())
      if (const std::optional<bool> left = valueOf(operation->getLHS()))
        return *left != (operation->getOpcode() == BO_LOr);
    return true;
  }

private:
  std::optional<bool> valueOf(const Expr *condition) const {
    bool value = false;
    if (!condition || condition->isValueDependent() ||
        !condition->EvaluateAsBooleanCondition(value, context))
      return std::nullopt;
    return value;
  }

  void leaveOut(const Expr *condition, const Stmt *ifTrue, const Stmt *ifFalse,
                bool andCondition = false) {
    const std::optional<bool> taken = valueOf(condition);
    if (!taken)
      return;
    neverTaken.insert(*taken ? ifFalse : ifTrue);
    if (andCondition)
      neverTaken.insert(condition);
  }

  void reach(const Decl *declaration) {
    const Decl *definition = nullptr;
    if (const auto *function = dyn_cast<FunctionDecl>(declaration)) {
      const FunctionDecl *found = nullptr;
      if (function->hasBody(found) && found->getBody() && !found->isDependentContext())
        definition = found;
    } else if (const auto *variable = dyn_cast<VarDecl>(declaration)) {
      const VarDecl *found = nullptr;
      // Static variables of a function are emitted with the function.
      if (variable->isFileVarDecl() && variable->getAnyInitializer(found) &&
          !found->getDeclContext()->isDependentContext())
        definition = found;
    }
    if (!definition || !seen.insert(definition).second || isStandardLibrary(*definition, context) ||
        isDeclaredByMpi(*definition, context))
      return;
    waiting.push_back(definition);
  }

  ASTContext &context;
  llvm::SmallVector<const Decl *, 16> waiting;
  llvm::SmallPtrSet<const Decl *, 32> seen;
  llvm::SmallPtrSet<const Expr *, 32> called;
  llvm::SmallPtrSet<const Stmt *, 8> neverTaken;
};

// What the compiler emits even if the unit does not use it.
class Roots final : public SyntaxWalk {
public:
  Roots(ASTContext &context, EmittedCode &code) : context(context), code(code) {}

  bool shouldVisitTemplateInstantiations() const override { return true; }
  bool enters(Stmt &) override { return false; }
  bool TraverseDecl(Decl *declaration) override {
    if (!declaration)
      return true;
    const bool skip =
        !isa<TranslationUnitDecl>(declaration) &&
        (isStandardLibrary(*declaration, context) || isDeclaredByMpi(*declaration, context));
    return skip || SyntaxWalk::TraverseDecl(declaration);
  }
  bool VisitFunctionDecl(FunctionDecl *function) override {
    if (function->isThisDeclarationADefinition())
      visit(*function);
    return true;
  }
  bool VisitCXXRecordDecl(CXXRecordDecl *record) override {
    if (!record->isThisDeclarationADefinition() || record->isDependentContext() ||
        !record->isDynamicClass())
      return true;
    const CXXMethodDecl *key = context.getCurrentKeyFunction(record);
    const FunctionDecl *definition = nullptr;
    if (key && key->hasBody(definition) && !definition->isInlined()) {
      code.addTable(*record);
      code.walk();
    }
    return true;
  }
  bool VisitVarDecl(VarDecl *variable) override {
    if (variable->isFileVarDecl() && variable->isThisDeclarationADefinition())
      visit(*variable);
    return true;
  }

private:
  void visit(const DeclaratorDecl &declaration) {
    if (!declaration.getDeclContext()->isDependentContext() && !declaration.isTemplated() &&
        context.DeclMustBeEmitted(&declaration))
      code.walkFrom(declaration);
  }

  ASTContext &context;
  EmittedCode &code;
};

// Another definition may run instead, or the name may stand for another one in the object file.
bool hasOneBody(const FunctionDecl &function) {
  return !function.isMultiVersion() && !function.isConsteval() && !function.hasAttr<IFuncAttr>() &&
         !function.hasAttr<AliasAttr>() && !function.hasAttr<WeakRefAttr>();
}

} // namespace

std::vector<const FunctionDecl *> addressedFunctions(ASTContext &context) {
  EmittedCode code(context);
  Roots(context, code).TraverseDecl(context.getTranslationUnitDecl());
  std::vector<const FunctionDecl *> found;
  llvm::copy_if(code.addressed, std::back_inserter(found),
                [](const FunctionDecl *function) { return hasOneBody(*function); });
  return found;
}

bool returnsForAnyArguments(const KnownFunction &known, const FunctionDecl &function) {
  if (known.kind == KnownFunction::Mpi)
    return true;
  if (known.kind != KnownFunction::Library || function.isTemplateInstantiation() ||
      isa<CXXMethodDecl>(function))
    return false;
  for (const ParmVarDecl *parameter : function.parameters())
    if (parameter->getType()->isFunctionPointerType())
      return false;
  return known.effect == LibraryEffect::Pure || known.effect == LibraryEffect::Returns ||
         known.effect == LibraryEffect::Advances || known.effect == LibraryEffect::Prints;
}

} // namespace sendwright
