// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/sites/RepeatedExpressions.h"

#include "tool/legality/LibraryFunctions.h"
#include "tool/sites/Surroundings.h"

#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <map>

namespace sendwright {

namespace {

using namespace clang;

/// `[]` of a container whose elements are contiguous: object and index.
const CXXOperatorCallExpr *contiguousElement(const Expr *expression) {
  const auto *call = dyn_cast<CXXOperatorCallExpr>(expression);
  if (!call || call->getOperator() != OO_Subscript || call->getNumArgs() != 2)
    return nullptr;
  const auto *record = call->getArg(0)->getType()->getAsCXXRecordDecl();
  return record && record->isInStdNamespace() && record->getIdentifier() &&
                 llvm::StringSwitch<bool>(record->getName())
                     .Case("vector", true)
                     .Case("array", true)
                     .Case("span", true)
                     .Case("basic_string", true)
                     .Default(false)
             ? call
             : nullptr;
}

bool handsOut(const CallExpr &call, const ASTContext &context) {
  const FunctionDecl *callee = call.getDirectCallee();
  return callee && isa<CXXMethodDecl>(callee) &&
         classifyFunction(*callee, context).kind == KnownFunction::Library && isAccessor(*callee);
}

bool isHarmlessNode(const Stmt &node, const ASTContext &context) {
  if (const auto *expression = dyn_cast<Expr>(&node);
      expression && expression->getType().isVolatileQualified())
    return false;
  if (const auto *operation = dyn_cast<UnaryOperator>(&node))
    return !operation->isIncrementDecrementOp();
  if (const auto *operation = dyn_cast<BinaryOperator>(&node))
    return !operation->isAssignmentOp() && operation->getOpcode() != BO_Comma;
  if (const auto *cast = dyn_cast<CastExpr>(&node))
    return cast->getCastKind() != CK_UserDefinedConversion &&
           cast->getCastKind() != CK_ConstructorConversion;
  if (const auto *call = dyn_cast<CallExpr>(&node))
    return handsOut(*call, context);
  if (const auto *name = dyn_cast<DeclRefExpr>(&node))
    return isa<VarDecl, EnumConstantDecl, FunctionDecl>(name->getDecl());
  return isa<IntegerLiteral, CharacterLiteral, FloatingLiteral, StringLiteral, CXXBoolLiteralExpr,
             CXXNullPtrLiteralExpr, GNUNullExpr, CXXThisExpr, ParenExpr, MemberExpr,
             ArraySubscriptExpr, ConditionalOperator, ConstantExpr, ExprWithCleanups,
             MaterializeTemporaryExpr, SubstNonTypeTemplateParmExpr>(node);
}

/// The file location of the token that a location in a macro's use comes from; nothing where the
/// token is in the macro's own text.
std::optional<SourceLocation> inFile(SourceLocation location, const SourceManager &sources) {
  while (location.isMacroID()) {
    if (!sources.isMacroArgExpansion(location))
      return std::nullopt;
    location = sources.getImmediateSpellingLoc(location);
  }
  return location;
}

/// Text to be written in place of other text.
struct Replacement {
  unsigned end; ///< offset past its last character
  std::string words;
};
using Replacements = std::map<unsigned, Replacement>; // keyed by offset in one file

/// Collects the places that name the variable; false where a macro's text names it.
bool collectUses(const Stmt &code, const VarDecl &variable, const std::string &words,
                 const SourceManager &sources, Replacements &replacements) {
  if (const auto *name = dyn_cast<DeclRefExpr>(&code); name && name->getDecl() == &variable) {
    const auto place = inFile(name->getLocation(), sources);
    if (!place)
      return false;
    const unsigned offset = sources.getFileOffset(*place);
    replacements[offset] = {offset + 1, words};
  }
  bool all = true;
  forEachChild(&code, [&](const Stmt *child) {
    all = all && collectUses(*child, variable, words, sources, replacements);
  });
  return all;
}

bool hasCommaOutside(llvm::StringRef text) {
  int depth = 0;
  for (const char character : text) {
    depth += character == '(' ? 1 : character == ')' ? -1 : 0;
    if (character == ',' && depth == 0)
      return true;
  }
  return false;
}

/// The tokens of the text from an offset on, without comments; nothing where directives or tokens
/// of several lines are among them.
std::optional<std::string> joinTokens(llvm::StringRef source, unsigned begin,
                                      const LangOptions &language,
                                      const Replacements &replacements) {
  const std::string text = source.str();
  Lexer lexer(SourceLocation(), language, text.data(), text.data(), text.data() + text.size());
  std::string line;
  unsigned replaced = 0; // up to this offset
  Token token;
  for (lexer.LexFromRawLexer(token); token.isNot(tok::eof); lexer.LexFromRawLexer(token)) {
    const auto end = static_cast<unsigned>(lexer.getBufferLocation() - text.data());
    const unsigned offset = end - token.getLength();
    const std::string spelled = text.substr(offset, token.getLength());
    if ((token.is(tok::hash) && token.isAtStartOfLine()) || spelled.find('\n') != std::string::npos)
      return std::nullopt;
    if (begin + offset < replaced)
      continue;
    if (!line.empty() && (token.hasLeadingSpace() || token.isAtStartOfLine()))
      line += ' ';
    const auto other = replacements.find(begin + offset);
    line += other == replacements.end() ? spelled : other->second.words;
    if (other != replacements.end())
      replaced = other->second.end;
  }
  return line;
}

/// Whether the code may stand only once in a function or program.
bool isSingular(const Stmt &code) {
  const auto *declaration = dyn_cast<DeclStmt>(&code);
  bool found = isa<LabelStmt>(code) ||
               (declaration && llvm::any_of(declaration->decls(), [](const Decl *one) {
                  const auto *variable = dyn_cast<VarDecl>(one);
                  return !variable || !variable->hasLocalStorage();
                }));
  forEachChild(&code, [&](const Stmt *child) { found = found || isSingular(*child); });
  return found;
}

std::optional<std::string> oneLine(const Expr &expression, const ASTContext &context,
                                   const Replacements &replacements) {
  const SourceManager &sources = context.getSourceManager();
  const LangOptions &language = context.getLangOpts();
  const auto range = fileRange(expression.getSourceRange(), context);
  if (!range)
    return std::nullopt;
  const auto line = joinTokens(Lexer::getSourceText(*range, sources, language),
                               sources.getFileOffset(range->getBegin()), language, replacements);
  return line && hasCommaOutside(*line) ? "(" + *line + ")" : line;
}

/// In brackets, unless it is a name, a member, or in brackets already.
std::string asOperand(const std::string &text) {
  const bool isWord = llvm::all_of(text, [](char character) {
    return llvm::isAlnum(character) || character == '_' || character == '.';
  });
  const bool isConstant = text.front() == '(' && text.find(')') == text.size() - 1;
  return isWord || isConstant ? text : "(" + text + ")";
}

/// The number as a constant of roughly the variable's type, valid in every standard.
std::string constantFor(const VarDecl &variable, unsigned number, const ASTContext &context) {
  const QualType type = variable.getType();
  const bool wide = context.getTypeSize(type) > context.getTypeSize(context.IntTy);
  const bool isUnsigned = type->isUnsignedIntegerType() &&
                          context.getTypeSize(type) >= context.getTypeSize(context.IntTy);
  return "(" + std::to_string(number) + (isUnsigned ? "u" : "") + (wide ? "l" : "") + ")";
}

/// Follows how a pointer, lvalue or number depends on a variable.
class Growth {
public:
  Growth(const VarDecl &variable, const ASTContext &context)
      : variable(variable), context(context) {}

