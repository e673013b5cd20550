// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/transformations/redistribution/RedistributionScopes.h"

#include "tool/source/SyntaxWalk.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace sendwright {

namespace {

using namespace clang;

/// Ranges in the file, even where their ends come from macros.
class Ranges {
public:
  explicit Ranges(const SourceManager &sources) : sources(sources) {}

  bool isBefore(SourceLocation left, SourceLocation right) const {
    return sources.isBeforeInTranslationUnit(left, right);
  }
  SourceLocation begin(SourceRange range) const {
    return sources.getExpansionLoc(range.getBegin());
  }
  SourceLocation end(SourceRange range) const {
    return sources.getExpansionRange(range.getEnd()).getEnd();
  }
  /// Whether the location is behind the beginning of the first token and before that of the last.
  bool contain(SourceRange range, SourceLocation location) const {
    return range.isValid() && isBefore(begin(range), location) && isBefore(location, end(range));
  }

private:
  const SourceManager &sources;
};

/// A body in which directives may stand.
struct Body {
  const Stmt *text;
  const FunctionDecl *function;
};

class BodyFinder final : public SyntaxWalk {
public:
  BodyFinder(const SourceManager &sources, const std::vector<SourceLocation> &locations)
      : ranges(sources), locations(locations), bodies(locations.size()), whole(locations.size()) {}

  bool shouldVisitImplicitCode() const override { return false; }

  bool TraverseDecl(Decl *declaration) override {
    const bool leads =
        declaration && (isa<TranslationUnitDecl>(declaration) ||
                        isa<LinkageSpecDecl, NamespaceDecl>(declaration) ||
                        llvm::any_of(locations, [&](SourceLocation location) {
                          return ranges.contain(declaration->getSourceRange(), location);
                        }));
    return !leads || SyntaxWalk::TraverseDecl(declaration);
  }

  bool VisitDecl(Decl *declaration) override {
    for (std::size_t number = 0; number < locations.size(); ++number)
      if (ranges.contain(declaration->getSourceRange(), locations[number]))
        note(declaration, number);
    return true;
  }

  bool VisitLambdaExpr(LambdaExpr *lambda) override {
    add(lambda->getBody(), lambda->getCallOperator());
    return true;
  }

private:
  const Ranges ranges;
  const std::vector<SourceLocation> &locations;

public:
  std::vector<std::vector<Body>> bodies; ///< by location, outermost first
  /// For each location, the innermost declaration around it that is not a namespace.
  std::vector<const Decl *> whole;
  std::vector<const DeclContext *> contexts = std::vector<const DeclContext *>(whole.size());

private:
  void add(const Stmt *text, const FunctionDecl *function) {
    for (std::size_t number = 0; number < locations.size(); ++number)
      if (text && ranges.contain(text->getSourceRange(), locations[number]))
        bodies[number].push_back({text, function});
  }

  void note(Decl *declaration, std::size_t number) {
    if (isa<TranslationUnitDecl, LinkageSpecDecl, NamespaceDecl>(declaration)) {
      contexts[number] = cast<DeclContext>(declaration);
      return;
    }
    whole[number] = declaration;
    if (const auto *function = dyn_cast<FunctionDecl>(declaration);
        function && function->doesThisDeclarationHaveABody() && function->getBody() &&
        ranges.contain(function->getBody()->getSourceRange(), locations[number]))
      bodies[number].push_back({function->getBody(), function});
  }
};

/// The statement behind labels; the statement itself where it has no label.
const Stmt *behindLabels(const Stmt *statement, SourceLocation location, const Ranges &ranges) {
  while (isa<SwitchCase, LabelStmt>(statement)) {
    const Stmt *labelled = isa<LabelStmt>(statement) ? cast<LabelStmt>(statement)->getSubStmt()
                                                     : cast<SwitchCase>(statement)->getSubStmt();
    if (!labelled || ranges.isBefore(location, ranges.begin(labelled->getSourceRange())))
      return nullptr; // between the label and the statement
    statement = labelled;
  }
  return statement;
}

const char *wordOf(const Stmt *statement) {
  if (isa<IfStmt>(statement))
    return "if";
  if (isa<ForStmt, CXXForRangeStmt>(statement))
    return "for";
  if (isa<WhileStmt>(statement))
    return "while";
  if (isa<DoStmt>(statement))
    return "do";
  return isa<SwitchStmt>(statement) ? "switch" : nullptr;
}

/// Follows one location from a function's body to the innermost block.
class Descent {
public:
  Descent(DirectivePlace &place, const Ranges &ranges, ASTContext &context)
      : place(place), ranges(ranges), context(context) {}

