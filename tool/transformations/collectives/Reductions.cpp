// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/transformations/collectives/Reductions.h"

#include "tool/sites/RepeatedExpressions.h"
#include "tool/sites/VariableUses.h"

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"

namespace sendwright {

namespace {

using namespace clang;

/// `result = result OP part` in any spelling.
struct Combined {
  const Expr *result = nullptr, *part = nullptr;
  std::string reduction;
};

std::string reductionBy(BinaryOperatorKind kind) {
  switch (kind) {
  case BO_Add:
  case BO_AddAssign:
    return "sum";
  case BO_Mul:
  case BO_MulAssign:
    return "product";
  case BO_And:
  case BO_AndAssign:
    return "bitwise and";
  case BO_Or:
  case BO_OrAssign:
    return "bitwise or";
  case BO_Xor:
  case BO_XorAssign:
    return "bitwise xor";
  default:
    return "";
  }
}

class CombinationReader {
public:
  explicit CombinationReader(const ASTContext &context) : context(context) {}

  std::optional<Combined> read(const Stmt *statement) const {
    if (const auto *branch = dyn_cast<IfStmt>(statement))
      return readBranch(*branch);
    const auto *expression = dyn_cast<Expr>(statement);
    const auto *assignment =
        expression ? dyn_cast<BinaryOperator>(expression->IgnoreParens()) : nullptr;
    if (!assignment || !assignment->isAssignmentOp())
      return std::nullopt;
    const Expr *result = assignment->getLHS(), *value = assignment->getRHS();
    if (assignment->isCompoundAssignmentOp())
      return found(result, value, reductionBy(assignment->getOpcode()));
    return readValue(result, value->IgnoreParenImpCasts());
  }

private:
  const ASTContext &context;

  static std::optional<Combined> found(const Expr *result, const Expr *part,
                                       const std::string &reduction) {
    return reduction.empty() ? std::nullopt
                             : std::optional(Combined{result->IgnoreParenImpCasts(),
                                                      part->IgnoreParenImpCasts(), reduction});
  }

  bool same(const Expr *left, const Expr *right) const { return areSame(*left, *right, context); }

  std::optional<Combined> readValue(const Expr *result, const Expr *value) const {
    if (const auto *choice = dyn_cast<ConditionalOperator>(value))
      return readChoice(result, choice->getCond(), choice->getTrueExpr(), choice->getFalseExpr());
    const Expr *left = nullptr, *right = nullptr;
    std::string reduction;
    if (const auto *operation = dyn_cast<BinaryOperator>(value)) {
      left = operation->getLHS(), right = operation->getRHS();
      reduction = reductionBy(operation->getOpcode());
    } else if (const auto *call = dyn_cast<CallExpr>(value); call && call->getNumArgs() == 2) {
      const FunctionDecl *callee = call->getDirectCallee();
      if (!callee || !callee->isInStdNamespace() || !callee->getIdentifier())
        return std::nullopt;
      left = call->getArg(0), right = call->getArg(1);
      reduction = llvm::StringSwitch<std::string>(callee->getName())
                      .Case("min", "minimum")
                      .Case("max", "maximum")
                      .Default("");
    }
    if (left && same(result, left))
      return found(result, right, reduction);
    return left && same(result, right) ? found(result, left, reduction) : std::nullopt;
  }

  /// if (part > result) result = part;
  std::optional<Combined> readBranch(const IfStmt &branch) const {
    const std::vector<const Stmt *> body = statementsOf(branch.getThen());
    const auto *expression = body.size() == 1 ? dyn_cast<Expr>(body.front()) : nullptr;
    const auto *assignment =
        expression ? dyn_cast<BinaryOperator>(expression->IgnoreParens()) : nullptr;
    if (branch.getElse() || !assignment || assignment->getOpcode() != BO_Assign)
      return std::nullopt;
    return readChoice(assignment->getLHS(), branch.getCond(), assignment->getRHS(),
                      assignment->getLHS());
  }

