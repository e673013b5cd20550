// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/sites/PairwiseChains.h"

#include "tool/legality/LibraryFunctions.h"
#include "tool/source/SyntaxWalk.h"

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace sendwright {

namespace {

const VarDecl *variableNamed(const Expr *expression) {
  const auto *name = dyn_cast<DeclRefExpr>(expression->IgnoreParens());
  return name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
}

bool isScalar(QualType type) {
  return type->isScalarType() && !type.isVolatileQualified() && !type->isAtomicType();
}

} // namespace

class PairwiseChains::UsesWalk final : public SyntaxWalk {
public:
  explicit UsesWalk(PairwiseChains &chains) : chains(chains) {}

  bool VisitDeclRefExpr(DeclRefExpr *name) override {
    if (const auto *variable = dyn_cast<VarDecl>(name->getDecl()))
      ++chains.uses[variable].all;
    return true;
  }
  bool VisitCastExpr(CastExpr *cast) override {
    return cast->getCastKind() != CK_LValueToRValue || direct(cast->getSubExpr());
  }
  bool VisitBinaryOperator(BinaryOperator *operation) override {
    return !operation->isAssignmentOp() || direct(operation->getLHS());
  }
  bool VisitUnaryOperator(UnaryOperator *operation) override {
    return !operation->isIncrementDecrementOp() || direct(operation->getSubExpr());
  }

private:
  bool direct(const Expr *expression) {
    if (const VarDecl *variable = variableNamed(expression))
      ++chains.uses[variable].direct;
    return true;
  }
  PairwiseChains &chains;
};

PairwiseChains::PairwiseChains(const FunctionDecl &function, const ASTContext &context)
    : context(context) {
  UsesWalk(*this).TraverseStmt(function.getBody());
}

bool PairwiseChains::isOwn(const VarDecl &variable) const {
  const auto found = uses.find(&variable);
  return variable.hasLocalStorage() && isScalar(variable.getType()) && found != uses.end() &&
         found->second.all == found->second.direct;
}

/// Reads statements one by one; each either fits into the chain or ends it.
class PairwiseChains::Reader {
public:
  explicit Reader(const PairwiseChains &chains) : chains(chains) {}
  unsigned calls = 0;
  std::set<std::string> reads;

  bool fits(const Stmt *statement) {
    if (!statement || isa<NullStmt>(statement))
      return true;
    if (const auto *block = dyn_cast<CompoundStmt>(statement))
      return llvm::all_of(block->body(), [this](const Stmt *part) { return fits(part); });
    if (const auto *branch = dyn_cast<IfStmt>(statement))
      return !branch->hasInitStorage() && !branch->hasVarStorage() && fits(branch->getCond()) &&
             fits(branch->getThen()) && fits(branch->getElse());
    if (const auto *loop = dyn_cast<ForStmt>(statement))
      return !loop->getConditionVariableDeclStmt() && fits(loop->getInit()) &&
             fits(loop->getCond()) && fits(loop->getInc()) && fits(loop->getBody());
    if (const auto *declaration = dyn_cast<DeclStmt>(statement))
      return llvm::all_of(declaration->decls(), [this](const Decl *one) {
        const auto *variable = dyn_cast<VarDecl>(one);
        return variable && variable->hasLocalStorage() && isScalar(variable->getType()) &&
               inside.insert(variable).second && fits(variable->getInit());
      });
    const auto *expression = dyn_cast<Expr>(statement);
    return expression && fitsExpression(*expression);
  }

  /// Whether no pointer that `reads` goes through is set in the chain.
  bool keepsPointers() const {
    return llvm::none_of(through, [this](const VarDecl *one) { return set.contains(one); });
  }

private:
  bool fitsExpression(const Expr &expression) {
    if (isa<IntegerLiteral, FloatingLiteral, CharacterLiteral, StringLiteral, CXXBoolLiteralExpr,
            CXXNullPtrLiteralExpr, GNUNullExpr, CXXThisExpr>(expression))
      return true;
    if (const auto *size = dyn_cast<UnaryExprOrTypeTraitExpr>(&expression))
      return !size->getTypeOfArgument()->isVariablyModifiedType();
    if (const auto *name = dyn_cast<DeclRefExpr>(&expression))
      return isa<VarDecl, EnumConstantDecl>(name->getDecl());
    if (const auto *cast = dyn_cast<CastExpr>(&expression))
      return fitsCast(*cast);
    if (const auto *member = dyn_cast<MemberExpr>(&expression))
      return isa<FieldDecl>(member->getMemberDecl()) &&
             !member->getMemberDecl()->getType()->isReferenceType() && fits(member->getBase());
    if (const auto *operation = dyn_cast<BinaryOperator>(&expression))
      return operation->isAssignmentOp() ? sets(operation->getLHS()) && fits(operation->getRHS())
                                         : fitsParts(expression);
    if (const auto *operation = dyn_cast<UnaryOperator>(&expression))
      return operation->isIncrementDecrementOp() ? sets(operation->getSubExpr())
                                                 : fitsParts(expression);
    if (isa<ParenExpr, ConstantExpr, ConditionalOperator, ArraySubscriptExpr>(expression))
      return fitsParts(expression);
    const auto *call = dyn_cast<CallExpr>(&expression);
    return call && isExchange(*call) &&
           llvm::all_of(call->arguments(), [this](const Expr *one) { return fits(one); });
  }

  bool fitsParts(const Expr &expression) {
    return llvm::all_of(expression.children(), [this](const Stmt *part) { return fits(part); });
  }

  bool fitsCast(const CastExpr &cast) {
    if (cast.getCastKind() == CK_UserDefinedConversion ||
        cast.getCastKind() == CK_ConstructorConversion)
      return false;
    if (cast.getCastKind() == CK_LValueToRValue && !loads(cast.getSubExpr()))
      return false;
    return fits(cast.getSubExpr());
  }

  bool isExchange(const CallExpr &call) {
    const FunctionDecl *callee = call.getDirectCallee();
    if (!callee)
      return false;
    const KnownFunction known = classifyFunction(*callee, chains.context);
    const bool isIt =
        known.kind == KnownFunction::Mpi && known.mpi && known.mpi->id == MpiFunctionId::Sendrecv;
    calls += isIt ? 1 : 0;
    return isIt;
  }

  bool sets(const Expr *expression) {
    const VarDecl *variable = variableNamed(expression);
    if (!variable || !chains.isOwn(*variable))
      return false;
    set.insert(variable);
    return true;
  }

  /// Whether the value of an object in memory may be read: notes what the runtime must compare.
  bool loads(const Expr *expression) {
    if (!isScalar(expression->getType()))
      return false;
    for (;;) {
      expression = expression->IgnoreParens();
      if (const auto *member = dyn_cast<MemberExpr>(expression)) {
        if (member->isArrow())
          return loadsThrough(member->getBase(), "*");
        expression = member->getBase();
      } else if (const auto *element = dyn_cast<ArraySubscriptExpr>(expression)) {
        const auto *decay = dyn_cast<ImplicitCastExpr>(element->getBase()->IgnoreParens());
        if (!decay || decay->getCastKind() != CK_ArrayToPointerDecay)
          return loadsElement(*element);
        expression = decay->getSubExpr();
      } else {
        break;
      }
    }
    if (const auto *dereference = dyn_cast<UnaryOperator>(expression);
        dereference && dereference->getOpcode() == UO_Deref)
      return loadsThrough(dereference->getSubExpr(), "*");
    return loadsVariable(expression);
  }

  bool loadsVariable(const Expr *expression) {
    const auto *name = dyn_cast<DeclRefExpr>(expression);
    const auto *variable = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
    if (!variable || variable->getType().isVolatileQualified())
      return false;
    if (inside.contains(variable) || chains.isOwn(*variable))
      return chains.isOwn(*variable);
    const QualType type = variable->getType().getNonReferenceType();
    if (name->hasQualifier() || name->refersToEnclosingVariableOrCapture() ||
        type->isIncompleteType() || type->isVariablyModifiedType())
      return false;
    reads.insert(variable->getNameAsString());
    return true;
  }

  /// The memory that a pointer leads to, if the pointer is the same in the whole chain.
  bool loadsThrough(const Expr *pointer, const std::string &before, const std::string &after = "") {
    if (isa<CXXThisExpr>(pointer->IgnoreParenImpCasts())) {
      reads.insert("*this");
      return true;
    }
    const VarDecl *variable = variableNamed(pointer->IgnoreParenImpCasts());
    if (!variable || !chains.isOwn(*variable) || inside.contains(variable) ||
        variable->getType()->getPointeeType()->isIncompleteType() ||
        variable->getType()->getPointeeType().isVolatileQualified())
      return false;
    through.insert(variable);
    reads.insert(before + variable->getNameAsString() + after);
    return true;
  }

  bool loadsElement(const ArraySubscriptExpr &element) {
    Expr::EvalResult index;
    return element.getIdx()->EvaluateAsInt(index, chains.context) &&
           loadsThrough(element.getBase(), "",
                        "[" + std::to_string(index.Val.getInt().getExtValue()) + "]");
  }

  const PairwiseChains &chains;
  llvm::SmallPtrSet<const VarDecl *, 8> inside, set, through;
};

PairwiseChain PairwiseChains::atBeginOf(llvm::ArrayRef<Stmt *> statements) const {
  PairwiseChain found;
  Reader reader(*this);
  for (std::size_t number = 0; number < statements.size(); ++number) {
    const unsigned before = reader.calls;
    if (isa<SwitchCase, LabelStmt>(statements[number]) || !reader.fits(statements[number]) ||
        !reader.keepsPointers())
      break;
    if (reader.calls > before)
      found = {number + 1, reader.calls, reader.reads};
    else if (number == 0)
      break;
  }
  return found;
}

} // namespace sendwright
