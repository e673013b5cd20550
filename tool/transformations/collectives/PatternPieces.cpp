// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/transformations/collectives/PatternPieces.h"

#include "tool/legality/LibraryFunctions.h"
#include "tool/sites/LoopText.h"
#include "tool/sites/RepeatedExpressions.h"
#include "tool/sites/Surroundings.h"

#include "clang/AST/ExprCXX.h"

namespace sendwright {

namespace {

using namespace clang;

bool storesTo(const Stmt &code, const VarDecl &variable) {
  const auto *assignment = dyn_cast<BinaryOperator>(&code);
  const auto *count = dyn_cast<UnaryOperator>(&code);
  if (assignment && assignment->isAssignmentOp() &&
      designatedVariable(*assignment->getLHS()) == &variable)
    return true;
  if (count && count->isIncrementDecrementOp() &&
      designatedVariable(*count->getSubExpr()) == &variable)
    return true;
  bool found = false;
  forEachChild(&code, [&](const Stmt *child) { found = found || storesTo(*child, variable); });
  return found;
}

std::string othersProblem(const MessageLoop &loop) {
  const VarDecl *buffer = designatedVariable(*loop.message.buffer);
  for (const Stmt *other : loop.others)
    if (buffer && storesTo(*other, *buffer))
      return buffer->getNameAsString() + " is changed in the loop";
  return std::string("the loop does more than ") + (loop.message.sends ? "send" : "receive");
}

/// MPI_Get_count, MPI_Wtime and other functions that only ask MPI something.
bool isMpiQuery(const CallExpr &call, const ASTContext &context) {
  const FunctionDecl *callee = call.getDirectCallee();
  if (!callee)
    return false;
  const KnownFunction known = classifyFunction(*callee, context);
  return known.kind == KnownFunction::Mpi && known.mpi && known.mpi->effect == BatchEffect::Pass &&
         (known.mpi->role == MpiRole::Query || known.mpi->role == MpiRole::Environment);
}

void collectDeclared(const Stmt &code, ValueSet &declared) {
  if (const auto *declaration = dyn_cast<DeclStmt>(&code))
    for (const Decl *one : declaration->decls())
      if (const auto *variable = dyn_cast<VarDecl>(one))
        declared.insert(variable);
  forEachChild(&code, [&](const Stmt *child) { collectDeclared(*child, declared); });
}

void addValues(ValueSet &values, const Expr &expression) {
  const ValueSet more = valuesIn(expression);
  values.insert(more.begin(), more.end());
}

/// The variable or field that an expression is; null where it is something else.
const ValueDecl *ownValue(const Expr &expression) {
  const Expr *inner = expression.IgnoreParenImpCasts();
  if (const auto *name = dyn_cast<DeclRefExpr>(inner))
    return name->getDecl();
  const auto *member = dyn_cast<MemberExpr>(inner);
  return member ? member->getMemberDecl() : nullptr;
}

/// A container of the standard library: setting its elements does not change its size.
bool isContainer(const VarDecl &variable) {
  const CXXRecordDecl *type = variable.getType().getNonReferenceType()->getAsCXXRecordDecl();
  return type && type->isInStdNamespace();
}

/// Variables that MPI_Comm_rank fills.
void collectRanks(const Stmt &code, ValueSet &ranks) {
  const auto *call = dyn_cast<CallExpr>(&code);
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  if (callee && callee->getIdentifier() && callee->getName() == "MPI_Comm_rank" &&
      call->getNumArgs() == 2)
    if (const VarDecl *variable = designatedVariable(*call->getArg(1)))
      ranks.insert(variable);
  forEachChild(&code, [&](const Stmt *child) { collectRanks(*child, ranks); });
}

/// The name in the source of a value that both sets hold, other than MPI's own; "" where there is
/// none.
std::string commonOf(const ValueSet &values, const ValueSet &others, const ASTContext &context) {
  std::string name; // the alphabetically first, as sets have no order
  for (const ValueDecl *value : values)
    if (others.contains(value) && !isDeclaredByMpi(*value, context) &&
        (name.empty() || value->getNameAsString() < name))
      name = value->getNameAsString();
  return name;
}

} // namespace

PatternSearch::PatternSearch(ASTContext &context, const UnitSites &sites, Legality &legality,
                             bool reassociate)
    : context(context), legality(legality), reassociate(reassociate) {
  for (const LoopSite &site : sites.loops)
    for (const InstantiatedLoop &instance : site.instances)
      loops[instance.loop] = &site;
  for (const CallSite &site : sites.calls)
    for (const CallExpr *call : site.instances)
      calls[call] = &site;
}

bool mayCommunicate(PatternSearch &search, const Stmt &statement) {
  if (!search.legality.mayReachMpi(statement))
    return false;
  if (const auto *call = dyn_cast<CallExpr>(&statement); call && !isMpiQuery(*call, search.context))
    return true;
  if (isa<CXXConstructExpr, CXXNewExpr, CXXDeleteExpr>(statement))
    return true;
  bool found = false;
  forEachChild(&statement,
               [&](const Stmt *child) { found = found || mayCommunicate(search, *child); });
  return found;
}

CollectivePattern patternAt(const PatternSearch &search, Collective operation, const Stmt &loop,
                            const std::vector<MessageCall> &calls) {
  CollectivePattern pattern;
  std::string &problem = pattern.inSource.problem;
  pattern.inSource.operation = operation;
  pattern.location = loop.getBeginLoc();
  pattern.site = search.loops.lookup(&loop);
  const auto judge = [&](const SourceSite *site) {
    if (!problem.empty())
      return;
    if (!site)
      problem = "a macro hides its calls";
    else
      problem = site->obstacle;
  };
  judge(pattern.site);
  if (pattern.site) {
    pattern.inSource.loop = pattern.site->identity;
    pattern.location = pattern.site->location;
  }
  for (const MessageCall &message : calls) {
    const CallSite *site = search.calls.lookup(message.call);
    judge(site);
    if (site)
      (message.sends ? pattern.inSource.sends : pattern.inSource.receives)
          .push_back(site->identity);
    if (problem.empty() && message.usesResult && operation == Collective::Reduce)
      problem = "the result of " + message.call->getDirectCallee()->getNameAsString() + " is kept";
  }
  return pattern;
}

std::string loopProblem(const MessageLoop &loop, const ASTContext &context) {
  const MessageCall &message = loop.message;
  if (loop.fromAny)
    return "it receives from any source";
  if (!loop.others.empty())
    return othersProblem(loop);
  const bool passesOn = message.sends || mentions(*message.buffer, *loop.variable);
  for (const Expr *expression : {message.count, message.datatype, message.tag, message.communicator,
                                 passesOn ? message.buffer : message.count})
    if (const VarDecl *local = loop.localIn(*expression))
      return local->getNameAsString() + " is another variable for each rank";
  for (const auto &[expression, name] :
       {std::pair(message.count, "count"), std::pair(message.datatype, "type"),
        std::pair(message.communicator, "communicator")})
    if (mentions(*expression, *loop.variable))
      return std::string("the ") + name + " changes from rank to rank";
  if (mentions(*message.tag, *loop.variable))
    return "the tags differ";
  if (message.status && mentions(*message.status, *loop.variable))
    return "each receive has a status of its own";
  const VarDecl *buffer = designatedVariable(*message.buffer);
  if (!message.sends && buffer && !isContainer(*buffer))
    for (const Expr *expression : {message.count, message.tag, loop.end})
      if (mentions(*expression, *buffer))
        return buffer->getNameAsString() + " determines how much of itself is received";
  if (mentions(*message.buffer, *loop.variable) &&
      !growsEvenly(*message.buffer, *loop.variable, context))
    return "the blocks are not evenly spaced";
  return "";
}

std::string differenceOf(const MessageCall &one, const MessageCall &other,
                         const ASTContext &context) {
  const MessageCall &receive = one.sends ? other : one;
  if (const auto tag = repeatedText(*receive.tag, context); tag && *tag == "MPI_ANY_TAG")
    return "it receives any tag";
  if (!areSame(*one.tag, *other.tag, context))
    return "the tags differ";
  if (!areSame(*one.communicator, *other.communicator, context))
    return "the communicators differ";
  if (!areSame(*one.datatype, *other.datatype, context))
    return "the types differ";
  return areSame(*one.count, *other.count, context) ? "" : "the counts differ";
}

bool waitsFor(const CallExpr &wait, const MessageCall &message) {
  const bool several = wait.getNumArgs() == 3; // MPI_Waitall
  const Expr *requests = wait.getArg(several ? 1 : 0);
  const VarDecl *variable = message.request ? designatedVariable(*message.request) : nullptr;
  return variable && designatedVariable(*requests) == variable;
}

std::string requestProblem(const MessageCall &message, const VarDecl *counter,
                           const FunctionDecl &function, std::vector<const Stmt *> users,
                           const std::vector<const CallExpr *> &waits, const ASTContext &context) {
  if (message.blocking)
    return "";
  const VarDecl *requests = designatedVariable(*message.request);
  if (!requests)
    return "its requests are not in a variable";
  const std::string name = requests->getNameAsString();
  if (!ownsItsMemory(*requests, function, context))
    return name + " is not a variable of the function alone";
  if (waits.empty())
    return "its requests are waited for elsewhere";
  users.insert(users.end(), waits.begin(), waits.end());
  if (isUsedOutside(*requests, function, users))
    return name + " is used elsewhere, too";
  if (counter && (!counter->hasLocalStorage() || isUsedOutside(*counter, function, users)))
    return counter->getNameAsString() + " is used elsewhere, too";
  for (const CallExpr *wait : waits) {
    const Expr &statuses = *wait->getArg(wait->getNumArgs() - 1);
    const VarDecl *variable = designatedVariable(statuses);
    if (!ignoresStatus(statuses, context) &&
        (!variable || !ownsItsMemory(*variable, function, context) ||
         isUsedOutside(*variable, function, users)))
      return "the statuses of its wait are used";
  }
  return "";
}

std::string boundsProblem(PatternSearch &search, const MessageLoop &loop, const Expr *root,
                          const Expr *rank, const FunctionDecl &function,
                          const std::vector<const Stmt *> &between) {
  const ASTContext &context = search.context;
  ValueSet values = valuesIn(*loop.first), changed;
  addValues(values, *loop.end);
  if (root)
    addValues(values, *root);
  ValueSet ranks;
  collectRanks(*function.getBody(), ranks);
  if (rank)
    ranks.insert(ownValue(*rank));
  const ValueSet workedOut = valuesWorkedOutFrom(ranks, *function.getBody());
  if (const std::string name = commonOf(values, workedOut, context); !name.empty())
    return name + " may differ between the ranks that need to know it";
  const ValueSet given = parametersGivenConditionally(function, ranks, context);
  if (const std::string name = commonOf(values, given, context); !name.empty())
    return name + " gets different values from different calls, and may differ from rank to rank";
  addValues(values, *loop.message.communicator);
  for (const Stmt *statement : between) {
    const ValueSet more = valuesChangedIn(*statement, context);
    changed.insert(more.begin(), more.end());
    collectDeclared(*statement, changed); // not visible elsewhere
  }
  if (const std::string name = commonOf(values, changed, context); !name.empty())
    return name + " is set where not all ranks come";
  if (!search.changedElsewhere)
    search.changedElsewhere = valuesOfFilesChangedConditionally(context);
  changed = valuesChangedConditionally(*function.getBody(), loop.loop, context);
  std::string name = commonOf(values, changed, context);
  if (name.empty())
    name = commonOf(values, *search.changedElsewhere, context);
  return name.empty() ? "" : name + " is set under a condition, and may differ from rank to rank";
}

CallWords::CallWords(const ASTContext &context, std::string word) : context(context) {
  guarded.word = std::move(word);
}

void CallWords::fail(const Expr &expression) {
  if (!firstProblem.empty())
    return;
  const auto text = repeatedText(expression, context);
  firstProblem = text ? "'" + *text + "' cannot be evaluated a second time"
                      : "a macro hides the arguments of its calls";
}

CallWords &CallWords::add(const std::string &text) {
  guarded.arguments.push_back(text);
  return *this;
}

CallWords &CallWords::add(const Expr &expression) {
  const auto text = repeatedText(expression, context);
  if (!text || !mayBeRepeated(expression, context))
    fail(expression);
  return add(text.value_or(""));
}

CallWords &CallWords::addBlocks(const Expr &pointer, const VarDecl &rank) {
  for (const unsigned number : {0u, 1u}) {
    const auto text = addressFor(pointer, rank, number, context);
    if (!text || !mayBeRepeated(pointer, context))
      fail(pointer);
    add(text.value_or(""));
  }
  return *this;
}

CallWords &CallWords::addBounds(const MessageLoop &loop) { return add(*loop.first).addEnd(loop); }

CallWords &CallWords::addEnd(const MessageLoop &loop) {
  add(*loop.end);
  if (loop.inclusive)
    guarded.arguments.back() = "(" + guarded.arguments.back() + ") + 1";
  return *this;
}

void CallWords::repeatChecks(const LeftOut &leftOut) {
  const std::string name = leftOut.calls.front()->getDirectCallee()->getNameAsString();
  std::string problem;
  if (llvm::any_of(leftOut.statements, [](const Stmt *one) { return isa<DeclStmt>(one); }))
    problem = "the result of " + name + " is kept in a new variable";
  const auto text = textWith(leftOut.result, leftOut.calls, leftOut.statements,
                             {guarded.file, guarded.begin, guarded.end}, context);
  if (!text && problem.empty())
    problem = "the use of the result of " + name + " cannot be written a second time";
  if (firstProblem.empty())
    firstProblem = problem;
  guarded.otherwise = text.value_or("");
}

GuardedStatements CallWords::inPlaceOf(const LeftOut &leftOut, const MessageLoop *loop) {
  const LoopText from = textOf(leftOut.statements.front(), context),
                 to = textOf(leftOut.statements.back(), context);
  const auto isHidden = [](const LoopText &text) {
    return !text.obstacle.empty() && !text.isMacroUse;
  };
  if (firstProblem.empty() &&
      (isHidden(from) || isHidden(to) || from.file != to.file || to.end <= from.begin))
    firstProblem = "a macro hides its calls";
  guarded.file = from.file;
  guarded.begin = from.begin;
  guarded.end = to.end;
  if (leftOut.usesResults) {
    if (firstProblem.empty())
      repeatChecks(leftOut);
    return guarded;
  }
  if (loop && !loop->declaresVariable) {
    const auto end = repeatedText(*loop->end, context);
    const std::string type = loop->variable->getType().getUnqualifiedType().getAsString();
    const std::string past = "(" + end.value_or("0") + ")" + (loop->inclusive ? " + 1" : "");
    guarded.otherwise =
        loop->variable->getNameAsString() + " = " +
        (context.hasSameUnqualifiedType(loop->variable->getType(), loop->end->getType()) ? past
         : context.getLangOpts().CPlusPlus ? "static_cast<" + type + ">(" + past + ")"
                                           : "(" + type + ")(" + past + ")") +
        ";";
  }
  return guarded;
}

} // namespace sendwright
