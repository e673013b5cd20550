// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops in which each rank exchanges with one other rank in each step, by MPI_Sendrecv: all-to-all
// by pairwise exchange, or allgather where all ranks get the same block. The range of steps also
// says whether a rank exchanges with itself, in step 0.

#include "tool/sites/PairwiseLoops.h"
#include "tool/sites/RepeatedExpressions.h"
#include "tool/transformations/collectives/PatternPieces.h"

#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLExtras.h"

namespace sendwright {

namespace {

using namespace clang;

class PairwiseExchange {
public:
  PairwiseExchange(PatternSearch &search, const FunctionDecl &function, PairwiseLoop loop)
      : search(search), context(search.context), function(function), loop(std::move(loop)) {
    Expr::EvalResult number;
    if (this->loop.head.first->EvaluateAsInt(number, context))
      firstStep = number.Val.getInt().getExtValue();
  }

  void judge() {
    CollectivePattern pattern = patternAt(
        search, goesByStep(*loop.sent.buffer) ? Collective::AllToAll : Collective::Allgather,
        *loop.head.loop, {loop.sent, loop.received});
    std::string &problem = pattern.inSource.problem;
    for (const auto &test : {&PairwiseExchange::bodyTest, &PairwiseExchange::partnersTest,
                             &PairwiseExchange::stepsTest, &PairwiseExchange::argumentsTest,
                             &PairwiseExchange::blocksTest, &PairwiseExchange::statusTest})
      if (problem.empty())
        problem = (this->*test)();
    pattern.inSource.own = firstStep == 0;
    if (problem.empty())
      write(pattern);
    search.taken.insert(loop.head.loop);
    search.found.push_back(std::move(pattern));
  }

private:
  PatternSearch &search;
  const ASTContext &context;
  const FunctionDecl &function;
  const PairwiseLoop loop;
  std::optional<long long> firstStep;

  /// The first variable in the expression whose value changes from step to step, or null.
  const VarDecl *changingIn(const Expr &expression, const VarDecl *allowed = nullptr) const {
    if (mentions(expression, *loop.head.variable))
      return loop.head.variable;
    for (const auto &variables : {loop.set, loop.head.locals})
      for (const VarDecl *variable : variables)
        if (variable != allowed && mentions(expression, *variable))
          return variable;
    return nullptr;
  }
  bool goesByStep(const Expr &expression) const { return changingIn(expression) != nullptr; }

  std::string bodyTest() {
    return loop.head.others.empty() ? "" : "the loop does more than exchange";
  }

  std::string partnersTest() {
    const StepPartner &to = loop.to;
    if (const auto source = repeatedText(*loop.received.peer, context);
        source && *source == "MPI_ANY_SOURCE")
      return "it receives from any source";
    const std::string differ =
        "in some step a rank does not receive from the rank that sends to it";
    if (!loop.from)
      return differ;
    const StepPartner &from = *loop.from;
    if (!areSame(*to.rank, *from.rank, context))
      return differ;
    const bool opposite = to.form == PartnerForm::Opposite
                              ? from.form == PartnerForm::Opposite
                              : from.form != PartnerForm::Opposite && from.form != to.form;
    if (!opposite)
      return differ;
    if (to.modulus && !areSame(*to.modulus, *from.modulus, context))
      return differ;
    return "";
  }

  /// `i < modulus`, or `i <= modulus - 1`.
  bool endsAt(const Expr &modulus) const {
    if (!loop.head.inclusive)
      return areSame(*loop.head.end, modulus, context);
    const auto *last = dyn_cast<BinaryOperator>(loop.head.end->IgnoreParenImpCasts());
    Expr::EvalResult one;
    return last && last->getOpcode() == BO_Sub && areSame(*last->getLHS(), modulus, context) &&
           last->getRHS()->EvaluateAsInt(one, context) && one.Val.getInt() == 1;
  }

  std::string stepsTest() {
    if (!firstStep)
      return "the first step of the loop is not known";
    if (*firstStep != 0 && *firstStep != 1)
      return "steps are skipped: the loop begins at " + std::to_string(*firstStep);
    if (loop.to.modulus && !endsAt(*loop.to.modulus)) {
      const auto end = repeatedText(*loop.head.end, context),
                 modulus = repeatedText(*loop.to.modulus, context);
      return "there are " + modulus.value_or("other") + " ranks, and its steps end " +
             (loop.head.inclusive ? "with " : "before ") + end.value_or("elsewhere");
    }
    return boundsProblem(search, loop.head, nullptr, loop.to.rank, function, {});
  }

