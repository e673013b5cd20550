// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/sites/PairwiseLoops.h"

#include "tool/sites/RepeatedExpressions.h"

#include "clang/AST/Stmt.h"

namespace sendwright {

namespace {

using namespace clang;

std::optional<long long> constantOf(const Expr &expression, const ASTContext &context) {
  Expr::EvalResult number;
  if (expression.isValueDependent() || !expression.getType()->isIntegerType() ||
      !expression.EvaluateAsInt(number, context) || number.Val.getInt().getSignificantBits() > 32)
    return std::nullopt;
  return number.Val.getInt().getExtValue();
}

const VarDecl *namedVariable(const Expr *expression) {
  const auto *name = dyn_cast<DeclRefExpr>(expression->IgnoreParenImpCasts());
  return name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
}

/// What a variable gets in each step: a value, and optionally the amount that is added or
/// subtracted to bring it back among the ranks: `if (to >= size) to -= size`.
struct StepValue {
  const VarDecl *variable = nullptr;
  const Expr *value = nullptr;
  const Expr *wrap = nullptr; ///< null: no such amount
  bool wrapsDown = false;
};

/// steps * i + constant + the terms, each with its factor.
struct StepSum {
  int steps = 0;
  long long constant = 0;
  std::vector<std::pair<const Expr *, int>> terms;
};

/// The body of a loop, statement by statement.
class PairwiseBody {
public:
  PairwiseBody(PairwiseLoop &loop, const ASTContext &context) : loop(loop), context(context) {}

  /// False where the loop has no exchange, or several.
  bool read() {
    for (const Stmt *part : statementsOf(loop.head.loop->getBody())) {
      if (auto call = pairwiseCallOf(part, context)) {
        if (loop.sent.call)
          return false;
        loop.sent = call->sent;
        loop.received = call->received;
      } else if (!isa<NullStmt>(part) && !isCheckOf(part, loop.sent.result, context) &&
                 (loop.sent.call || !sets(part))) {
        loop.head.others.push_back(part);
      }
    }
    return loop.sent.call != nullptr;
  }

  std::optional<StepPartner> partnerOf(const Expr &peer) const {
    const VarDecl *variable = namedVariable(&peer);
    std::optional<StepPartner> partner = formOf(&peer);
    if (partner && variable && valueOf(variable))
      partner->variable = variable;
    return partner;
  }

private:
  PairwiseLoop &loop;
  const ASTContext &context;
  std::vector<StepValue> values; // in the order of the text

  const StepValue *valueOf(const VarDecl *variable) const {
    for (const StepValue &value : values)
      if (value.variable == variable)
        return &value;
    return nullptr;
  }

  /// Whether the statement only sets variables of the function for this step; notes them.
  bool sets(const Stmt *part) {
    if (const auto *declaration = dyn_cast<DeclStmt>(part)) {
      for (const Decl *one : declaration->decls()) {
        const auto *variable = dyn_cast<VarDecl>(one);
        if (!variable || !variable->hasLocalStorage() ||
            (variable->getInit() && variable->getType()->isIntegerType() &&
             !add(variable, variable->getInit())))
          return false;
        loop.declared.push_back(variable);
      }
      return declaresPlainly(*declaration);
    }
    if (const auto *assignment = dyn_cast<BinaryOperator>(part);
        assignment && assignment->getOpcode() == BO_Assign) {
      const VarDecl *variable = namedVariable(assignment->getLHS());
      return variable && variable->hasLocalStorage() && variable->getType()->isIntegerType() &&
             add(variable, assignment->getRHS());
    }
    return wraps(part);
  }

  /// Whether the declaration only declares integers, with or without a value.
  bool declaresPlainly(const DeclStmt &declaration) {
    for (const Decl *one : declaration.decls()) {
      const auto *variable = dyn_cast<VarDecl>(one);
      if (!variable || valueOf(variable))
        continue;
      if (variable->getType()->isVariablyModifiedType() ||
          (variable->getInit() && !variable->getType()->isRecordType()))
        return false;
      loop.head.locals.push_back(variable);
    }
    return true;
  }

  /// The value may not mention a variable that is set later: it would have the previous step's
  /// value.
  bool add(const VarDecl *variable, const Expr *value) {
    if (valueOf(variable) || variable == loop.head.variable || mentions(*value, *variable) ||
        variable->getType().isVolatileQualified() || !mayBeRepeated(*value, context))
      return false;
    for (const StepValue &other : values)
      if (mentions(*other.value, *variable) || (other.wrap && mentions(*other.wrap, *variable)))
        return false;
    values.push_back({variable, value});
    loop.set.push_back(variable);
    return true;
  }

  /// if (to >= size) to -= size; if (from < 0) from += size;
  bool wraps(const Stmt *part) {
    const auto *branch = dyn_cast<IfStmt>(part);
    if (!branch || branch->getElse() || branch->hasInitStorage() || branch->hasVarStorage())
      return false;
    const std::vector<const Stmt *> then = statementsOf(branch->getThen());
    const auto *change =
        then.size() == 1 ? dyn_cast<CompoundAssignOperator>(then.front()) : nullptr;
    const auto *condition = dyn_cast<BinaryOperator>(branch->getCond()->IgnoreParenImpCasts());
    if (!change || !condition)
      return false;
    const VarDecl *variable = namedVariable(change->getLHS());
    const bool down = change->getOpcode() == BO_SubAssign;
    if (!variable || namedVariable(condition->getLHS()) != variable ||
        (!down && change->getOpcode() != BO_AddAssign))
      return false;
    const Expr *by = change->getRHS(), *limit = condition->getRHS();
    const bool fits = down ? condition->getOpcode() == BO_GE && areSame(*limit, *by, context)
                           : condition->getOpcode() == BO_LT && constantOf(*limit, context) == 0 &&
                                 variable->getType()->isSignedIntegerType();
    if (!fits || !mayBeRepeated(*by, context))
      return false;
    for (StepValue &value : values)
      if (value.variable == variable && !value.wrap) {
        value.wrap = by;
        value.wrapsDown = down;
        return true;
      }
    return false;
  }