  void enter(const Stmt *body) {
    for (const Stmt *current = body; current;) {
      place.around.push_back(current);
      const Stmt *inner = nullptr;
      for (const Stmt *child : current->children())
        if (child && ranges.contain(rangeOf(child), place.location))
          inner = child;
      if (const auto *region = dyn_cast<CapturedStmt>(current)) // its children are what it captures
        inner = region->getCapturedStmt();
      current = inner;
    }
  }

  /// Judges whether a call can stand here.
  void judge() {
    const CompoundStmt *block = place.block();
    if (!block) {
      place.obstacle = "stands in a statement, expected a place of its own in a block";
      return;
    }
    const auto *last = &place.around.back();
    while (*last != block)
      --last;
    for (const Stmt *inner : llvm::ArrayRef(last + 1, place.around.data() + place.around.size())) {
      if (!behindLabels(inner, place.location, ranges))
        return judgeNeighbours(*block);
      if (isa<SwitchCase, LabelStmt>(inner))
        continue;
      if (const char *word = wordOf(inner))
        place.obstacle = std::string("stands between '") + word +
                         "' and its statement, so the call would become that statement; expected "
                         "braces around it, or a place before it";
      else
        place.obstacle = "stands in a statement, expected a place between statements";
      return;
    }
    judgeNeighbours(*block);
  }

private:
  DirectivePlace &place;
  const Ranges &ranges;
  ASTContext &context;

  /// The range including the body, unlike Clang's own range of a lambda or an OpenMP directive.
  static SourceRange rangeOf(const Stmt *statement) {
    if (const auto *directive = dyn_cast<OMPExecutableDirective>(statement);
        directive && directive->hasAssociatedStmt())
      return {directive->getBeginLoc(), directive->getRawStmt()->getEndLoc()};
    if (const auto *lambda = dyn_cast<LambdaExpr>(statement))
      return {lambda->getBeginLoc(), lambda->getBody()->getEndLoc()};
    return statement->getSourceRange();
  }

  void judgeNeighbours(const CompoundStmt &block) {
    const auto follows = [&](const Stmt *child) {
      return ranges.isBefore(place.location, ranges.begin(child->getSourceRange()));
    };
    const Stmt *outer =
        place.around.front() == &block ? nullptr : *(llvm::find(place.around, &block) - 1);
    if (isa_and_nonnull<SwitchStmt>(outer) && (block.body_empty() || follows(*block.body_begin())))
      place.obstacle = "stands before the first label of a switch, where nothing is executed";
    else if (isa_and_nonnull<StmtExpr>(outer) && !block.body_empty() && !follows(block.body_back()))
      place.obstacle = "stands at the end of a statement expression, whose value is there";
    else if (!followsStatement())
      place.obstacle = "stands in a statement, expected a place between statements";
  }

  /// Whether the token before the place can end a statement; directives do not count.
  bool followsStatement() const {
    const SourceManager &sources = context.getSourceManager();
    const auto [file, offset] = sources.getDecomposedLoc(place.location);
    // Lexing from the last statement of the block, or from its brace, keeps the text short.
    const CompoundStmt &block = *place.block();
    SourceLocation from = ranges.begin(block.getSourceRange());
    for (const Stmt *child : block.body())
      if (ranges.isBefore(ranges.end(child->getSourceRange()), place.location))
        from = ranges.end(child->getSourceRange());
    if (sources.getFileID(from) != file)
      return true; // the block begins in another file
    const std::string text =
        sources.getBufferData(file).slice(sources.getFileOffset(from), offset).str();
    Lexer lexer(SourceLocation(), context.getLangOpts(), text.data(), text.data(),
                text.data() + text.size());
    Token token;
    tok::TokenKind last = tok::unknown;
    bool directive = false;
    for (lexer.LexFromRawLexer(token); token.isNot(tok::eof); lexer.LexFromRawLexer(token)) {
      if (token.isAtStartOfLine())
        directive = token.is(tok::hash);
      if (!directive)
        last = token.getKind();
    }
    // A macro may end with the semicolon.
    return last == tok::semi || last == tok::l_brace || last == tok::r_brace ||
           last == tok::colon || last == tok::raw_identifier || last == tok::r_paren;
  }
};

const Decl *behindUsing(const NamedDecl *declaration) { return declaration->getUnderlyingDecl(); }

/// Names declared by the statements around a place.
class LocalNames {
public:
  LocalNames(llvm::StringRef name, const DirectivePlace &place, const Ranges &ranges)
      : name(name), place(place), ranges(ranges) {}

