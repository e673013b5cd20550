// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/transformations/redistribution/RedistributionConstants.h"

#include "clang/AST/APValue.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/LiteralSupport.h"
#include "clang/Lex/MacroInfo.h"

namespace sendwright {

namespace {

using namespace clang;

struct Piece {
  tok::TokenKind kind;
  std::string text;
};

std::vector<Piece> piecesOf(const std::string &text, const LangOptions &language) {
  const char *start = text.data();
  Lexer lexer(SourceLocation(), language, start, start, start + text.size());
  std::vector<Piece> pieces;
  Token token;
  for (lexer.LexFromRawLexer(token); token.isNot(tok::eof); lexer.LexFromRawLexer(token)) {
    const auto past = static_cast<std::size_t>(lexer.getBufferLocation() - start);
    pieces.push_back({token.getKind(), text.substr(past - token.getLength(), token.getLength())});
  }
  return pieces;
}

std::optional<long long> integerOf(const APValue *value) {
  if (!value || !value->isInt() || value->getInt().getSignificantBits() > 63)
    return std::nullopt;
  return value->getInt().getExtValue();
}

/// The value of a number as C spells it.
std::optional<long long> literalOf(llvm::StringRef text) {
  const llvm::StringRef digits = text.rtrim("uUlL");
  unsigned long long value = 0;
  unsigned radix = 10;
  llvm::StringRef rest = digits;
  if (rest.consume_front_insensitive("0x"))
    radix = 16;
  else if (rest.consume_front_insensitive("0b"))
    radix = 2;
  else if (rest.size() > 1 && rest.consume_front("0"))
    radix = 8;
  if (rest.contains('.') || rest.getAsInteger(radix, value) || value > INT64_MAX)
    return std::nullopt;
  return static_cast<long long>(value);
}

/// Evaluates by recursive descent; gives nothing where a part is not known.
class Evaluator {
public:
  using Name = std::function<std::optional<long long>(const std::string &)>;
  Evaluator(std::vector<Piece> pieces, Name name)
      : pieces(std::move(pieces)), name(std::move(name)) {}

  std::optional<long long> evaluate() {
    const std::optional<long long> value = sum();
    return next == pieces.size() ? value : std::nullopt;
  }

private:
  const std::vector<Piece> pieces;
  const Name name;
  std::size_t next = 0;

  bool take(tok::TokenKind kind) {
    const bool there = next < pieces.size() && pieces[next].kind == kind;
    next += there;
    return there;
  }

  std::optional<long long> sum() {
    std::optional<long long> value = product();
    while (value) {
      const bool plus = take(tok::plus);
      if (!plus && !take(tok::minus))
        break;
      const std::optional<long long> other = product();
      long long result = 0;
      if (!other || (plus ? __builtin_add_overflow(*value, *other, &result)
                          : __builtin_sub_overflow(*value, *other, &result)))
        return std::nullopt;
      value = result;
    }
    return value;
  }

  std::optional<long long> product() {
    std::optional<long long> value = single();
    while (value) {
      const bool times = take(tok::star);
      if (!times && !take(tok::slash))
        break;
      const std::optional<long long> other = single();
      long long result = 0;
      if (!other || (!times && *other <= 0) ||
          (times && __builtin_mul_overflow(*value, *other, &result)))
        return std::nullopt;
      value = times ? result : *value / *other;
    }
    return value;
  }

