// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/sites/MessageLoops.h"

#include "tool/legality/LibraryFunctions.h"
#include "tool/sites/RepeatedExpressions.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

namespace sendwright {

namespace {

using namespace clang;

const MpiFunction *mpiFunctionOf(const CallExpr *call, const ASTContext &context) {
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  if (!callee || !callee->getIdentifier() || !callee->getName().starts_with("MPI_"))
    return nullptr;
  const KnownFunction known = classifyFunction(*callee, context);
  return known.kind == KnownFunction::Mpi ? known.mpi : nullptr;
}

bool isVariable(const Expr *expression, const VarDecl *variable) {
  const auto *name = dyn_cast<DeclRefExpr>(expression->IgnoreParenImpCasts());
  return name && name->getDecl() == variable;
}

bool readHead(const ForStmt &loop, MessageLoop &head) {
  if (const auto *declaration = dyn_cast_or_null<DeclStmt>(loop.getInit())) {
    head.declaresVariable = true;
    head.variable =
        declaration->isSingleDecl() ? dyn_cast<VarDecl>(declaration->getSingleDecl()) : nullptr;
    head.first = head.variable ? head.variable->getInit() : nullptr;
  } else if (const auto *assignment = dyn_cast_or_null<BinaryOperator>(loop.getInit());
             assignment && assignment->getOpcode() == BO_Assign) {
    const auto *name = dyn_cast<DeclRefExpr>(assignment->getLHS()->IgnoreParens());
    head.variable = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
    head.first = assignment->getRHS();
  }
  return head.variable && head.first && head.variable->getType()->isIntegerType() &&
         !head.variable->getType().isVolatileQualified();
}

bool readCondition(const ForStmt &loop, MessageLoop &head) {
  const auto *condition = dyn_cast_or_null<BinaryOperator>(
      loop.getCond() ? loop.getCond()->IgnoreParenImpCasts() : nullptr);
  if (!condition || !condition->isRelationalOp())
    return false;
  const bool ascends = condition->getOpcode() == BO_LT || condition->getOpcode() == BO_LE;
  const Expr *small = ascends ? condition->getLHS() : condition->getRHS();
  head.end = ascends ? condition->getRHS() : condition->getLHS();
  head.inclusive = condition->getOpcode() == BO_LE || condition->getOpcode() == BO_GE;
  return isVariable(small, head.variable) && !mentions(*head.end, *head.variable);
}

bool addsOne(const ForStmt &loop, const VarDecl *variable, const ASTContext &context) {
  const Expr *step = loop.getInc() ? loop.getInc()->IgnoreParenImpCasts() : nullptr;
  if (const auto *count = dyn_cast_or_null<UnaryOperator>(step))
    return count->isIncrementOp() && isVariable(count->getSubExpr(), variable);
  const auto *addition = dyn_cast_or_null<CompoundAssignOperator>(step);
  Expr::EvalResult one;
  return addition && addition->getOpcode() == BO_AddAssign &&
         isVariable(addition->getLHS(), variable) &&
         addition->getRHS()->EvaluateAsInt(one, context) && one.Val.getInt() == 1;
}

/// The rank in `variable == rank` (or `!=`); else null.
const Expr *comparedWith(const Expr *condition, BinaryOperatorKind kind, const VarDecl *variable) {
  const auto *comparison = dyn_cast<BinaryOperator>(condition->IgnoreParenImpCasts());
  if (!comparison || comparison->getOpcode() != kind)
    return nullptr;
  const Expr *other = isVariable(comparison->getLHS(), variable)   ? comparison->getRHS()
                      : isVariable(comparison->getRHS(), variable) ? comparison->getLHS()
                                                                   : nullptr;
  return other && !mentions(*other, *variable) ? other : nullptr;
}

/// What the body does for each rank, without the test that leaves out a rank.
std::vector<const Stmt *> bodyOf(const ForStmt &loop, MessageLoop &head) {
  std::vector<const Stmt *> body = statementsOf(loop.getBody());
  const auto *branch = body.empty() ? nullptr : dyn_cast<IfStmt>(body.front());
  if (!branch || branch->getElse() || branch->hasInitStorage() || branch->hasVarStorage())
    return body;
  if (body.size() == 1) {
    head.excluded = comparedWith(branch->getCond(), BO_NE, head.variable);
    return head.excluded ? statementsOf(branch->getThen()) : body;
  }
  const std::vector<const Stmt *> left = statementsOf(branch->getThen());
  if (left.size() == 1 && isa<ContinueStmt>(left.front())) {
    head.excluded = comparedWith(branch->getCond(), BO_EQ, head.variable);
    if (head.excluded)
      body.erase(body.begin());
  }
  return body;
}

/// The variable that the expression increments, or null.
const VarDecl *countedIn(const Expr *expression) {
  const auto *count = dyn_cast<UnaryOperator>(expression);
  if (count && count->isIncrementOp()) {
    const auto *name = dyn_cast<DeclRefExpr>(count->getSubExpr()->IgnoreParens());
    return name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
  }
  for (const Stmt *child : expression->children())
    if (const auto *part = dyn_cast_or_null<Expr>(child))
      if (const VarDecl *counter = countedIn(part))
        return counter;
  return nullptr;
}

/// Whether the statement only increments the index of the next request.
bool countsRequests(const Stmt *statement, MessageLoop &head) {
  const auto *expression = dyn_cast<Expr>(statement);
  const VarDecl *counter = expression ? countedIn(expression->IgnoreParens()) : nullptr;
  if (!counter || !isa<UnaryOperator>(expression->IgnoreParens()) || !head.message.request ||
      !mentions(*head.message.request, *counter))
    return false;
  head.counter = counter;
  return true;
}

/// Whether the statement only declares variables without a value; adds them.
bool declaresOnly(const Stmt *statement, std::vector<const VarDecl *> &variables) {
  const auto *declaration = dyn_cast<DeclStmt>(statement);
  if (!declaration)
    return false;
  std::vector<const VarDecl *> declared;
  for (const Decl *one : declaration->decls()) {
    const auto *variable = dyn_cast<VarDecl>(one);
    const auto *construction =
        variable ? dyn_cast_or_null<CXXConstructExpr>(variable->getInit()) : nullptr;
    if (!variable || !variable->hasLocalStorage() ||
        (variable->getInit() && !(construction && construction->getConstructor()->isTrivial())) ||
        variable->getType()->isVariablyModifiedType())
      return false;
    declared.push_back(variable);
  }
  variables.insert(variables.end(), declared.begin(), declared.end());
  return true;
}

bool isAnySource(const Expr &peer, const ASTContext &context) {
  const auto text = repeatedText(peer, context);
  return text && *text == "MPI_ANY_SOURCE";
}

} // namespace

const VarDecl *MessageLoop::localIn(const Expr &expression) const {
  for (const VarDecl *local : locals)
    if (mentions(expression, *local))
      return local;
  return nullptr;
}

std::vector<const Stmt *> statementsOf(const Stmt *block) {
  if (const auto *statements = dyn_cast_or_null<CompoundStmt>(block))
    return {statements->body_begin(), statements->body_end()};
  return block ? std::vector<const Stmt *>{block} : std::vector<const Stmt *>();
}

std::optional<MessageCall> messageOf(const Stmt *statement, const ASTContext &context) {
  const CheckedCall checked = callIn(statement, context);
  const CallExpr *call = checked.call;
  const MpiFunction *function = mpiFunctionOf(call, context);
  if (!function)
    return std::nullopt;
  const MpiRole role = function->role;
  MessageCall message;
  message.call = call;
  message.statement = statement;
  message.usesResult = checked.usesResult;
  message.result = checked.result;
  message.sends = role == MpiRole::Send || role == MpiRole::NonblockingSend;
  message.blocking = role == MpiRole::Send || role == MpiRole::Receive;
  if ((!message.sends && role != MpiRole::Receive && role != MpiRole::NonblockingReceive) ||
      call->getNumArgs() != (role == MpiRole::Send ? 6u : 7u))
    return std::nullopt;
  const auto argument = [&](int number) { return call->getArg(static_cast<unsigned>(number)); };
  message.buffer = argument(function->buffer);
  message.count = argument(function->count);
  message.datatype = argument(function->datatype);
  message.peer = argument(function->peer);
  message.tag = argument(function->tag);
  message.communicator = argument(function->communicator);
  if (role == MpiRole::Receive)
    message.status = argument(6);
  else if (!message.blocking)
    message.request = argument(function->request);
  return message;
}

std::optional<PairwiseCall> pairwiseCallOf(const Stmt *statement, const ASTContext &context) {
  const CheckedCall checked = callIn(statement, context);
  const MpiFunction *function = mpiFunctionOf(checked.call, context);
  if (!function || function->id != MpiFunctionId::Sendrecv || checked.call->getNumArgs() != 12)
    return std::nullopt;
  const auto argument = [&](int number) {
    return checked.call->getArg(static_cast<unsigned>(number));
  };
  PairwiseCall exchange;
  const MessageArguments sent{function->buffer, function->count, function->datatype, function->peer,
                              function->tag};
  for (MessageCall *half : {&exchange.sent, &exchange.received}) {
    const MessageArguments &arguments = half == &exchange.sent ? sent : function->received;
    half->call = checked.call;
    half->statement = statement;
    half->blocking = true;
    half->usesResult = checked.usesResult;
    half->result = checked.result;
    half->buffer = argument(arguments.buffer);
    half->count = argument(arguments.count);
    half->datatype = argument(arguments.datatype);
    half->peer = argument(arguments.peer);
    half->tag = argument(arguments.tag);
    half->communicator = argument(function->communicator);
  }
  exchange.sent.sends = true;
  exchange.received.status = argument(11);
  return exchange;
}

std::optional<MessageLoop> loopHeadOf(const Stmt *statement, const ASTContext &context) {
  MessageLoop found;
  found.loop = dyn_cast<ForStmt>(statement);
  if (!found.loop || found.loop->getConditionVariable() || !readHead(*found.loop, found) ||
      !readCondition(*found.loop, found) || !addsOne(*found.loop, found.variable, context))
    return std::nullopt;
  return found;
}

std::optional<MessageLoop> messageLoopOf(const Stmt *statement, const ASTContext &context) {
  std::optional<MessageLoop> head = loopHeadOf(statement, context);
  if (!head)
    return std::nullopt;
  MessageLoop found = std::move(*head);
  for (const Stmt *part : bodyOf(*found.loop, found)) {
    const auto message = messageOf(part, context);
    if (message && found.message.call)
      return std::nullopt; // two messages for each rank
    if (message)
      found.message = *message;
    else if (!isa<NullStmt>(part) && !declaresOnly(part, found.locals))
      found.others.push_back(part);
  }
  if (!found.message.call)
    return std::nullopt;
  found.fromAny = !found.message.sends && isAnySource(*found.message.peer, context);
  if (!found.fromAny && !isVariable(found.message.peer, found.variable))
    return std::nullopt;
  if (found.message.request)
    found.counter = countedIn(found.message.request);
  std::erase_if(found.others, [&](const Stmt *other) {
    return countsRequests(other, found) || isCheckOf(other, found.message.result, context);
  });
  return found;
}

CheckedCall waitIn(const Stmt *statement, const ASTContext &context) {
  const CheckedCall checked = callIn(statement, context);
  const MpiFunction *function = mpiFunctionOf(checked.call, context);
  return function && waitsForAll(*function) ? checked : CheckedCall();
}

const CallExpr *waitOf(const Stmt *statement, const ASTContext &context) {
  return waitIn(statement, context).call;
}

bool ignoresStatus(const Expr &status, const ASTContext &context) {
  const auto text = repeatedText(status, context);
  return text && (*text == "MPI_STATUS_IGNORE" || *text == "MPI_STATUSES_IGNORE");
}

} // namespace sendwright