  const NamedDecl *in(const Stmt *statement) {
    found = nullptr;
    if (const auto *block = dyn_cast<CompoundStmt>(statement))
      for (const Stmt *child : block->body())
        take(child);
    else if (const auto *loop = dyn_cast<ForStmt>(statement))
      take(loop->getInit()), take(loop->getConditionVariableDeclStmt());
    else if (const auto *loop = dyn_cast<CXXForRangeStmt>(statement))
      take(loop->getInit()), take(loop->getLoopVarStmt());
    else if (const auto *branch = dyn_cast<IfStmt>(statement))
      take(branch->getInit()), take(branch->getConditionVariableDeclStmt());
    else if (const auto *branch = dyn_cast<SwitchStmt>(statement))
      take(branch->getInit()), take(branch->getConditionVariableDeclStmt());
    else if (const auto *loop = dyn_cast<WhileStmt>(statement))
      take(loop->getConditionVariableDeclStmt());
    else if (const auto *handler = dyn_cast<CXXCatchStmt>(statement))
      take(handler->getExceptionDecl());
    else if (const auto *lambda = dyn_cast<LambdaExpr>(statement)) {
      for (const LambdaCapture &capture : lambda->captures())
        if (capture.capturesVariable() && capture.getCapturedVar()->isInitCapture())
          take(capture.getCapturedVar());
      parameters(lambda->getCallOperator());
    }
    return found;
  }

  const NamedDecl *parameters(const FunctionDecl *function) {
    found = nullptr;
    for (const ParmVarDecl *parameter : function->parameters())
      take(parameter);
    return found;
  }

private:
  const llvm::StringRef name;
  const DirectivePlace &place;
  const Ranges &ranges;
  const NamedDecl *found = nullptr;

  void take(const Decl *declaration) {
    const auto *named = dyn_cast_or_null<NamedDecl>(declaration);
    if (named && named->getDeclName().isIdentifier() && named->getName() == name &&
        ranges.isBefore(ranges.begin(named->getLocation()), place.location))
      found = named;
    if (const auto *decomposed = dyn_cast_or_null<DecompositionDecl>(declaration))
      for (const BindingDecl *binding : decomposed->bindings())
        take(binding);
  }

  void take(const Stmt *statement) {
    while (statement && isa<SwitchCase, LabelStmt>(statement))
      statement = isa<LabelStmt>(statement) ? cast<LabelStmt>(statement)->getSubStmt()
                                            : cast<SwitchCase>(statement)->getSubStmt();
    if (const auto *declared = dyn_cast_or_null<DeclStmt>(statement))
      for (const Decl *declaration : declared->decls())
        take(declaration);
  }
};

/// Finds jumps from elsewhere to labels behind a place.
class JumpsPast {
public:
  JumpsPast(const DirectivePlace &place, const Ranges &ranges) : place(place), ranges(ranges) {}

  SourceLocation past() {
    const CompoundStmt *block = place.block();
    if (!block)
      return {};
    for (const Stmt *child : block->body())
      collect(child, /*inSwitch=*/false);
    if (entered.isInvalid() && !labels.empty())
      follow(place.around.front(), *block);
    return entered;
  }

private:
  const DirectivePlace &place;
  const Ranges &ranges;
  std::vector<const LabelDecl *> labels;
  SourceLocation entered;

  bool isBehind(const Stmt *statement) const {
    return ranges.isBefore(place.location, ranges.begin(statement->getSourceRange()));
  }

  /// `inSwitch`: case labels belong to a switch that begins behind the place.
  void collect(const Stmt *statement, bool inSwitch) {
    if (isa<LambdaExpr>(statement))
      return;
    if (isBehind(statement)) {
      if (const auto *label = dyn_cast<LabelStmt>(statement))
        labels.push_back(label->getDecl());
      if (isa<SwitchCase>(statement) && !inSwitch && entered.isInvalid())
        entered = statement->getBeginLoc();
      inSwitch |= isa<SwitchStmt>(statement);
    }
    for (const Stmt *child : statement->children())
      if (child)
        collect(child, inSwitch);
  }

  void follow(const Stmt *statement, const CompoundStmt &block) {
    if (const auto *jump = dyn_cast<GotoStmt>(statement);
        jump && llvm::is_contained(labels, jump->getLabel()) &&
        !(isBehind(jump) && ranges.contain(block.getSourceRange(), jump->getBeginLoc())))
      entered = jump->getLabel()->getLocation();
    for (const Stmt *child : statement->children())
      if (child)
        follow(child, block);
  }
};

const NamedDecl *lookUpOutside(llvm::StringRef name, const DirectivePlace &place,
                               const Ranges &ranges, ASTContext &context) {
  const DeclarationName identifier(&context.Idents.get(name));
  const DeclContext *around =
      place.functions.empty() ? place.context : place.functions.front()->getDeclContext();
  for (; around; around = around->getParent()) {
    if (around->isFunctionOrMethod() || isa<LinkageSpecDecl>(around))
      continue;
    for (NamedDecl *declaration : around->lookup(identifier)) {
      if (isa<UsingDecl>(declaration))
        continue; // a shadow declaration stands for what it names
      const auto *named = cast<NamedDecl>(behindUsing(declaration));
      for (const Decl *one : named->redecls())
        if (isa<FieldDecl>(named) ||
            ranges.isBefore(ranges.begin(one->getLocation()), place.location))
          return named;
    }
  }
  return nullptr;
}

} // namespace