  bool changesByStep(const Expr &expression) const {
    if (mentions(expression, *loop.head.variable))
      return true;
    return llvm::any_of(
        values, [&](const StepValue &value) { return mentions(expression, *value.variable); });
  }

  bool addTo(StepSum &sum, const Expr *expression, int sign) const {
    expression = expression->IgnoreParenImpCasts();
    if (const auto constant = constantOf(*expression, context)) {
      sum.constant += sign * *constant;
      return true;
    }
    if (const auto *operation = dyn_cast<BinaryOperator>(expression);
        operation && operation->isAdditiveOp())
      return addTo(sum, operation->getLHS(), sign) &&
             addTo(sum, operation->getRHS(), operation->getOpcode() == BO_Add ? sign : -sign);
    const VarDecl *variable = namedVariable(expression);
    if (variable == loop.head.variable) {
      sum.steps += sign;
      return true;
    }
    if (const StepValue *value = variable ? valueOf(variable) : nullptr)
      return !value->wrap && addTo(sum, value->value, sign);
    if (changesByStep(*expression) || !mayBeRepeated(*expression, context))
      return false;
    for (auto &[term, times] : sum.terms)
      if (areSame(*term, *expression, context)) {
        times += sign;
        return true;
      }
    sum.terms.emplace_back(expression, sign);
    return true;
  }

  /// What is left of the sum is rank + i or rank - i, with `modulus` added `times` times.
  std::optional<StepPartner> formOf(const StepSum &sum, const Expr &modulus,
                                    long long &times) const {
    StepPartner partner;
    partner.modulus = &modulus;
    times = 0;
    for (const auto &[term, often] : sum.terms) {
      if (areSame(*term, modulus, context))
        times = often;
      else if (often == 1 && !partner.rank)
        partner.rank = term;
      else if (often != 0)
        return std::nullopt;
    }
    if (const auto size = constantOf(modulus, context); size && *size > 0) {
      if (sum.constant % *size != 0)
        return std::nullopt;
      times += sum.constant / *size;
    } else if (sum.constant != 0) {
      return std::nullopt;
    }
    if (!partner.rank || (sum.steps != 1 && sum.steps != -1))
      return std::nullopt;
    partner.form = sum.steps == 1 ? PartnerForm::Above : PartnerForm::Below;
    return partner;
  }

  std::optional<StepPartner> formOf(const Expr *expression) const {
    expression = expression->IgnoreParenImpCasts();
    long long times = 0;
    if (const VarDecl *variable = namedVariable(expression)) {
      const StepValue *value = valueOf(variable);
      if (!value || !value->wrap)
        return value ? formOf(value->value) : std::nullopt;
      StepSum sum;
      if (changesByStep(*value->wrap) || !addTo(sum, value->value, 1))
        return std::nullopt;
      const auto partner = formOf(sum, *value->wrap, times);
      return partner && times == 0 && value->wrapsDown == (partner->form == PartnerForm::Above)
                 ? partner
                 : std::nullopt;
    }
    const auto *operation = dyn_cast<BinaryOperator>(expression);
    if (!operation)
      return std::nullopt;
    if (operation->getOpcode() == BO_Xor)
      return oppositeOf(*operation);
    StepSum sum;
    if (operation->getOpcode() != BO_Rem || changesByStep(*operation->getRHS()) ||
        !mayBeRepeated(*operation->getRHS(), context) || !addTo(sum, operation->getLHS(), 1))
      return std::nullopt;
    // The dividend must not be negative, nor overflow its type.
    const auto partner = formOf(sum, *operation->getRHS(), times);
    const long long least = partner && partner->form == PartnerForm::Below ? 1 : 0;
    return partner && times >= least && times <= 2 ? partner : std::nullopt;
  }

  std::optional<StepPartner> oppositeOf(const BinaryOperator &operation) const {
    for (const bool left : {false, true}) {
      const Expr *step = left ? operation.getLHS() : operation.getRHS();
      const Expr *rank = left ? operation.getRHS() : operation.getLHS();
      if (namedVariable(step) == loop.head.variable && !changesByStep(*rank) &&
          mayBeRepeated(*rank, context))
        return StepPartner{PartnerForm::Opposite, rank->IgnoreParenImpCasts(), nullptr, nullptr};
    }
    return std::nullopt;
  }
};

} // namespace

std::optional<PairwiseLoop> pairwiseLoopOf(const Stmt *statement, const ASTContext &context) {
  std::optional<MessageLoop> head = loopHeadOf(statement, context);
  if (!head)
    return std::nullopt;
  PairwiseLoop found;
  found.head = std::move(*head);
  PairwiseBody body(found, context);
  if (!body.read())
    return std::nullopt;
  found.head.message = found.sent;
  const std::optional<StepPartner> to = body.partnerOf(*found.sent.peer);
  if (!to)
    return std::nullopt;
  found.to = *to;
  found.from = body.partnerOf(*found.received.peer);
  return found;
}

} // namespace sendwright
