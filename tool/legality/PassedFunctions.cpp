// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/legality/PassedFunctions.h"

#include "tool/legality/AddressedFunctions.h"
#include "tool/legality/LibraryFunctions.h"
#include "tool/source/SyntaxWalk.h"

#include "clang/AST/Attr.h"
#include "clang/AST/Mangle.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

#include <optional>

using namespace clang;

namespace sendwright {

namespace {

using Targets = llvm::SmallSetVector<const FunctionDecl *, 4>;

/// The name that an expression is, behind `&`, `*` and implicit conversions; else null.
const DeclRefExpr *nameIn(const Expr *expression) {
  for (;;) {
    expression = expression->IgnoreParenImpCasts();
    const auto *operation = dyn_cast<UnaryOperator>(expression);
    if (!operation || (operation->getOpcode() != UO_AddrOf && operation->getOpcode() != UO_Deref))
      return dyn_cast<DeclRefExpr>(expression);
    expression = operation->getSubExpr();
  }
}

} // namespace

/// Every use of every function and parameter of the unit, whether its code runs or not.
class UsesInUnit final : public SyntaxWalk {
public:
  llvm::DenseMap<const FunctionDecl *, std::vector<const CallExpr *>> calls; // canonical ones
  llvm::DenseSet<const FunctionDecl *> otherwiseUsed;                        // likewise
  llvm::DenseSet<const ParmVarDecl *> notOnlyRead;
  llvm::StringSet<> aliased;
  bool hasAssembly = false; // outside of functions; it may name anything

  bool shouldVisitTemplateInstantiations() const override { return true; }
  bool shouldVisitImplicitCode() const override { return true; }

  bool VisitCallExpr(CallExpr *call) override {
    const Expr *callee = call->getCallee()->IgnoreParenImpCasts();
    const auto *name = dyn_cast<DeclRefExpr>(callee);
    if (const auto *function = name ? dyn_cast<FunctionDecl>(name->getDecl()) : nullptr) {
      called.insert(name);
      calls[function->getCanonicalDecl()].push_back(call);
    }
    return true;
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr *cast) override {
    if (cast->getCastKind() == CK_LValueToRValue)
      if (const auto *name = dyn_cast<DeclRefExpr>(cast->getSubExpr()->IgnoreParens()))
        read.insert(name);
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *use) override {
    if (const auto *function = dyn_cast<FunctionDecl>(use->getDecl());
        function && !called.contains(use))
      otherwiseUsed.insert(function->getCanonicalDecl());
    if (const auto *parameter = dyn_cast<ParmVarDecl>(use->getDecl());
        parameter && !read.contains(use))
      notOnlyRead.insert(parameter);
    return true;
  }
  bool VisitNamedDecl(NamedDecl *declaration) override {
    if (const auto *alias = declaration->getAttr<AliasAttr>())
      aliased.insert(alias->getAliasee());
    if (const auto *resolved = declaration->getAttr<IFuncAttr>())
      aliased.insert(resolved->getResolver());
    return true;
  }
  bool VisitFileScopeAsmDecl(FileScopeAsmDecl *) override { return hasAssembly = true; }

private:
  llvm::DenseSet<const Expr *> called, read; // an expression is visited before its subexpressions
};

struct PassedFunctions::State {
  explicit State(ASTContext &context) : context(context) {
    uses.TraverseDecl(context.getTranslationUnitDecl());
  }

  ASTContext &context;
  UsesInUnit uses;
  llvm::DenseMap<const ParmVarDecl *, std::optional<std::vector<const FunctionDecl *>>> known;

  /// Whether all calls of a function are in this unit.
  bool isCalledHereOnly(const FunctionDecl &function) const {
    return !function.isExternallyVisible() && !isa<CXXMethodDecl>(function) && !uses.hasAssembly &&
           !uses.otherwiseUsed.contains(function.getCanonicalDecl()) &&
           !function.hasAttr<UsedAttr>() && !function.hasAttr<ConstructorAttr>() &&
           !function.hasAttr<DestructorAttr>() &&
           !uses.aliased.contains(ASTNameGenerator(context).getName(&function));
  }

  bool addParameter(const ParmVarDecl &parameter, Targets &targets,
                    llvm::DenseSet<const ParmVarDecl *> &seen) {
    if (!seen.insert(&parameter).second)
      return true;
    const auto *function = dyn_cast<FunctionDecl>(parameter.getDeclContext());
    if (!function || !isCalledHereOnly(*function) ||
        (uses.notOnlyRead.contains(&parameter) && !parameter.getType()->isReferenceType()))
      return false;
    const auto found = uses.calls.find(function->getCanonicalDecl());
    const unsigned index = parameter.getFunctionScopeIndex();
    return found == uses.calls.end() || llvm::all_of(found->second, [&](const CallExpr *call) {
             return index < call->getNumArgs() && addValue(*call->getArg(index), targets, seen);
           });
  }

  bool addValue(const Expr &value, Targets &targets, llvm::DenseSet<const ParmVarDecl *> &seen) {
    if (const auto *choice = dyn_cast<ConditionalOperator>(value.IgnoreParenImpCasts()))
      return addValue(*choice->getTrueExpr(), targets, seen) &&
             addValue(*choice->getFalseExpr(), targets, seen);
    const DeclRefExpr *name = nameIn(&value);
    if (!name)
      return false;
    if (const auto *parameter = dyn_cast<ParmVarDecl>(name->getDecl()))
      return addParameter(*parameter, targets, seen);
    const auto *function = dyn_cast<FunctionDecl>(name->getDecl());
    if (!function || isa<CXXMethodDecl>(function) || !mayBeJudged(*function))
      return false;
    targets.insert(function);
    return true;
  }

  bool mayBeJudged(const FunctionDecl &function) const {
    const KnownFunction found = classifyFunction(function, context);
    return found.kind == KnownFunction::User || returnsForAnyArguments(found, function);
  }
};

PassedFunctions::PassedFunctions(ASTContext &context) : context(context) {}

PassedFunctions::~PassedFunctions() = default;

const std::vector<const FunctionDecl *> *PassedFunctions::targetsOf(const CallExpr &call) {
  const DeclRefExpr *name = call.getDirectCallee() ? nullptr : nameIn(call.getCallee());
  const auto *parameter = name ? dyn_cast<ParmVarDecl>(name->getDecl()) : nullptr;
  if (!parameter)
    return nullptr;
  if (!state)
    state = std::make_unique<State>(context);
  auto [found, isNew] = state->known.try_emplace(parameter);
  if (isNew) {
    Targets targets;
    llvm::DenseSet<const ParmVarDecl *> seen;
    if (state->addParameter(*parameter, targets, seen))
      found->second.emplace(targets.begin(), targets.end());
  }
  return found->second ? &*found->second : nullptr;
}

} // namespace sendwright
