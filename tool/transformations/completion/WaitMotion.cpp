// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/transformations/completion/WaitMotion.h"

#include "tool/legality/LibraryFunctions.h"
#include "tool/legality/Stores.h"
#include "tool/sites/Surroundings.h"
#include "tool/sites/VariableUses.h"

#include "clang/AST/ParentMapContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <optional>
#include <string>
#include <vector>

using namespace clang;

namespace sendwright {

namespace {

using Variables = llvm::SmallPtrSet<const VarDecl *, 8>;

/// The variable in whose memory an lvalue lies, or into which a pointer value points; null if a
/// pointer in memory leads there.
const VarDecl *rootOf(const Expr *expression) {
  for (;;) {
    expression = expression->IgnoreParens();
    if (const auto *name = dyn_cast<DeclRefExpr>(expression))
      return dyn_cast<VarDecl>(name->getDecl());
    if (const auto *cast = dyn_cast<CastExpr>(expression)) {
      if (cast->getCastKind() == CK_LValueToRValue &&
          !isa<DeclRefExpr>(cast->getSubExpr()->IgnoreParens()))
        return nullptr;
      expression = cast->getSubExpr();
    } else if (const auto *element = dyn_cast<ArraySubscriptExpr>(expression)) {
      expression = element->getBase();
    } else if (const auto *operation = dyn_cast<UnaryOperator>(expression);
               operation &&
               (operation->getOpcode() == UO_AddrOf || operation->getOpcode() == UO_Deref)) {
      expression = operation->getSubExpr();
    } else if (const auto *sum = dyn_cast<BinaryOperator>(expression); sum && sum->isAdditiveOp()) {
      expression = sum->getLHS()->getType()->isPointerType() ? sum->getLHS() : sum->getRHS();
    } else if (const auto *member = dyn_cast<MemberExpr>(expression);
               member && !member->isArrow()) {
      expression = member->getBase();
    } else {
      return nullptr;
    }
  }
}

/// "&request", where a request may be a pointer in MPI's eyes.
bool isAddressOfName(const Expr &argument) {
  const auto *address = dyn_cast<UnaryOperator>(argument.IgnoreParenCasts());
  return address && address->getOpcode() == UO_AddrOf &&
         isa<DeclRefExpr>(address->getSubExpr()->IgnoreParens());
}

std::string quoted(const VarDecl &variable) { return "'" + variable.getNameAsString() + "'"; }

bool isPlain(QualType type) {
  return !type.isVolatileQualified() && !type->isAtomicType() && !type->isReferenceType();
}

/// What a function does with variables, from one walk over its body.
class FunctionUses : public RecursiveASTVisitor<FunctionUses> {
public:
  FunctionUses(const FunctionDecl &definition, const ASTContext &ast)
      : function(definition), context(ast) {
    TraverseStmt(definition.getBody());
  }

  bool VisitCallExpr(CallExpr *call) {
    calls.push_back(call);
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *name) {
    if (const auto *variable = dyn_cast<VarDecl>(name->getDecl()))
      names[variable].push_back(name);
    return true;
  }
  bool VisitCastExpr(CastExpr *cast) {
    if (cast->getCastKind() == CK_LValueToRValue)
      settled.insert(cast->getSubExpr()->IgnoreParens());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *operation) {
    if (operation->getOpcode() == BO_Assign)
      settled.insert(operation->getLHS()->IgnoreParens());
    return true;
  }

  /// Whether the variable is memory that no other named memory shares.
  bool isNamedMemory(const VarDecl &variable) const {
    if (!isPlain(variable.getType()))
      return false;
    if (!variable.getType()->isPointerType())
      return true;
    const auto found = names.find(&variable);
    return ownsItsMemory(variable, function, context) &&
           (found == names.end() || llvm::all_of(found->second, [&](const DeclRefExpr *name) {
              return settled.contains(name);
            }));
  }