  bool isEven(const Expr *expression) { return isLinear(expression) && !(narrow && subtracts); }

private:
  const VarDecl &variable;
  const ASTContext &context;
  bool narrow = false, subtracts = false; // narrow: numbers wrap below the width of addresses

  bool isLinear(const Expr *expression) {
    expression = expression->IgnoreParens();
    if (!mentions(*expression, variable))
      return true;
    const QualType type = expression->getType();
    narrow |= type->isUnsignedIntegerType() &&
              context.getTypeSize(type) < context.getTypeSize(context.VoidPtrTy);
    if (const auto *cast = dyn_cast<CastExpr>(expression))
      return isLinearCast(*cast);
    if (const auto *operation = dyn_cast<UnaryOperator>(expression))
      return isLinearUnary(*operation);
    if (const auto *operation = dyn_cast<BinaryOperator>(expression))
      return isLinearBinary(*operation);
    if (const auto *element = dyn_cast<ArraySubscriptExpr>(expression))
      return isLinear(element->getBase()) && isLinear(element->getIdx());
    if (const auto *member = dyn_cast<MemberExpr>(expression))
      return isLinear(member->getBase());
    if (const auto *element = contiguousElement(expression))
      return !mentions(*element->getArg(0), variable) && isLinear(element->getArg(1));
    return isa<DeclRefExpr>(expression); // the variable itself
  }