const CompoundStmt *DirectivePlace::block() const {
  for (const Stmt *statement : llvm::reverse(around))
    if (const auto *found = dyn_cast<CompoundStmt>(statement))
      return found;
  return nullptr;
}

bool DirectivePlace::isInScopeOf(const DirectivePlace &earlier) const {
  return llvm::is_contained(around, earlier.block());
}

std::vector<const LambdaExpr *> DirectivePlace::lambdasWithin(const DirectivePlace &outer) const {
  std::vector<const LambdaExpr *> lambdas;
  for (const Stmt *statement : around)
    if (const auto *lambda = dyn_cast<LambdaExpr>(statement);
        lambda && !llvm::is_contained(outer.around, statement))
      lambdas.push_back(lambda);
  return lambdas;
}

std::vector<const LambdaExpr *> DirectivePlace::lambdasFrom(const VarDecl &variable,
                                                            const SourceManager &sources) const {
  std::vector<const LambdaExpr *> lambdas;
  if (variable.hasLocalStorage())
    for (const Stmt *statement : around)
      if (const auto *lambda = dyn_cast<LambdaExpr>(statement);
          lambda &&
          sources.isBeforeInTranslationUnit(variable.getLocation(), lambda->getBeginLoc()))
        lambdas.push_back(lambda);
  return lambdas;
}

bool capturesByReference(const LambdaExpr &lambda, const VarDecl *variable) {
  for (const LambdaCapture &capture : lambda.explicit_captures())
    if (variable && capture.capturesVariable() &&
        capture.getCapturedVar()->getCanonicalDecl() == variable)
      return capture.getCaptureKind() == LCK_ByRef;
  return lambda.getCaptureDefault() == LCD_ByRef;
}

std::vector<DirectivePlace> placesOf(const std::vector<SourceLocation> &locations,
                                     ASTContext &context) {
  const SourceManager &sources = context.getSourceManager();
  const Ranges ranges(sources);
  BodyFinder finder(sources, locations);
  for (Decl *declaration : context.getTranslationUnitDecl()->noload_decls())
    if (!declaration->isFromASTFile())
      finder.TraverseDecl(declaration);
  std::vector<DirectivePlace> places(locations.size());
  for (std::size_t number = 0; number < locations.size(); ++number) {
    DirectivePlace &place = places[number];
    place.location = locations[number];
    place.context =
        finder.contexts[number] ? finder.contexts[number] : context.getTranslationUnitDecl();
    std::vector<Body> &bodies = finder.bodies[number];
    std::stable_sort(bodies.begin(), bodies.end(), [&](const Body &left, const Body &right) {
      return ranges.isBefore(ranges.begin(left.text->getSourceRange()),
                             ranges.begin(right.text->getSourceRange()));
    });
    Descent descent(place, ranges, context);
    for (const Body &body : bodies)
      if (!llvm::is_contained(place.around, body.text)) // a lambda's body is entered from outside
        descent.enter(body.text);
    if (bodies.empty()) {
      if (finder.whole[number])
        place.obstacle =
            "stands in a declaration, expected a block or a place between declarations";
      continue;
    }
    for (const Body &body : bodies)
      place.functions.push_back(body.function);
    descent.judge();
  }
  return places;
}

const NamedDecl *lookUp(llvm::StringRef name, const DirectivePlace &place, ASTContext &context) {
  const Ranges ranges(context.getSourceManager());
  LocalNames locals(name, place, ranges);
  for (const Stmt *statement : llvm::reverse(place.around)) {
    if (const NamedDecl *declaration = locals.in(statement))
      return declaration;
    for (const FunctionDecl *function : place.functions)
      if (function->getBody() == statement)
        if (const NamedDecl *parameter = locals.parameters(function))
          return parameter;
  }
  return lookUpOutside(name, place, ranges, context);
}

SourceLocation jumpPast(const DirectivePlace &place, ASTContext &context) {
  return JumpsPast(place, Ranges(context.getSourceManager())).past();
}

} // namespace sendwright