  const FunctionDecl &function;
  const ASTContext &context;
  std::vector<const CallExpr *> calls;
  llvm::DenseMap<const VarDecl *, std::vector<const DeclRefExpr *>> names;

private:
  llvm::SmallPtrSet<const Expr *, 32> settled; // read or assigned as a whole
};

/// What the messages of a wait use.
struct WaitedFor {
  const VarDecl *requests = nullptr;
  Variables sent, received;
  Variables arguments; ///< of the wait: they must not change before it
  std::string obstacle;
};

void collectVariables(const Stmt &code, Variables &variables,
                      llvm::SmallPtrSetImpl<const DeclRefExpr *> *names = nullptr) {
  if (const auto *name = dyn_cast<DeclRefExpr>(&code)) {
    if (const auto *variable = dyn_cast<VarDecl>(name->getDecl()))
      variables.insert(variable);
    if (names)
      names->insert(name);
  }
  forEachChild(&code, [&](const Stmt *child) { collectVariables(*child, variables, names); });
}

class WaitReader {
public:
  WaitReader(const FunctionUses &uses, ASTContext &context) : uses(uses), context(context) {}

  WaitedFor read(const CallExpr &wait, const MpiFunction &function) {
    for (const Expr *argument : wait.arguments())
      collectVariables(*argument, found.arguments);
    const Expr *status = wait.getArg(wait.getNumArgs() - 1)->IgnoreParenCasts();
    if (!isa<IntegerLiteral, GNUNullExpr, CXXNullPtrLiteralExpr>(status))
      return refused("it returns a status");
    const Expr &argument = *wait.getArg(static_cast<unsigned>(function.request));
    found.requests = rootOf(&argument);
    if (!found.requests || !found.requests->hasLocalStorage() || isa<ParmVarDecl>(found.requests) ||
        found.requests->getType()->isReferenceType() ||
        !(isAddressOfName(argument) || uses.isNamedMemory(*found.requests)))
      return refused("its requests are not in a local variable");
    for (const CallExpr *call : uses.calls)
      readCall(*call);
    const auto all = uses.names.find(found.requests);
    if (found.obstacle.empty() && all != uses.names.end())
      for (const DeclRefExpr *name : all->second)
        if (!known.contains(name))
          return refused(lineOf(*name) + " uses its requests otherwise than in a call of MPI");
    return found;
  }

private:
  WaitedFor refused(const std::string &why) {
    found.obstacle = why;
    return found;
  }

  std::string lineOf(const Stmt &statement) const {
    return "line " + std::to_string(
                         context.getSourceManager().getPresumedLineNumber(statement.getBeginLoc()));
  }

  void readCall(const CallExpr &call) {
    const FunctionDecl *callee = call.getDirectCallee();
    const KnownFunction function = callee ? classifyFunction(*callee, context) : KnownFunction();
    if (function.kind != KnownFunction::Mpi || !function.mpi || function.mpi->request < 0 ||
        static_cast<unsigned>(function.mpi->request) >= call.getNumArgs())
      return;
    const Expr &argument = *call.getArg(static_cast<unsigned>(function.mpi->request));
    Variables named;
    collectVariables(argument, named);
    if (!named.contains(found.requests))
      return;
    collectVariables(argument, named, &known);
    const bool sends = isSend(function.mpi->role);
    if (sends || function.mpi->role == MpiRole::NonblockingReceive)
      addBuffer(call, *function.mpi, sends ? found.sent : found.received);
    else if (function.mpi->role != MpiRole::Completion)
      found.obstacle = lineOf(call) + " makes a request of another kind";
  }

  void addBuffer(const CallExpr &call, const MpiFunction &function, Variables &buffers) {
    const VarDecl *buffer = rootOf(call.getArg(static_cast<unsigned>(function.buffer)));
    if (!buffer || !uses.isNamedMemory(*buffer) ||
        !isPredefinedDatatype(*call.getArg(static_cast<unsigned>(function.datatype))))
      found.obstacle = lineOf(call) + " may use memory that other pointers lead to";
    else
      buffers.insert(buffer);
  }