  /// result = condition ? chosen : other
  std::optional<Combined> readChoice(const Expr *result, const Expr *condition, const Expr *chosen,
                                     const Expr *other) const {
    const auto *comparison = dyn_cast<BinaryOperator>(condition->IgnoreParenImpCasts());
    if (!comparison || !comparison->isRelationalOp())
      return std::nullopt;
    const bool greater = comparison->getOpcode() == BO_GT || comparison->getOpcode() == BO_GE;
    const Expr *left = comparison->getLHS(), *right = comparison->getRHS();
    const bool straight = same(chosen, left) && same(other, right);
    if (!straight && !(same(chosen, right) && same(other, left)))
      return std::nullopt;
    const std::string reduction = straight == greater ? "maximum" : "minimum";
    if (same(result, other))
      return found(result, chosen, reduction);
    return same(result, chosen) ? found(result, other, reduction) : std::nullopt;
  }
};

/// The base of `base[variable]`; else null.
const Expr *baseOf(const Expr *element, const VarDecl &variable) {
  const Expr *base = nullptr, *index = nullptr;
  if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(element))
    base = subscript->getBase(), index = subscript->getIdx();
  else if (const auto *call = dyn_cast<CXXOperatorCallExpr>(element);
           call && call->getOperator() == OO_Subscript)
    base = call->getArg(0), index = call->getArg(1);
  const auto *name = index ? dyn_cast<DeclRefExpr>(index->IgnoreParenImpCasts()) : nullptr;
  return name && name->getDecl() == &variable ? base->IgnoreParenImpCasts() : nullptr;
}

/// for (k = 0; k < end; k++) combine; the statement inside and its variable.
struct ElementLoop {
  const Stmt *statement = nullptr;
  const Expr *end = nullptr;
  const VarDecl *variable = nullptr;
  bool declaresVariable = false;
};

std::optional<ElementLoop> elementLoop(const Stmt *statement, const ASTContext &context) {
  const auto *loop = dyn_cast<ForStmt>(statement);
  const auto *declaration = loop ? dyn_cast_or_null<DeclStmt>(loop->getInit()) : nullptr;
  const auto *assignment = loop ? dyn_cast_or_null<BinaryOperator>(loop->getInit()) : nullptr;
  const VarDecl *variable = nullptr;
  const Expr *first = nullptr;
  if (declaration && declaration->isSingleDecl()) {
    variable = dyn_cast<VarDecl>(declaration->getSingleDecl());
    first = variable ? variable->getInit() : nullptr;
  } else if (assignment && assignment->getOpcode() == BO_Assign) {
    const auto *name = dyn_cast<DeclRefExpr>(assignment->getLHS()->IgnoreParens());
    variable = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
    first = assignment->getRHS();
  }
  Expr::EvalResult zero;
  if (!variable || !first || first->isValueDependent() || !first->EvaluateAsInt(zero, context) ||
      zero.Val.getInt() != 0)
    return std::nullopt;
  const auto *condition = dyn_cast_or_null<BinaryOperator>(loop->getCond());
  const auto *step =
      dyn_cast_or_null<UnaryOperator>(loop->getInc() ? loop->getInc()->IgnoreParens() : nullptr);
  const auto isIt = [&](const Expr *expression) {
    const auto *name = dyn_cast<DeclRefExpr>(expression->IgnoreParenImpCasts());
    return name && name->getDecl() == variable;
  };
  if (!condition || condition->getOpcode() != BO_LT || !isIt(condition->getLHS()) ||
      mentions(*condition->getRHS(), *variable) || !step || !step->isIncrementOp() ||
      !isIt(step->getSubExpr()))
    return std::nullopt;
  const std::vector<const Stmt *> body = statementsOf(loop->getBody());
  return body.size() == 1 ? std::optional(ElementLoop{body.front(), condition->getRHS(), variable,
                                                      declaration != nullptr})
                          : std::nullopt;
}

/// Whether MPI's name of a type stands for the type of an element.
bool isTypeOf(llvm::StringRef name, QualType type, const ASTContext &context) {
  if (!name.consume_front("MPI_"))
    return false;
  const QualType exact = llvm::StringSwitch<QualType>(name)
                             .Case("INT", context.IntTy)
                             .Case("UNSIGNED", context.UnsignedIntTy)
                             .Case("LONG", context.LongTy)
                             .Case("UNSIGNED_LONG", context.UnsignedLongTy)
                             .Case("LONG_LONG", context.LongLongTy)
                             .Case("LONG_LONG_INT", context.LongLongTy)
                             .Case("UNSIGNED_LONG_LONG", context.UnsignedLongLongTy)
                             .Case("SHORT", context.ShortTy)
                             .Case("UNSIGNED_SHORT", context.UnsignedShortTy)
                             .Case("SIGNED_CHAR", context.SignedCharTy)
                             .Case("UNSIGNED_CHAR", context.UnsignedCharTy)
                             .Case("FLOAT", context.FloatTy)
                             .Case("DOUBLE", context.DoubleTy)
                             .Case("LONG_DOUBLE", context.LongDoubleTy)
                             .Default(QualType());
  if (!exact.isNull())
    return context.hasSameUnqualifiedType(exact, type);
  const bool isUnsigned = name.consume_front("U");
  unsigned bits = 0;
  return name.consume_front("INT") && name.consume_back("_T") && !name.getAsInteger(10, bits) &&
         !type->isBooleanType() && context.getTypeSize(type) == bits &&
         (isUnsigned ? type->isUnsignedIntegerType() : type->isSignedIntegerType());
}

/// The operands of a reduction, element by element or of a single element.
struct ReducedElements {
  const Expr *result = nullptr, *part = nullptr; ///< without index; or the single element itself
  bool alone = false;
};

ReducedElements elementsOf(const Combined &combined, const VarDecl *index) {
  if (!index)
    return {combined.result, combined.part, true};
  return {baseOf(combined.result, *index), baseOf(combined.part, *index), false};
}

/// Whether the combined elements are the received ones, from the first on.
bool isReceivedAt(const Expr &buffer, const ReducedElements &elements, const ASTContext &context) {
  const Expr *received = buffer.IgnoreParenCasts();
  if (const auto *address = dyn_cast<UnaryOperator>(received);
      address && address->getOpcode() == UO_AddrOf && elements.alone)
    received = address->getSubExpr()->IgnoreParens();
  else if (const auto *data = dyn_cast<CXXMemberCallExpr>(received);
           data && data->getMethodDecl() && data->getMethodDecl()->getIdentifier() &&
           data->getMethodDecl()->getName() == "data")
    received = data->getImplicitObjectArgument()->IgnoreParenImpCasts();
  return isa<DeclRefExpr>(received) && areSame(*received, *elements.part, context);
}

std::string problemOf(const MessageLoop &receives, const Combined &combined, const VarDecl &part,
                      const FunctionDecl &function, bool reassociate, const ASTContext &context) {
  const QualType type = combined.result->getType();
  const auto datatype = repeatedText(*receives.message.datatype, context);
  if (!context.hasSameUnqualifiedType(type, combined.part->getType()) || !datatype ||
      type.isVolatileQualified() || !isTypeOf(*datatype, type, context))
    return "its elements are " + type.getUnqualifiedType().getAsString() +
           ", of which the message's datatype is not known to be";
  if (!type->isIntegerType() && !reassociate)
    return "the " + combined.reduction + " of " + type.getUnqualifiedType().getAsString() +
           "s may change with the order (-fplugin-arg-sendwright-reassociate allows it)";
  const std::string name = part.getNameAsString();
  if (!ownsItsMemory(part, function, context))
    return name + " may share its memory with other variables";
  if (isUsedOutside(part, function, {receives.loop}))
    return name + " is used outside the loop";
  return "";
}

} // namespace

