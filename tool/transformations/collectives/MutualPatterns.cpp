// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two loops over all ranks in one block, one that sends and one that receives: allgather, or
// all-to-all. Either both leave out the rank itself, or neither does. The operation runs in place
// of the second loop; the first loop, and what waits for requests, is skipped.

#include "tool/sites/RepeatedExpressions.h"
#include "tool/transformations/collectives/PatternPieces.h"

#include "clang/AST/Stmt.h"

namespace sendwright {

namespace {

using namespace clang;

class MutualPair {
public:
  MutualPair(PatternSearch &search, const FunctionDecl &function,
             std::vector<const Stmt *> statements, std::size_t first, std::size_t second,
             MessageLoop begins, MessageLoop ends)
      : search(search), context(search.context), function(function),
        statements(std::move(statements)), first(first), second(second), begins(std::move(begins)),
        ends(std::move(ends)), sending(this->begins.message.sends ? this->begins : this->ends),
        receiving(this->begins.message.sends ? this->ends : this->begins) {
    for (std::size_t number = second + 1; number < this->statements.size(); ++number)
      if (const CallExpr *wait = waitOf(this->statements[number], context);
          wait && (waitsForOne(*wait, this->begins) || waitsForOne(*wait, this->ends)))
        waits.push_back(number);
  }

  void judge() {
    const bool blocks = mentions(*sending.message.buffer, *sending.variable);
    CollectivePattern pattern =
        patternAt(search, blocks ? Collective::AllToAll : Collective::Allgather, *sending.loop,
                  {sending.message, receiving.message});
    std::string &problem = pattern.inSource.problem;
    for (const auto &test : {&MutualPair::loopsTest, &MutualPair::ranksTest,
                             &MutualPair::betweenTest, &MutualPair::requestsTest})
      if (problem.empty())
        problem = (this->*test)();
    pattern.inSource.own = !begins.excluded;
    if (problem.empty())
      write(pattern);
    search.taken.insert(begins.loop);
    search.taken.insert(ends.loop);
    search.found.push_back(std::move(pattern));
  }

private:
  PatternSearch &search;
  const ASTContext &context;
  const FunctionDecl &function;
  const std::vector<const Stmt *> statements; // of the block
  const std::size_t first, second;            // the loops among them
  const MessageLoop begins, ends;
  const MessageLoop &sending, &receiving;
  std::vector<std::size_t> waits; // among the statements

  static bool waitsForOne(const CallExpr &wait, const MessageLoop &loop) {
    return waitsFor(wait, loop.message);
  }

  std::string loopsTest() {
    for (const MessageLoop *loop : {&sending, &receiving})
      if (std::string problem = loopProblem(*loop, context); !problem.empty())
        return problem;
    if (!mentions(*receiving.message.buffer, *receiving.variable))
      return "all blocks are received into the same place";
    const MessageCall &sent = sending.message, &received = receiving.message;
    if (const auto tag = repeatedText(*received.tag, context); tag && *tag == "MPI_ANY_TAG")
      return "it receives any tag";
    if (!areSame(*sent.tag, *received.tag, context))
      return "the tags differ";
    return areSame(*sent.communicator, *received.communicator, context)
               ? ""
               : "the communicators differ";
  }

  std::string ranksTest() {
    Expr::EvalResult number;
    if (begins.first->EvaluateAsInt(number, context) && number.Val.getInt() > 0)
      return "rank 0 is skipped: the loop begins at " +
             std::to_string(number.Val.getInt().getExtValue());
    if (!areSame(*begins.first, *ends.first, context) ||
        !areSame(*begins.end, *ends.end, context) || begins.inclusive != ends.inclusive)
      return "the loops do not go over the same ranks";
    if (!begins.excluded != !ends.excluded ||
        (begins.excluded && !areSame(*begins.excluded, *ends.excluded, context)))
      return "the loops do not skip the same rank";
    return boundsProblem(search, begins, nullptr, begins.excluded, function, {});
  }

  /// The call's arguments must be the same where it stands as in the first loop.
  std::string betweenTest() {
    ValueSet used;
    const MessageCall &message = begins.message;
    for (const Expr *expression : {message.buffer, message.count, message.datatype, message.tag,
                                   message.communicator, begins.first, begins.end}) {
      const ValueSet more = valuesIn(*expression);
      used.insert(more.begin(), more.end());
    }
    used.erase(begins.variable);
    const std::size_t last = waits.empty() ? second : waits.back();
    for (std::size_t number = first + 1; number < last; ++number) {
      if (number == second)
        continue;
      const Stmt *statement = statements[number];
      if (checksResult(statement))
        continue;
      if (number < second && begins.message.blocking)
        return "something stands between the loops";
      if (number < second && mayCommunicate(search, *statement))
        return "MPI is called between the loops";
      for (const ValueDecl *value : valuesChangedIn(*statement, context))
        if (used.contains(value))
          return value->getNameAsString() + " is changed between the loops";
    }
    return "";
  }

