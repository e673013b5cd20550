// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// if (rank == root) { for each other rank: send, or receive } else { receive from, or send to, the
// root }: broadcast, scatter, gather and reduction. The branches may hold several such pairs in
// sequence.

#include "tool/sites/RepeatedExpressions.h"
#include "tool/transformations/collectives/PatternPieces.h"
#include "tool/transformations/collectives/Reductions.h"

#include "clang/AST/Stmt.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace sendwright {

namespace {

using namespace clang;

/// rank == root, or !=. The calls show which operand is the root; a root that is not written is 0.
struct RankComparison {
  const Expr *left = nullptr, *right = nullptr;
  bool isEqual = false;
};

std::optional<RankComparison> comparisonIn(const Expr *condition) {
  condition = condition->IgnoreParenImpCasts();
  RankComparison found{condition, nullptr, false};
  if (const auto *operation = dyn_cast<BinaryOperator>(condition)) {
    if (!operation->isEqualityOp())
      return std::nullopt;
    found = {operation->getLHS()->IgnoreParenImpCasts(), operation->getRHS()->IgnoreParenImpCasts(),
             operation->getOpcode() == BO_EQ};
  } else if (const auto *negation = dyn_cast<UnaryOperator>(condition);
             negation && negation->getOpcode() == UO_LNot) {
    found = {negation->getSubExpr()->IgnoreParenImpCasts(), nullptr, true};
  }
  return found.left->getType()->isIntegerType() && !found.left->getType()->isBooleanType()
             ? std::optional(found)
             : std::nullopt;
}

/// One step of a branch that communicates with other ranks.
struct BranchStep {
  std::optional<MessageLoop> loop;
  std::optional<MessageCall> call;
  const Stmt *statement = nullptr;
  const CallExpr *wait = nullptr; ///< of a nonblocking message
  LeftOut leftOut;                ///< its statements, up to the wait
};

/// Searches behind a message, and the check of its result, for the message's wait. Returns the
/// number of the last statement that belongs to the step.
std::size_t findWait(PatternSearch &search, const std::vector<const Stmt *> &statements,
                     std::size_t number, const MessageCall &message, BranchStep &step) {
  std::size_t next = number + 1;
  while (next < statements.size() && isCheckOf(statements[next], message.result, search.context))
    ++next;
  const CheckedCall wait =
      next < statements.size() ? waitIn(statements[next], search.context) : CheckedCall();
  if (!wait.call || !waitsFor(*wait.call, message))
    return number;
  step.wait = wait.call;
  for (std::size_t check = number + 1; check < next; ++check)
    step.leftOut.statements.push_back(statements[check]);
  step.leftOut.add(statements[next], wait.call, wait.usesResult);
  return next;
}

/// The steps in which a branch communicates with other ranks, in order.
std::vector<BranchStep> stepsOf(PatternSearch &search,
                                const std::vector<const Stmt *> &statements) {
  std::vector<BranchStep> steps;
  const VarDecl *result = nullptr; // of the last call
  for (std::size_t number = 0; number < statements.size(); ++number) {
    BranchStep step;
    step.statement = statements[number];
    if (isCheckOf(step.statement, result, search.context))
      continue;
    step.loop = messageLoopOf(step.statement, search.context);
    if (!step.loop)
      step.call = messageOf(step.statement, search.context);
    if (!step.loop && !step.call && !mayCommunicate(search, *step.statement))
      continue;
    const MessageCall *message = step.loop   ? &step.loop->message
                                 : step.call ? &*step.call
                                             : nullptr;
    if (message) {
      step.leftOut.add(step.statement, message->call, message->usesResult);
      result = message->result;
      if (!message->blocking)
        number = findWait(search, statements, number, *message, step);
      if (step.wait)
        result = waitIn(statements[number], search.context).result;
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

/// Both branches, named by the ranks that run them.
struct Sides {
  RankComparison comparison;
  std::vector<const Stmt *> root, others;
  bool rootGoesOn = false, othersGoOn = false; ///< to the end of the block: the other side has left
};

bool endsByReturn(const std::vector<const Stmt *> &statements) {
  return !statements.empty() && isa<ReturnStmt>(statements.back());
}

std::optional<Sides> sidesOf(const IfStmt &branch, llvm::ArrayRef<const Stmt *> behind,
                             const ASTContext &context) {
  const auto comparison = comparisonIn(branch.getCond());
  if (!comparison || branch.hasInitStorage() || branch.hasVarStorage())
    return std::nullopt;
  const Stmt *second = branch.getElse();
  const auto *other = dyn_cast_or_null<IfStmt>(behind.empty() ? nullptr : behind.front());
  if (!second && other && !other->getElse()) {
    const auto opposite = comparisonIn(other->getCond());
    const auto same = [&](const Expr *one, const Expr *two) {
      return one && two ? areSame(*one, *two, context) : one == two;
    };
    if (opposite && opposite->isEqual != comparison->isEqual &&
        same(opposite->left, comparison->left) && same(opposite->right, comparison->right))
      second = other->getThen();
  }
  Sides sides{*comparison, statementsOf(branch.getThen()), statementsOf(second)};
  if (!second && endsByReturn(sides.root)) {
    sides.others = behind.vec();
    sides.othersGoOn = true;
  }
  if (!comparison->isEqual) {
    std::swap(sides.root, sides.others);
    std::swap(sides.rootGoesOn, sides.othersGoOn);
  }
  return sides;
}

/// The root's loop, and what the other ranks do at the same time.
class RootedPair {
public:
  RootedPair(PatternSearch &search, const FunctionDecl &function, const Sides &sides,
             const BranchStep &loop, const BranchStep *partner)
      : search(search), context(search.context), function(function), sides(sides), step(loop),
        loop(*loop.loop), partner(partner) {}

  /// `around`: a reason against the pattern that lies in the other steps of the branches, or "".
  void judge(const std::string &around) {
    const auto operation = recogniseOperation();
    if (!operation)
      return;
    std::vector<MessageCall> calls{loop.message};
    if (partner)
      calls.push_back(*partner->call);
    CollectivePattern pattern = patternAt(search, *operation, *loop.loop, calls);
    if (combination)
      pattern.inSource.reduction = combination->reduction;
    std::string &problem = pattern.inSource.problem;
    for (const auto &test : {&RootedPair::loopTest, &RootedPair::partnerTest,
                             &RootedPair::ranksTest, &RootedPair::requestsTest})
      if (problem.empty())
        problem = (this->*test)();
    if (problem.empty())
      problem = around;
    if (problem.empty())
      write(pattern);
    search.taken.insert(loop.loop);
    search.found.push_back(std::move(pattern));
  }

private:
  PatternSearch &search;
  const ASTContext &context;
  const FunctionDecl &function;
  const Sides &sides;
  const BranchStep &step;
  MessageLoop loop;
  const BranchStep *const partner;
  std::optional<Combination> combination;
  const Expr *root = nullptr; // null: an unwritten 0

  std::optional<Collective> recogniseOperation() {
    const bool blocks = mentions(*loop.message.buffer, *loop.variable);
    if (loop.message.sends)
      return blocks ? Collective::Scatter : Collective::Broadcast;
    combination = combinationOf(loop, function, search.reassociate, context);
    if (combination) {
      loop.others.clear();
      return Collective::Reduce;
    }
    return blocks ? std::optional(Collective::Gather) : std::nullopt;
  }

  std::string loopTest() {
    if (std::string problem = loopProblem(loop, context); !problem.empty())
      return problem;
    return combination ? combination->problem : "";
  }

  std::string partnerTest() {
    if (!partner)
      return std::string("the ranks that ") + (loop.message.sends ? "receive" : "send") +
             " do so elsewhere, not beside the loop";
    const Expr &peer = *partner->call->peer;
    const auto isPeer = [&](const Expr *expression) {
      return expression && areSame(*expression, peer, context);
    };
    Expr::EvalResult number;
    const bool isZero =
        !sides.comparison.right && peer.EvaluateAsInt(number, context) && number.Val.getInt() == 0;
    if (const auto text = repeatedText(peer, context); text && *text == "MPI_ANY_SOURCE")
      return "it receives from any source";
    root = isPeer(sides.comparison.right)  ? sides.comparison.right
           : isPeer(sides.comparison.left) ? sides.comparison.left
                                           : nullptr;
    if (!root && !isZero)
      return std::string("the other ranks ") + (loop.message.sends ? "receive from" : "send to") +
             " another rank than the loop's";
    return differenceOf(loop.message, *partner->call, context);
  }

  std::optional<std::int64_t> constantOf(const Expr *expression) const {
    Expr::EvalResult number;
    if (!expression)
      return 0;
    if (expression->isValueDependent() || !expression->EvaluateAsInt(number, context))
      return std::nullopt;
    return number.Val.getInt().getExtValue();
  }

  bool leavesOutRoot() const {
    const auto first = constantOf(loop.first), rootNumber = constantOf(root);
    if (first && rootNumber && *first > *rootNumber)
      return true;
    if (root && !loop.inclusive && areSame(*loop.end, *root, context))
      return true;
    if (!loop.excluded)
      return false;
    return areSame(*loop.excluded, *sides.comparison.left, context) ||
           (sides.comparison.right && areSame(*loop.excluded, *sides.comparison.right, context)) ||
           (!root && constantOf(loop.excluded) == 0);
  }

  /// Tests which ranks the loop goes over, and whether the other ranks know them.
  std::string ranksTest() {
    const auto first = constantOf(loop.first), rootNumber = constantOf(root);
    const std::int64_t lowest = rootNumber == 0 ? 1 : 0; // of the other ranks, as far as known
    if (first && *first > lowest && (rootNumber || *first > 1))
      return "rank " + std::to_string(lowest) + " is skipped: the loop begins at " +
             std::to_string(*first);
    std::vector<const Stmt *> between = sides.root;
    between.insert(between.end(), sides.others.begin(), sides.others.end());
    const Expr *rank =
        root == sides.comparison.left ? sides.comparison.right : sides.comparison.left;
    if (std::string problem = boundsProblem(search, loop, root, rank, function, between);
        !problem.empty())
      return problem;
    return leavesOutRoot()
               ? ""
               : std::string("the root ") + (loop.message.sends ? "sends to" : "receives from") +
                     " itself, too";
  }

  std::string requestsTest() {
    const auto waitsOf = [](const BranchStep &one) {
      return one.wait ? std::vector{one.wait} : std::vector<const CallExpr *>();
    };
    std::vector<const Stmt *> users{loop.loop};
    if (std::string problem =
            requestProblem(loop.message, loop.counter, function, users, waitsOf(step), context);
        !problem.empty())
      return problem;
    return requestProblem(*partner->call, nullptr, function, {partner->statement},
                          waitsOf(*partner), context);
  }

  void addEnds(CallWords &words, const MessageCall &message) const {
    words.add(*message.tag).add(*message.communicator).addBounds(loop);
  }

  void addRoot(CallWords &words) const {
    if (root)
      words.add(*root);
    else
      words.add("0");
  }

  void addStatus(CallWords &words, const MessageCall &message) const {
    if (message.status && !loop.localIn(*message.status))
      words.add(*message.status);
    else
      words.add("SENDWRIGHT_NO_STATUS");
  }

  /// The arguments of the call in front of one part of the pattern.
  CallWords wordsFor(Collective operation, const MessageCall &message, bool ofLoop) const {
    const char *names[][2] = {{"sendwright_broadcast", "sendwright_broadcast"},
                              {"sendwright_scatter_receive", "sendwright_scatter_send"},
                              {"sendwright_gather_receive", "sendwright_gather_send"},
                              {"sendwright_reduce_receive", "sendwright_reduce_send"}};
    const int row = operation == Collective::Broadcast ? 0
                    : operation == Collective::Scatter ? 1
                    : operation == Collective::Gather  ? 2
                                                       : 3;
    CallWords words(context, names[row][message.sends ? 1 : 0]);
    if (ofLoop && combination)
      words.add(combination->result);
    else if (ofLoop && operation != Collective::Broadcast)
      words.addBlocks(*message.buffer, *loop.variable);
    else
      words.add(*message.buffer);
    words.add(*message.count).add(*message.datatype);
    if (combination)
      words.add(wordFor(combination->reduction));
    addRoot(words);
    addEnds(words, message);
    if (!message.sends || operation == Collective::Broadcast)
      addStatus(words, message);
    return words;
  }

  /// "SENDWRIGHT_BITWISE_AND" for "bitwise and".
  static std::string wordFor(const std::string &reduction) {
    std::string word = "SENDWRIGHT_";
    for (const char character : reduction)
      word += character == ' ' ? '_' : llvm::toUpper(character);
    return word;
  }

  void write(CollectivePattern &pattern) const {
    const Collective operation = pattern.inSource.operation;
    CallWords atRoot = wordsFor(operation, loop.message, true),
              elsewhere = wordsFor(operation, *partner->call, false);
    GuardedStatements own = atRoot.inPlaceOf(step.leftOut, &loop),
                      peers = elsewhere.inPlaceOf(partner->leftOut, nullptr);
    if (combination && !combination->afterwards.empty())
      own.otherwise += (own.otherwise.empty() ? "" : " ") + combination->afterwards;
    own.carriesOut = peers.carriesOut = true;
    pattern.inSource.problem = atRoot.problem().empty() ? elsewhere.problem() : atRoot.problem();
    if (!pattern.inSource.problem.empty())
      return;
    pattern.guarded = {std::move(own), std::move(peers)};
    CallWords bounds(context, "");
    addRoot(bounds);
    pattern.boundsOfOthers = bounds.addBounds(loop).arguments();
  }
};

bool isPartner(const BranchStep &step, const MessageLoop &loop) {
  return step.call && step.call->sends != loop.message.sends;
}

/// Why the ranks do more than the pairs: "" where the steps of both sides pair up one by one.
std::string aroundOf(const std::vector<BranchStep> &root, const std::vector<BranchStep> &others) {
  bool paired = root.size() == others.size();
  for (std::size_t number = 0; paired && number < root.size(); ++number)
    paired = root[number].loop && isPartner(others[number], *root[number].loop);
  if (paired)
    return "";
  for (std::size_t number = 0; number + 1 < others.size(); ++number)
    for (std::size_t later = number + 1; later < others.size(); ++later) {
      const auto &received = others[number].call, &sent = others[later].call;
      const MessageCall *passing = sent                 ? &*sent
                                   : others[later].loop ? &others[later].loop->message
                                                        : nullptr;
      if (!received || received->sends || !passing || !passing->sends)
        continue;
      const VarDecl *variable = designatedVariable(*received->buffer);
      if (variable && designatedVariable(*passing->buffer) == variable && root.size() == 1)
        return "a receiver sends " + variable->getNameAsString() + " on";
    }
  return "the ranks exchange more than these messages";
}

/// Keeps the first steps, which answer the other side's, of a side that runs on to the end of the
/// block.
void keepSteps(std::size_t count, std::vector<BranchStep> &steps,
               std::vector<const Stmt *> &statements) {
  if (count < steps.size())
    steps.resize(count);
  const Stmt *last = steps.empty() ? nullptr
                     : steps.back().leftOut.statements.empty()
                         ? steps.back().statement
                         : steps.back().leftOut.statements.back();
  const auto end = std::find(statements.begin(), statements.end(), last);
  statements.erase(end == statements.end() ? statements.begin() : end + 1, statements.end());
}

} // namespace

void findRooted(PatternSearch &search, const FunctionDecl &function, const IfStmt &branch,
                llvm::ArrayRef<const Stmt *> behind) {
  auto sides = sidesOf(branch, behind, search.context);
  if (!sides || sides->root.empty())
    return;
  std::vector<BranchStep> root = stepsOf(search, sides->root),
                          others = stepsOf(search, sides->others);
  if (sides->rootGoesOn)
    keepSteps(others.size(), root, sides->root);
  if (sides->othersGoOn)
    keepSteps(root.size(), others, sides->others);
  const auto isOpenLoop = [&](const BranchStep &step) {
    return step.loop && !search.taken.contains(step.loop->loop);
  };
  if (std::none_of(root.begin(), root.end(), isOpenLoop))
    return;
  const std::string around = aroundOf(root, others);
  std::size_t nextPartner = 0;
  for (const BranchStep &step : root) {
    if (!isOpenLoop(step))
      continue;
    const BranchStep *partner = nullptr;
    for (std::size_t number = nextPartner; number < others.size() && !partner; ++number)
      if (isPartner(others[number], *step.loop)) {
        partner = &others[number];
        nextPartner = number + 1;
      }
    if (!partner && step.loop->excluded &&
        !areSame(*step.loop->excluded, *sides->comparison.left, search.context))
      continue; // one of two loops that all ranks run
    RootedPair(search, function, *sides, step, partner).judge(around);
  }
}

} // namespace sendwright