  std::optional<long long> single() {
    if (take(tok::minus)) {
      const std::optional<long long> value = single();
      return value ? std::optional(-*value) : std::nullopt;
    }
    if (take(tok::l_paren)) {
      const std::optional<long long> value = sum();
      return take(tok::r_paren) ? value : std::nullopt;
    }
    if (next == pieces.size())
      return std::nullopt;
    const Piece &piece = pieces[next++];
    if (piece.kind == tok::numeric_constant)
      return literalOf(piece.text);
    return piece.kind == tok::raw_identifier ? name(piece.text) : std::nullopt;
  }
};

const MacroInfo *macroOf(Preprocessor &preprocessor, const std::string &name,
                         SourceLocation location) {
  const IdentifierInfo *identifier = preprocessor.getIdentifierInfo(name);
  return preprocessor.getMacroDefinitionAtLoc(identifier, location).getMacroInfo();
}

std::optional<long long> constantOf(const NamedDecl *declaration) {
  if (const auto *enumerator = dyn_cast_or_null<EnumConstantDecl>(declaration)) {
    const llvm::APSInt value = enumerator->getInitVal();
    return value.getSignificantBits() > 63 ? std::nullopt : std::optional(value.getExtValue());
  }
  const auto *variable = dyn_cast_or_null<VarDecl>(declaration);
  if (!variable || !variable->getType().isConstQualified() ||
      !variable->getType()->isIntegralOrEnumerationType())
    return std::nullopt;
  const Expr *initializer = variable->getAnyInitializer(variable);
  if (!initializer || initializer->isValueDependent())
    return std::nullopt;
  return integerOf(variable->evaluateValue());
}

/// The elements of a constant array, or of the array that a constant std::array holds.
std::optional<std::vector<long long>> elementsOf(const APValue *value) {
  if (value && value->isStruct() && value->getStructNumFields() == 1 &&
      value->getStructNumBases() == 0)
    value = &value->getStructField(0);
  if (!value || !value->isArray())
    return std::nullopt;
  std::vector<long long> elements;
  for (unsigned number = 0; number < value->getArraySize(); ++number) {
    const std::optional<long long> element =
        integerOf(number < value->getArrayInitializedElts() ? &value->getArrayInitializedElt(number)
                                                            : &value->getArrayFiller());
    if (!element)
      return std::nullopt;
    elements.push_back(*element);
  }
  return elements;
}

/// The same for an initializer list: in C, Clang 16 does not evaluate the list as a whole.
std::optional<std::vector<long long>> elementsOf(const Expr *initializer, std::size_t count,
                                                 const ASTContext &context) {
  const auto *list = dyn_cast<InitListExpr>(initializer->IgnoreImplicit());
  if (!list || list->getNumInits() > count || count > 1U << 20)
    return std::nullopt;
  std::vector<long long> elements(count);
  for (unsigned number = 0; number < list->getNumInits(); ++number) {
    Expr::EvalResult result;
    if (!list->getInit(number)->EvaluateAsInt(result, context))
      return std::nullopt;
    const std::optional<long long> element = integerOf(&result.Val);
    if (!element)
      return std::nullopt;
    elements[number] = *element;
  }
  return elements;
}

} // namespace

std::string problemOfSizes(const KnownSizes &sizes, std::optional<long long> ranks,
                           std::optional<long long> extent) {
  if (sizes.undeclared)
    return "is not declared here, expected an array of integers, or a pointer to one";
  if (sizes.count && ranks && *sizes.count != *ranks)
    return "holds " + std::to_string(*sizes.count) + (*sizes.count == 1 ? " size" : " sizes") +
           ", expected " + std::to_string(*ranks) + ", one for each processor";
  if (!sizes.values)
    return "";
  long long sum = 0;
  for (std::size_t number = 0; number < sizes.values->size(); ++number) {
    const long long size = (*sizes.values)[number];
    if (size < 0)
      return "holds " + std::to_string(size) + " at [" + std::to_string(number) +
             "], expected sizes of at least 0";
    if (__builtin_add_overflow(sum, size, &sum))
      return "sums to more than an array can hold";
  }
  if (extent && sum < *extent)
    return "sums to " + std::to_string(sum) + ", expected at least the extent of " +
           std::to_string(*extent);
  return "";
}

std::string problemOfMap(const KnownSizes &map, std::optional<long long> ranks,
                         std::optional<long long> extent) {
  if (map.undeclared)
    return "is not declared here, expected an array of integers, or a pointer to one";
  if (map.count && extent && *map.count != *extent)
    return "names the processors of " + std::to_string(*map.count) +
           (*map.count == 1 ? " index" : " indices") + ", expected as many as the extent of " +
           std::to_string(*extent);
  for (std::size_t index = 0; map.values && index < map.values->size(); ++index) {
    const long long owner = (*map.values)[index];
    if (owner < 0 || (ranks && owner >= *ranks))
      return "holds " + std::to_string(owner) + " at [" + std::to_string(index) +
             "], expected a processor" +
             (ranks ? ", 0 to " + std::to_string(*ranks - 1) : std::string());
  }
  return "";
}

std::string problemOfLength(long long length, std::optional<long long> ranks,
                            std::optional<long long> extent) {
  if (length < 1)
    return "is " + std::to_string(length) + ", expected at least one element";
  long long held = 0;
  if (ranks && extent && !__builtin_mul_overflow(length, *ranks, &held) && held < *extent)
    return "on each of " + std::to_string(*ranks) + " processors holds " + std::to_string(held) +
           " elements, expected at least the extent of " + std::to_string(*extent);
  return "";
}

bool DirectiveConstants::isMacro(const std::string &name, const DirectivePlace &place) const {
  return macroOf(preprocessor, name, place.location) != nullptr;
}

std::optional<long long> DirectiveConstants::valueOf(const std::string &expression,
                                                     const DirectivePlace &place) const {
  int depth = 0; // how deeply macros are nested
  const std::function<std::optional<long long>(const std::string &)> evaluate =
      [&](const std::string &text) -> std::optional<long long> {
    const auto name = [&](const std::string &word) -> std::optional<long long> {
      const MacroInfo *macro = macroOf(preprocessor, word, place.location);
      if (!macro)
        return constantOf(lookUp(word, place, context));
      if (macro->isFunctionLike() || depth == 16)
        return std::nullopt;
      std::string body;
      for (const Token &token : macro->tokens())
        body += preprocessor.getSpelling(token) + " ";
      ++depth;
      const std::optional<long long> value = evaluate(body);
      --depth;
      return value;
    };
    return Evaluator(piecesOf(text, context.getLangOpts()), name).evaluate();
  };
  return evaluate(expression);
}

KnownSizes DirectiveConstants::sizesOf(const std::string &expression,
                                       const DirectivePlace &place) const {
  KnownSizes known;
  const std::vector<Piece> pieces = piecesOf(expression, context.getLangOpts());
  if (pieces.size() != 1 || pieces.front().kind != tok::raw_identifier ||
      isMacro(expression, place))
    return known;
  const NamedDecl *declaration = lookUp(expression, place, context);
  // C++ finds names in more ways; the compiler has the last word.
  known.declared = declaration != nullptr;
  known.undeclared = !declaration && !context.getLangOpts().CPlusPlus;
  const auto *variable = dyn_cast_or_null<VarDecl>(declaration);
  if (!variable || isa<ParmVarDecl>(variable) || variable->getType()->isDependentType())
    return known;
  const auto *array = context.getAsConstantArrayType(variable->getType());
  if (array)
    known.count = array->getSize().getSExtValue();
  const QualType constant = array ? array->getElementType() : variable->getType();
  const Expr *initializer = variable->getAnyInitializer(variable);
  if (!constant.isConstQualified() || constant.isVolatileQualified() || !initializer ||
      initializer->isValueDependent() || (!array && !variable->getType()->isRecordType()))
    return known;
  known.values = elementsOf(variable->evaluateValue());
  if (!known.values && array)
    known.values = elementsOf(initializer, static_cast<std::size_t>(*known.count), context);
  if (known.values)
    known.count = static_cast<long long>(known.values->size());
  return known;
}

} // namespace sendwright
