// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/transformations/completion/WaitMotion.h"

#include "tool/legality/LibraryFunctions.h"
#include "tool/legality/Stores.h"
#include "tool/sites/Surroundings.h"
#include "tool/transformations/completion/NamedMemory.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/ParentMapContext.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace clang;

namespace sendwright {

namespace {

using Values = llvm::SmallPtrSet<const ValueDecl *, 8>;

/// "&request", where a request may be a pointer in MPI's eyes.
bool isAddressOfName(const Expr &argument) {
  const auto *address = dyn_cast<UnaryOperator>(argument.IgnoreParenCasts());
  return address && address->getOpcode() == UO_AddrOf &&
         isa<DeclRefExpr>(address->getSubExpr()->IgnoreParens());
}

/// What the messages of a wait use.
struct WaitedFor {
  const VarDecl *requests = nullptr;
  Values sent, received;
  Values arguments; ///< of the wait: they must not change before it
  std::vector<std::pair<const ValueDecl *, const CallExpr *>>
      begun; ///< buffers, and what uses them
  std::string obstacle;
};

/// Variables and members of this object.
void collectValues(const Stmt &code, Values &values,
                   llvm::SmallPtrSetImpl<const DeclRefExpr *> *names = nullptr) {
  if (const auto *member = dyn_cast<MemberExpr>(&code))
    values.insert(member->getMemberDecl());
  if (const auto *name = dyn_cast<DeclRefExpr>(&code)) {
    if (const auto *variable = dyn_cast<VarDecl>(name->getDecl()))
      values.insert(variable);
    if (names)
      names->insert(name);
  }
  forEachChild(&code, [&](const Stmt *child) { collectValues(*child, values, names); });
}

std::string lineOf(const Stmt &statement, const ASTContext &context) {
  return "line " +
         std::to_string(context.getSourceManager().getPresumedLineNumber(statement.getBeginLoc()));
}

class WaitReader {
public:
  WaitReader(const NamedMemory &uses, ASTContext &context) : uses(uses), context(context) {}

  WaitedFor read(const CallExpr &wait, const MpiFunction &function) {
    for (const Expr *argument : wait.arguments())
      collectValues(*argument, found.arguments);
    const Expr *status = wait.getArg(wait.getNumArgs() - 1)->IgnoreParenCasts();
    if (!isa<IntegerLiteral, GNUNullExpr, CXXNullPtrLiteralExpr>(status))
      return refused("it returns a status");
    const Expr &argument = *wait.getArg(static_cast<unsigned>(function.request));
    found.requests = dyn_cast_or_null<VarDecl>(uses.rootOf(&argument));
    if (!found.requests || !found.requests->hasLocalStorage() || isa<ParmVarDecl>(found.requests) ||
        found.requests->getType()->isReferenceType() ||
        !(isAddressOfName(argument) || uses.isName(*found.requests)))
      return refused("its requests are not in a local variable");
    if (!beginsWithoutMessages(*found.requests))
      return refused("its requests begin with the values of others");
    for (const CallExpr *call : uses.calls)
      readCall(*call);
    const auto all = uses.names.find(found.requests);
    if (found.obstacle.empty() && all != uses.names.end())
      for (const DeclRefExpr *name : all->second)
        if (!known.contains(name) && !uses.isSized(*name))
          return refused(lineOf(*name, context) +
                         " uses its requests otherwise than in a call of MPI");
    if (found.obstacle.empty() && found.begun.empty())
      return refused("no call in the function begins its messages");
    return found;
  }

private:
  WaitedFor refused(const std::string &why) {
    found.obstacle = why;
    return found;
  }

  /// Whether a variable is declared without requests, or with what MPI itself declares.
  bool beginsWithoutMessages(const VarDecl &variable) const {
    const Expr *value = variable.getInit();
    if (!value)
      return true;
    if (const auto *made = dyn_cast<CXXConstructExpr>(value->IgnoreImplicit()))
      return made->getNumArgs() == 0 ||
             (made->getArg(0)->getType()->isIntegerType() &&
              llvm::all_of(llvm::drop_begin(made->arguments()),
                           [&](const Expr *one) { return namesOnlyMpi(*one); }));
    return namesOnlyMpi(*value);
  }

  bool namesOnlyMpi(const Expr &value) const {
    Values named;
    collectValues(value, named);
    return !isa<CallExpr>(value.IgnoreParenCasts()) &&
           llvm::all_of(named,
                        [&](const ValueDecl *one) { return isDeclaredByMpi(*one, context); });
  }