std::optional<Combination> combinationOf(const MessageLoop &receives, const FunctionDecl &function,
                                         bool reassociate, const ASTContext &context) {
  if (receives.others.size() != 1)
    return std::nullopt;
  const MessageCall &message = receives.message;
  const auto loop = elementLoop(receives.others.front(), context);
  Expr::EvalResult one;
  if (!loop && !(message.count->EvaluateAsInt(one, context) && one.Val.getInt() == 1))
    return std::nullopt;
  const auto combined =
      CombinationReader(context).read(loop ? loop->statement : receives.others.front());
  if (!combined)
    return std::nullopt;
  const ReducedElements elements = elementsOf(*combined, loop ? loop->variable : nullptr);
  const VarDecl *part = elements.part ? designatedVariable(*elements.part) : nullptr;
  if (!part || !elements.result || !isReceivedAt(*message.buffer, elements, context) ||
      mentions(*elements.result, *part) || mentions(*elements.result, *receives.variable) ||
      receives.localIn(*elements.result) || !mayBeRepeated(*elements.result, context))
    return std::nullopt;
  const auto text = repeatedText(*elements.result, context);
  const auto count = repeatedText(*message.count, context);
  if (!text || !count)
    return std::nullopt;
  Combination found{combined->reduction, *text, "", ""};
  if (elements.alone)
    found.result = "&(" + *text + ")";
  else if (elements.result->getType()->isRecordType())
    found.result = "(" + *text + ").data()";
  if (loop && !loop->declaresVariable)
    found.afterwards = loop->variable->getNameAsString() + " = (" + *count + ");";
  // A count is an int, but the size of a container is not.
  if (loop && !areSame(*loop->end->IgnoreParenCasts(), *message.count->IgnoreParenCasts(), context))
    found.problem = "the number of combined elements is " +
                    repeatedText(*loop->end, context).value_or("a macro") +
                    ", the number of received elements is " + *count;
  else
    found.problem = problemOf(receives, *combined, *part, function, reassociate, context);
  return found;
}

} // namespace sendwright