  const FunctionUses &uses;
  ASTContext &context;
  WaitedFor found;
  llvm::SmallPtrSet<const DeclRefExpr *, 16> known; // of the requests, in calls of MPI
};

/// Reads statements that a wait may pass. Each problem is the end of a sentence about the
/// statement.
class PassedStatements {
public:
  PassedStatements(const FunctionUses &uses, const WaitedFor &waited, ASTContext &context)
      : uses(uses), waited(waited), context(context) {}

  std::optional<std::string> problemOf(const Stmt &code) const {
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
            ConditionalOperator, ArraySubscriptExpr, UnaryExprOrTypeTraitExpr, InitListExpr>(code))
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
      return member->isArrow() ? std::optional<std::string>("follows a pointer") : std::nullopt;
    if (const auto *call = dyn_cast<CallExpr>(&code))
      return problemOfCall(*call);
    return "does more than compute";
  }

  std::optional<std::string> problemOfDeclaration(const DeclStmt &statement) const {
    for (const Decl *one : statement.decls()) {
      const auto *variable = dyn_cast<VarDecl>(one);
      if (!variable || !variable->hasLocalStorage() || !isPlain(variable->getType()) ||
          !context.getBaseElementType(variable->getType())->isArithmeticType() ||
          variable->getType()->isVariablyModifiedType())
        return "declares more than numbers";
      if (llvm::any_of(waited.arguments, [&](const VarDecl *argument) {
            return argument->getName() == variable->getName();
          }))
        return "declares another " + quoted(*variable);
    }
    return {};
  }

  std::optional<std::string> problemOfName(const DeclRefExpr &name) const {
    const auto *variable = dyn_cast<VarDecl>(name.getDecl());
    if (!variable)
      return isa<EnumConstantDecl>(name.getDecl()) ? std::nullopt
                                                   : std::optional<std::string>("names a function");
    if (variable == waited.requests)
      return "uses its requests";
    if (waited.received.contains(variable))
      return "uses " + quoted(*variable) + ", which it receives";
    if (!uses.isNamedMemory(*variable))
      return "uses " + quoted(*variable) + ", which may lead to what it completes";
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
    const VarDecl *variable = rootOf(&target);
    if (!variable || target.getType()->isPointerType() || !isPlain(target.getType()))
      return "changes a pointer";
    if (waited.sent.contains(variable))
      return "changes " + quoted(*variable) + ", which it sends";
    if (waited.arguments.contains(variable))
      return "changes " + quoted(*variable) + ", which it needs";
    return {};
  }

  std::optional<std::string> problemOfCall(const CallExpr &call) const {
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

  const FunctionUses &uses;
  const WaitedFor &waited;
  ASTContext &context;
};

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
  const FunctionUses uses(*function, context);
  const KnownFunction known = classifyFunction(*wait.getDirectCallee(), context);
  const WaitedFor waited = WaitReader(uses, context).read(wait, *known.mpi);
  motion.obstacle = waited.obstacle;
  if (!motion.obstacle.empty())
    return motion;
  const PassedStatements passed(uses, waited, context);
  for (auto next = std::next(llvm::find(block->body(), &wait)); next != block->body_end(); ++next) {
    const std::optional<unsigned> nextEnd = endOf(**next, file, context);
    std::optional<std::string> problem = passed.problemOf(**next);
    if (!problem && (!nextEnd || !(*next)->getBeginLoc().isFileID()))
      problem = "begins or ends in a macro";
    if (problem) {
      motion.obstacle = "line " +
                        std::to_string(sources.getPresumedLineNumber((*next)->getBeginLoc())) +
                        " " + *problem;
      break;
    }
    motion.behind = *nextEnd;
    ++motion.statements;
  }
  return motion;
}

} // namespace sendwright