  std::string argumentsTest() {
    if (std::string problem = differenceOf(loop.sent, loop.received, context); !problem.empty())
      return problem;
    for (const auto &[expression, name] :
         {std::pair(loop.sent.count, "count"), std::pair(loop.sent.datatype, "type"),
          std::pair(loop.sent.communicator, "communicator")})
      if (goesByStep(*expression))
        return std::string("the ") + name + " changes from step to step";
    // The tags of both sides may change from step to step.
    if (changingIn(*loop.sent.tag, loop.head.variable) &&
        !mentions(*loop.sent.tag, *loop.head.variable))
      return "the tags differ";
    const VarDecl *buffer = designatedVariable(*loop.received.buffer);
    if (buffer && !buffer->getType()->isRecordType() && !buffer->getType()->isReferenceType())
      for (const Expr *expression : {loop.sent.count, loop.sent.tag, loop.head.end})
        if (mentions(*expression, *buffer))
          return buffer->getNameAsString() + " determines how much of itself is received";
    return "";
  }

  /// Tests, for each side, the block of the rank that it belongs to.
  std::string blocksTest() {
    const bool sendsBlocks = goesByStep(*loop.sent.buffer);
    for (const bool received : {false, true}) {
      const Expr &buffer = *(received ? loop.received : loop.sent).buffer;
      const VarDecl *rank = received ? loop.from->variable : loop.to.variable;
      if (!received && !sendsBlocks)
        continue;
      if (!goesByStep(buffer))
        return "all blocks are received into the same place";
      if (!rank || changingIn(buffer, rank) || !mentions(buffer, *rank))
        return received
                   ? "the address of a received block is not computed from its sender's rank alone"
                   : "the address of a sent block is not computed from its receiver's rank alone";
      if (!growsEvenly(buffer, *rank, context))
        return "the blocks are not evenly spaced";
    }
    const VarDecl *sent = designatedVariable(*loop.sent.buffer);
    if (sendsBlocks && sent && sent == designatedVariable(*loop.received.buffer))
      return "it receives into the memory that it sends";
    return "";
  }

  std::string statusTest() {
    const Expr &status = *loop.received.status;
    if (ignoresStatus(status, context))
      return "";
    const VarDecl *variable = designatedVariable(status);
    return variable && ownsItsMemory(*variable, function, context) &&
                   !isUsedOutside(*variable, function, {loop.head.loop})
               ? ""
               : "the status of its receives is used";
  }

  void write(CollectivePattern &pattern) const {
    const bool blocks = pattern.inSource.operation == Collective::AllToAll;
    CallWords words(context, std::string("sendwright_pairwise_") +
                                 (blocks ? "all_to_all" : "allgather") +
                                 (pattern.inSource.own ? "_with_own" : ""));
    if (blocks)
      words.addBlocks(*loop.sent.buffer, *loop.to.variable);
    else
      words.add(*loop.sent.buffer);
    words.add(*loop.sent.count).add(*loop.sent.datatype);
    words.addBlocks(*loop.received.buffer, *loop.from->variable);
    words.add(*loop.received.count).add(*loop.received.datatype);
    if (goesByStep(*loop.received.tag))
      words.add("0"); // nobody sees which rank
    else
      words.add(*loop.received.tag);
    words.add(*loop.received.communicator).add("0").addEnd(loop.head);

    LeftOut leftOut;
    leftOut.add(loop.head.loop, loop.sent.call, loop.sent.usesResult);
    // Where other code reads the partners of the last step, all steps run, without the exchange.
    for (const VarDecl *variable : loop.set)
      leftOut.usesResults |= !llvm::is_contained(loop.declared, variable) &&
                             isUsedOutside(*variable, function, {loop.head.loop});
    for (auto variable = loop.declared.rbegin(); variable != loop.declared.rend(); ++variable)
      leftOut.result = "(void)" + (*variable)->getNameAsString() + ", " + leftOut.result;
    if (!loop.declared.empty())
      leftOut.result = "(" + leftOut.result + ")";
    pattern.guarded = {words.inPlaceOf(leftOut, &loop.head)};
    pattern.guarded.front().carriesOut = true;
    pattern.inSource.problem = words.problem();
    if (!pattern.inSource.problem.empty())
      pattern.guarded.clear();
  }
};

} // namespace

void findExchanges(PatternSearch &search, const FunctionDecl &function, const ForStmt &statement) {
  if (search.taken.contains(&statement))
    return;
  if (std::optional<PairwiseLoop> loop = pairwiseLoopOf(&statement, search.context))
    PairwiseExchange(search, function, std::move(*loop)).judge();
}

} // namespace sendwright