  void readCall(const CallExpr &call) {
    const FunctionDecl *callee = call.getDirectCallee();
    const KnownFunction function = callee ? classifyFunction(*callee, context) : KnownFunction();
    if (function.kind != KnownFunction::Mpi || !function.mpi || function.mpi->request < 0 ||
        static_cast<unsigned>(function.mpi->request) >= call.getNumArgs())
      return;
    const Expr &argument = *call.getArg(static_cast<unsigned>(function.mpi->request));
    Values named;
    collectValues(argument, named);
    if (!named.contains(found.requests))
      return;
    collectValues(argument, named, &known);
    const bool sends = isSend(function.mpi->role);
    if (sends || function.mpi->role == MpiRole::NonblockingReceive)
      addBuffer(call, *function.mpi, sends ? found.sent : found.received);
    else if (function.mpi->role != MpiRole::Completion)
      found.obstacle = lineOf(call, context) + " makes a request of another kind";
  }

  void addBuffer(const CallExpr &call, const MpiFunction &function, Values &buffers) {
    const ValueDecl *buffer = uses.rootOf(call.getArg(static_cast<unsigned>(function.buffer)));
    if (!buffer || !uses.isName(*buffer) ||
        !isPredefinedDatatype(*call.getArg(static_cast<unsigned>(function.datatype))))
      found.obstacle = lineOf(call, context) + " may use memory that other pointers lead to";
    else {
      buffers.insert(buffer);
      found.begun.emplace_back(buffer, &call);
    }
  }

  const NamedMemory &uses;
  ASTContext &context;
  WaitedFor found;
  llvm::SmallPtrSet<const DeclRefExpr *, 16> known; // of the requests, in calls of MPI
};

/// Reads statements that a wait may pass. Each problem is the end of a sentence about the
/// statement.
class PassedStatements {
public:
  PassedStatements(const NamedMemory &uses, const WaitedFor &waited, ASTContext &context)
      : uses(uses), waited(waited), context(context) {}

  std::optional<std::string> problemOf(const Stmt &code) const {
    if (const auto *loop = dyn_cast<CXXForRangeStmt>(&code))
      return problemOfLoop(*loop);
    if (auto problem = ownProblemOf(code))
      return problem;
    std::optional<std::string> problem;
    const auto *call = dyn_cast<CallExpr>(&code);
    forEachChild(&code, [&](const Stmt *child) {
      if (!problem && child && !(call && child == call->getCallee()))
        problem = problemOf(*child);
    });
    return problem;
  }

private:
  std::optional<std::string> ownProblemOf(const Stmt &code) const {
    if (isa<NullStmt, CompoundStmt, ForStmt, WhileStmt, DoStmt, IfStmt, ParenExpr, IntegerLiteral,
            FloatingLiteral, CharacterLiteral, CXXBoolLiteralExpr, ConstantExpr,
            ConditionalOperator, ArraySubscriptExpr, UnaryExprOrTypeTraitExpr, InitListExpr,
            CXXThisExpr>(code))
      return {};
    if (const auto *declaration = dyn_cast<DeclStmt>(&code))
      return problemOfDeclaration(*declaration);
    if (const auto *name = dyn_cast<DeclRefExpr>(&code))
      return problemOfName(*name);
    if (const auto *cast = dyn_cast<CastExpr>(&code))
      return problemOfCast(*cast);
    if (const auto *operation = dyn_cast<UnaryOperator>(&code)) {
      if (operation->getOpcode() == UO_AddrOf)
        return "takes an address";
      return operation->isIncrementDecrementOp() ? problemOfStore(*operation->getSubExpr())
                                                 : std::nullopt;
    }
    if (const auto *operation = dyn_cast<BinaryOperator>(&code))
      return operation->isAssignmentOp() ? problemOfStore(*operation->getLHS()) : std::nullopt;
    if (const auto *member = dyn_cast<MemberExpr>(&code))
      return problemOfMember(*member);
    if (const auto *call = dyn_cast<CallExpr>(&code))
      return problemOfCall(*call);
    return "does more than compute";
  }

  /// A loop over the elements of a container or array.
  std::optional<std::string> problemOfLoop(const CXXForRangeStmt &loop) const {
    const VarDecl &variable = *loop.getLoopVariable();
    const ValueDecl *element = uses.rootOfElement(variable);
    const ValueDecl *range = uses.rootOf(loop.getRangeInit());
    if (!range || (!element && !isNumber(variable)) || loop.getInit())
      return "does more than compute";
    if (hidesArgument(variable))
      return "declares another " + quoted(variable);
    if (auto problem = problemOfValue(*range))
      return problem;
    return problemOf(*loop.getBody());
  }