  bool isLinearCast(const CastExpr &cast) {
    const Expr *operand = cast.getSubExpr()->IgnoreParens();
    switch (cast.getCastKind()) {
    case CK_LValueToRValue: // nothing is known about memory that the variable leads to
      return isa<DeclRefExpr>(operand);
    case CK_IntegralCast:
      return context.getTypeSize(cast.getType()) >= context.getTypeSize(operand->getType()) &&
             isLinear(operand);
    case CK_NoOp:
    case CK_BitCast:
    case CK_ArrayToPointerDecay:
      return isLinear(operand);
    default:
      return false;
    }
  }

  bool isLinearUnary(const UnaryOperator &operation) {
    subtracts |= operation.getOpcode() == UO_Minus;
    switch (operation.getOpcode()) {
    case UO_AddrOf:
    case UO_Deref:
    case UO_Minus:
    case UO_Plus:
      return isLinear(operation.getSubExpr());
    default:
      return false;
    }
  }

  bool isLinearBinary(const BinaryOperator &operation) {
    subtracts |= operation.getOpcode() == BO_Sub;
    const Expr *left = operation.getLHS(), *right = operation.getRHS();
    switch (operation.getOpcode()) {
    case BO_Add:
    case BO_Sub:
      return isLinear(left) && isLinear(right);
    case BO_Mul:
      return (!mentions(*left, variable) && isLinear(right)) ||
             (!mentions(*right, variable) && isLinear(left));
    case BO_Shl:
      return !mentions(*right, variable) && isLinear(left);
    default:
      return false;
    }
  }
};

} // namespace

std::optional<CharSourceRange> fileRange(SourceRange tokens, const ASTContext &context) {
  const SourceManager &sources = context.getSourceManager();
  const auto inText = [&](SourceLocation place, bool isEnd) {
    while (place.isMacroID()) {
      if (sources.isMacroArgExpansion(place)) {
        place = sources.getImmediateSpellingLoc(place);
        continue;
      }
      SourceLocation edge = place;
      if (isEnd)
        edge = place.getLocWithOffset(static_cast<int>(Lexer::MeasureTokenLength(
            sources.getSpellingLoc(place), sources, context.getLangOpts())));
      if (!(isEnd ? sources.isAtEndOfImmediateMacroExpansion(edge)
                  : sources.isAtStartOfImmediateMacroExpansion(edge)))
        return SourceLocation();
      const CharSourceRange use = sources.getImmediateExpansionRange(place);
      place = isEnd ? use.getEnd() : use.getBegin();
    }
    return place;
  };
  const SourceLocation begin = inText(tokens.getBegin(), false),
                       last = inText(tokens.getEnd(), true);
  if (begin.isInvalid() || last.isInvalid() ||
      sources.getFileID(begin) != sources.getFileID(last) ||
      sources.getFileOffset(last) < sources.getFileOffset(begin))
    return std::nullopt;
  return CharSourceRange::getCharRange(
      begin, Lexer::getLocForEndOfToken(last, 0, sources, context.getLangOpts()));
}

bool mayBeRepeated(const Expr &expression, const ASTContext &context) {
  if (isa<UnaryExprOrTypeTraitExpr>(expression))
    return !expression.HasSideEffects(context);
  if (!isHarmlessNode(expression, context))
    return false;
  bool all = true;
  forEachChild(&expression, [&](const Stmt *child) {
    const auto *part = dyn_cast<Expr>(child);
    all = all && part && mayBeRepeated(*part, context);
  });
  return all;
}

bool mentions(const Stmt &code, const VarDecl &variable) {
  const auto *name = dyn_cast<DeclRefExpr>(&code);
  bool found = name && name->getDecl() == &variable;
  forEachChild(&code, [&](const Stmt *child) { found = found || mentions(*child, variable); });
  return found;
}

bool areSame(const Expr &left, const Expr &right, const ASTContext &context) {
  const Expr *one = left.IgnoreParenImpCasts(), *other = right.IgnoreParenImpCasts();
  llvm::FoldingSetNodeID first, second;
  one->Profile(first, context, /*Canonical=*/true);
  other->Profile(second, context, /*Canonical=*/true);
  if (first == second)
    return true;
  Expr::EvalResult number, same;
  return one->EvaluateAsInt(number, context) && other->EvaluateAsInt(same, context) &&
         llvm::APSInt::isSameValue(number.Val.getInt(), same.Val.getInt());
}

std::optional<std::string> repeatedText(const Expr &expression, const ASTContext &context) {
  return oneLine(expression, context, {});
}

std::optional<std::string> textWith(const std::string &words,
                                    const std::vector<const CallExpr *> &calls,
                                    const std::vector<const Stmt *> &statements,
                                    const FileText &place, const ASTContext &context) {
  if (llvm::any_of(statements, [](const Stmt *statement) { return isSingular(*statement); }))
    return std::nullopt;
  const SourceManager &sources = context.getSourceManager();
  const LangOptions &language = context.getLangOpts();
  Replacements replacements;
  for (const CallExpr *call : calls) {
    const auto range = fileRange(call->getSourceRange(), context);
    if (!range || sources.getFileID(range->getBegin()) != place.file)
      return std::nullopt;
    replacements[sources.getFileOffset(range->getBegin())] = {
        sources.getFileOffset(range->getEnd()), words};
  }
  return joinTokens(sources.getBufferData(place.file).slice(place.begin, place.end), place.begin,
                    language, replacements);
}

std::optional<std::string> addressFor(const Expr &pointer, const VarDecl &variable, unsigned number,
                                      const ASTContext &context) {
  Replacements replacements;
  if (!collectUses(pointer, variable, constantFor(variable, number, context),
                   context.getSourceManager(), replacements))
    return std::nullopt;
  // The library may check the index of an element that does not exist in this run.
  if (const auto *address = dyn_cast<UnaryOperator>(pointer.IgnoreParenImpCasts());
      address && address->getOpcode() == UO_AddrOf)
    if (const auto *element = contiguousElement(address->getSubExpr()->IgnoreParens())) {
      const auto object = oneLine(*element->getArg(0), context, replacements);
      const auto index = oneLine(*element->getArg(1), context, replacements);
      if (!object || !index)
        return std::nullopt;
      return asOperand(*object) + ".data() + " + asOperand(*index);
    }
  return oneLine(pointer, context, replacements);
}

bool growsEvenly(const Expr &pointer, const VarDecl &variable, const ASTContext &context) {
  return Growth(variable, context).isEven(&pointer);
}

const VarDecl *designatedVariable(const Expr &expression) {
  const Expr *inner = expression.IgnoreParenCasts();
  if (const auto *name = dyn_cast<DeclRefExpr>(inner))
    return dyn_cast<VarDecl>(name->getDecl());
  if (const auto *operation = dyn_cast<UnaryOperator>(inner))
    return designatedVariable(*operation->getSubExpr());
  if (const auto *element = dyn_cast<ArraySubscriptExpr>(inner))
    return designatedVariable(*element->getBase());
  if (const auto *member = dyn_cast<MemberExpr>(inner))
    return designatedVariable(*member->getBase());
  if (const auto *call = dyn_cast<CXXMemberCallExpr>(inner))
    return designatedVariable(*call->getImplicitObjectArgument());
  if (const auto *element = contiguousElement(inner))
    return designatedVariable(*element->getArg(0));
  if (const auto *operation = dyn_cast<BinaryOperator>(inner))
    return operation->getLHS()->getType()->isPointerType()
               ? designatedVariable(*operation->getLHS())
               : designatedVariable(*operation->getRHS());
  return nullptr;
}

} // namespace sendwright