  bool checksResult(const Stmt *statement) const {
    if (isCheckOf(statement, begins.message.result, context) ||
        isCheckOf(statement, ends.message.result, context))
      return true;
    return llvm::any_of(waits, [&](std::size_t number) {
      return isCheckOf(statement, waitIn(statements[number], context).result, context);
    });
  }

  std::string requestsTest() {
    for (const MessageLoop *loop : {&begins, &ends}) {
      std::vector<const CallExpr *> own;
      for (const std::size_t number : waits)
        if (const CallExpr *wait = waitOf(statements[number], context); waitsForOne(*wait, *loop))
          own.push_back(wait);
      if (std::string problem = requestProblem(loop->message, loop->counter, function,
                                               {begins.loop, ends.loop}, own, context);
          !problem.empty())
        return problem;
    }
    if (const Expr *status = receiving.message.status; status && !ignoresStatus(*status, context)) {
      const VarDecl *variable = designatedVariable(*status);
      if (!variable || !ownsItsMemory(*variable, function, context) ||
          isUsedOutside(*variable, function, {receiving.loop}))
        return "the status of its receives is used";
    }
    return "";
  }

  void write(CollectivePattern &pattern) const {
    const auto room = [&] {
      CallWords words(context, "sendwright_planned");
      words.add(*begins.message.communicator).addBounds(begins);
      return words;
    };
    const MessageCall &sent = sending.message, &received = receiving.message;
    const bool blocks = pattern.inSource.operation == Collective::AllToAll;
    const std::string word = blocks ? "sendwright_all_to_all" : "sendwright_allgather";
    CallWords words(context, pattern.inSource.own ? word + "_with_own" : word);
    if (blocks)
      words.addBlocks(*sent.buffer, *sending.variable);
    else
      words.add(*sent.buffer);
    words.add(*sent.count).add(*sent.datatype);
    words.addBlocks(*received.buffer, *receiving.variable);
    words.add(*received.count).add(*received.datatype).add(*received.tag);
    words.add(*received.communicator).addBounds(ends);

    std::string &problem = pattern.inSource.problem;
    std::vector<GuardedStatements> guarded;
    const auto take = [&](CallWords own, std::size_t number, const MessageLoop *loop) {
      LeftOut leftOut;
      if (loop)
        leftOut.add(statements[number], loop->message.call, loop->message.usesResult);
      else if (const CheckedCall wait = waitIn(statements[number], context); wait.call)
        leftOut.add(statements[number], wait.call, wait.usesResult);
      if (number == first) // nothing has been sent or received yet
        leftOut.result = "MPI_SUCCESS";
      guarded.push_back(own.inPlaceOf(leftOut, loop));
      if (problem.empty())
        problem = own.problem();
    };
    take(words, second, &ends);
    guarded.front().carriesOut = true;
    take(room(), first, &begins);
    for (const std::size_t number : waits)
      take(room(), number, nullptr);
    if (problem.empty())
      pattern.guarded = std::move(guarded);
  }
};

/// Whether two loops that leave out no rank may belong to an operation in which each rank also
/// takes its own part. Loops that do not begin with rank 0 do not.
bool mayGoOverAll(const MessageLoop &one, const MessageLoop &other, const ASTContext &context) {
  for (const MessageLoop *loop : {&one, &other}) {
    Expr::EvalResult first;
    if (loop->first->isValueDependent() || !loop->first->EvaluateAsInt(first, context) ||
        first.Val.getInt() != 0)
      return false;
  }
  return true;
}

} // namespace

void findMutual(PatternSearch &search, const FunctionDecl &function, const CompoundStmt &block) {
  const std::vector<const Stmt *> statements = statementsOf(&block);
  std::optional<MessageLoop> open;
  std::size_t first = 0;
  for (std::size_t number = 0; number < statements.size(); ++number) {
    std::optional<MessageLoop> loop = messageLoopOf(statements[number], search.context);
    if (!loop || search.taken.contains(loop->loop))
      continue;
    if (open && open->message.sends != loop->message.sends &&
        (open->excluded || loop->excluded || mayGoOverAll(*open, *loop, search.context))) {
      MutualPair(search, function, statements, first, number, std::move(*open), std::move(*loop))
          .judge();
      open.reset();
      continue;
    }
    open = std::move(loop);
    first = number;
  }
}

} // namespace sendwright