  bool isNumber(const VarDecl &variable) const {
    return variable.hasLocalStorage() && isPlain(variable.getType()) &&
           context.getBaseElementType(variable.getType())->isArithmeticType() &&
           !variable.getType()->isVariablyModifiedType();
  }

  bool hidesArgument(const VarDecl &variable) const {
    return llvm::any_of(waited.arguments, [&](const ValueDecl *argument) {
      return argument->getIdentifier() == variable.getIdentifier();
    });
  }

  std::optional<std::string> problemOfDeclaration(const DeclStmt &statement) const {
    for (const Decl *one : statement.decls()) {
      const auto *variable = dyn_cast<VarDecl>(one);
      if (!variable || !isNumber(*variable))
        return "declares more than numbers";
      if (hidesArgument(*variable))
        return "declares another " + quoted(*variable);
    }
    return {};
  }

  std::optional<std::string> problemOfName(const DeclRefExpr &name) const {
    const auto *variable = dyn_cast<VarDecl>(name.getDecl());
    if (!variable)
      return isa<EnumConstantDecl>(name.getDecl()) ? std::nullopt
                                                   : std::optional<std::string>("names a function");
    const ValueDecl *element = uses.rootOfElement(*variable);
    return problemOfValue(element ? *element : *variable);
  }

  std::optional<std::string> problemOfMember(const MemberExpr &member) const {
    if (!isa<CXXThisExpr>(member.getBase()->IgnoreParenImpCasts()))
      return member.isArrow() ? std::optional<std::string>("follows a pointer") : std::nullopt;
    return isa<FieldDecl>(member.getMemberDecl()) ? problemOfValue(*member.getMemberDecl())
                                                  : std::optional<std::string>("names a function");
  }

  std::optional<std::string> problemOfValue(const ValueDecl &value) const {
    if (&value == waited.requests)
      return "uses its requests";
    if (waited.received.contains(&value))
      return "uses " + quoted(value) + ", which it receives";
    if (!uses.isName(value))
      return "uses " + quoted(value) + ", which may lead to what it completes";
    return {};
  }

  /// A pointer that is read from memory may lead anywhere.
  static std::optional<std::string> problemOfCast(const CastExpr &cast) {
    switch (cast.getCastKind()) {
    case CK_LValueToRValue:
      if (cast.getType()->isPointerType() && !isa<DeclRefExpr>(cast.getSubExpr()->IgnoreParens()))
        return "follows a pointer";
      return {};
    case CK_NoOp:
    case CK_ArrayToPointerDecay:
    case CK_IntegralCast:
    case CK_IntegralToBoolean:
    case CK_IntegralToFloating:
    case CK_FloatingToIntegral:
    case CK_FloatingToBoolean:
    case CK_FloatingCast:
    case CK_BooleanToSignedIntegral:
    case CK_ToVoid:
      return {};
    default:
      return "converts a pointer";
    }
  }

  std::optional<std::string> problemOfStore(const Expr &target) const {
    const ValueDecl *variable = uses.rootOf(&target);
    if (!variable || target.getType()->isPointerType() || !isPlain(target.getType()))
      return "changes a pointer";
    if (waited.sent.contains(variable))
      return "changes " + quoted(*variable) + ", which it sends";
    if (waited.arguments.contains(variable))
      return "changes " + quoted(*variable) + ", which it needs";
    return {};
  }

  std::optional<std::string> problemOfCall(const CallExpr &call) const {
    if (const Expr *container = containerOf(call))
      return isa<CXXMemberCallExpr>(call) ? problemOf(*container) : std::nullopt;
    const FunctionDecl *callee = call.getDirectCallee();
    const KnownFunction known = callee ? classifyFunction(*callee, context) : KnownFunction();
    const bool returns =
        known.kind == KnownFunction::Library &&
        (known.effect == LibraryEffect::Pure || known.effect == LibraryEffect::Returns);
    if (callee && returns && !isa<CXXMethodDecl>(callee) && !callee->isVariadic() &&
        call.getType()->isArithmeticType() &&
        llvm::all_of(call.arguments(),
                     [](const Expr *argument) { return argument->getType()->isArithmeticType(); }))
      return {};
    return "calls " + (callee ? "'" + callee->getNameAsString() + "'" : "a function");
  }

  const NamedMemory &uses;
  const WaitedFor &waited;
  ASTContext &context;
};

/// Why the elements of a buffer may have got another name between the call that begins its message
/// and the wait; "" if they have not.
std::string whyBuffersMayMove(const NamedMemory &uses, const WaitedFor &waited,
                              const CompoundStmt &block, const CallExpr &wait,
                              const ASTContext &context) {
  const std::vector<Stmt *> before(block.body_begin(), llvm::find(block.body(), &wait));
  const auto all = llvm::ArrayRef<Stmt *>(before);
  for (const auto &[buffer, call] : waited.begun) {
    const auto from = llvm::find_if(
        before, [&, begun = call](const Stmt *statement) { return contains(*statement, begun); });
    const Stmt *line = call;
    std::string problem = uses.whyMemoryMayMove(
        *buffer, all.drop_front(static_cast<std::size_t>(from - before.begin())), &line);
    if (problem.empty() && from == before.end() && uses.mayMoveAtAll(*buffer))
      problem = "begins a message in another block than the wait's";
    if (!problem.empty())
      return lineOf(*line, context) + " " + problem;
  }
  return "";
}

/// The statement whose end is the end of the text.
const Stmt *lastPart(const Stmt *statement) {
  for (;;)
    if (const auto *loop = dyn_cast<ForStmt>(statement))
      statement = loop->getBody();
    else if (const auto *loop = dyn_cast<WhileStmt>(statement))
      statement = loop->getBody();
    else if (const auto *branch = dyn_cast<IfStmt>(statement))
      statement = branch->getElse() ? branch->getElse() : branch->getThen();
    else
      return statement;
}

/// Offset behind the statement and its semicolon; nothing if a macro ends it.
std::optional<unsigned> endOf(const Stmt &statement, FileID file, const ASTContext &context) {
  const SourceManager &sources = context.getSourceManager();
  const Stmt &last = *lastPart(&statement);
  const SourceLocation end = sources.getExpansionRange(last.getEndLoc()).getEnd();
  const SourceLocation behind = Lexer::getLocForEndOfToken(end, 0, sources, context.getLangOpts());
  if (behind.isInvalid() || sources.getFileID(behind) != file)
    return {};
  if (isa<CompoundStmt, DeclStmt, NullStmt>(last))
    return sources.getFileOffset(behind);
  const auto next = Lexer::findNextToken(end, sources, context.getLangOpts());
  if (!next || !next->is(tok::semi) || sources.getFileID(next->getLocation()) != file)
    return {};
  return sources.getFileOffset(next->getLocation()) + 1;
}

const FunctionDecl *functionAround(const Stmt &statement, ASTContext &context) {
  DynTypedNode node = DynTypedNode::create(statement);
  for (;;) {
    const DynTypedNodeList parents = context.getParents(node);
    if (parents.size() != 1 || parents[0].get<LambdaExpr>())
      return nullptr;
    node = parents[0];
    if (const auto *function = node.get<FunctionDecl>())
      return function;
  }
}

} // namespace

WaitMotion findMotion(const CallExpr &wait, ASTContext &context) {
  WaitMotion motion;
  const SourceManager &sources = context.getSourceManager();
  const DynTypedNodeList parents = context.getParents(wait);
  const auto *block = parents.size() == 1 ? parents[0].get<CompoundStmt>() : nullptr;
  const FunctionDecl *function = functionAround(wait, context);
  const FileID file = sources.getFileID(wait.getBeginLoc());
  const std::optional<unsigned> end =
      wait.getBeginLoc().isFileID() ? endOf(wait, file, context) : std::nullopt;
  const bool isValue = block && context.getParents(*block).size() == 1 &&
                       context.getParents(*block)[0].get<StmtExpr>(); // of the last statement
  if (!block || isValue || !function || !end) {
    motion.obstacle = "it is not a statement of its own";
    return motion;
  }
  motion.begin = sources.getFileOffset(wait.getBeginLoc());
  motion.end = motion.behind = *end;
  const NamedMemory uses(*function, context);
  const KnownFunction known = classifyFunction(*wait.getDirectCallee(), context);
  const WaitedFor waited = WaitReader(uses, context).read(wait, *known.mpi);
  motion.obstacle = waited.obstacle;
  if (motion.obstacle.empty())
    motion.obstacle = whyBuffersMayMove(uses, waited, *block, wait, context);
  if (!motion.obstacle.empty())
    return motion;
  const PassedStatements passed(uses, waited, context);
  for (auto next = std::next(llvm::find(block->body(), &wait)); next != block->body_end(); ++next) {
    const std::optional<unsigned> nextEnd = endOf(**next, file, context);
    std::optional<std::string> problem = passed.problemOf(**next);
    if (!problem && (!nextEnd || !(*next)->getBeginLoc().isFileID()))
      problem = "begins or ends in a macro";
    if (problem) {
      motion.obstacle = lineOf(**next, context) + " " + *problem;
      break;
    }
    motion.behind = *nextEnd;
    ++motion.statements;
  }
  return motion;
}

} // namespace sendwright
