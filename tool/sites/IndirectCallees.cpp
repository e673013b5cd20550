// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/sites/IndirectCallees.h"

#include "tool/legality/EvaluatedCode.h"
#include "tool/source/Emission.h"
#include "tool/source/SyntaxWalk.h"

#include "clang/AST/RecordLayout.h"
#include "clang/AST/VTableBuilder.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace sendwright {

namespace {

/// Where the other calls end, whose targets are known in one instance of the loop.
class OtherCalls final : public SyntaxWalk {
public:
  llvm::DenseSet<SourceLocation> ends;

  bool VisitCallExpr(CallExpr *call) override {
    if (!isIndirect(*call) && !virtualCallee(*call))
      ends.insert(call->getRParenLoc());
    return true;
  }
};

class TextFinder {
public:
  TextFinder(const LoopSite &site, ASTContext &context)
      : site(site), context(context), sources(context.getSourceManager()) {}

  /// Returns the obstacle, a phrase to be appended to what the call is.
  std::string find(const CallExpr &call, CalleeText &text) const {
    const Expr *checked = call.getCallee()->IgnoreImpCasts();
    text.call = checkedCall();
    tok::TokenKind follows = tok::l_paren;
    if (const CXXMethodDecl *method = virtualCallee(call)) {
      const auto &member = *cast<MemberExpr>(call.getCallee()->IgnoreParens());
      const std::optional<std::uint64_t> slot = slotOf(*method, member);
      if (!slot)
        return ", whose object cannot be passed to the runtime";
      checked = member.getBase()->IgnoreImpCasts();
      text.call = checkedCall(*slot, member.isArrow());
      follows = member.isArrow() ? tok::arrow : tok::period;
    }
    if (const Expr *pointer = memberPointerOf(call)) {
      checked = pointer;
      text.call = checkedMemberCall();
      follows = tok::r_paren;
    }
    if (checked->getType()->isVariablyModifiedType())
      return " whose type depends on a variable";
    return findText(*checked, call, follows, text);
  }

private:
  std::string findText(const Expr &checked, const CallExpr &call, tok::TokenKind follows,
                       CalleeText &text) const {
    const SourceLocation begin = checked.getBeginLoc(), last = checked.getEndLoc();
    if (begin.isMacroID() || last.isMacroID() || call.getRParenLoc().isMacroID())
      return " within a macro";
    const LangOptions &language = context.getLangOpts();
    const SourceLocation end = Lexer::getLocForEndOfToken(last, 0, sources, language);
    const auto [file, offset] = sources.getDecomposedLoc(begin);
    const auto [endFile, endOffset] = sources.getDecomposedLoc(end);
    const auto next = Lexer::findNextToken(last, sources, language);
    if (file != site.file || endFile != file || offset < site.begin || endOffset <= offset ||
        endOffset > site.end || !next || next->isNot(follows))
      return " in a way that cannot be edited";
    // Within a macro's argument, all lines would count as the first.
    if (sources.getBufferData(file).slice(offset, endOffset).contains('\n'))
      return " that is written on several lines";
    text.begin = offset;
    text.end = endOffset;
    return "";
  }

  /// The function's index in the virtual table at the start of the object, if its class has it
  /// there.
  std::optional<std::uint64_t> slotOf(const CXXMethodDecl &method, const MemberExpr &member) const {
    const Expr *base = member.getBase();
    const Expr *written = base->IgnoreImpCasts();
    const QualType type = member.isArrow() ? written->getType()->getPointeeType()
                                           : written->getType().getNonReferenceType();
    const auto *record = type.isNull() ? nullptr : type->getAsCXXRecordDecl();
    // An overloaded arrow leaves no text for the object: what is written is another object.
    if (!record || written->isImplicitCXXThis() || isa<CXXOperatorCallExpr>(written) ||
        !(member.isArrow() ? written->getType()->isPointerType() : written->isLValue()))
      return std::nullopt;
    const CXXRecordDecl *owner = method.getParent()->getCanonicalDecl();
    for (record = record->getDefinition(); record && record->getCanonicalDecl() != owner;) {
      const ASTRecordLayout &layout = context.getASTRecordLayout(record);
      if (layout.isPrimaryBaseVirtual())
        return std::nullopt;
      record = layout.getPrimaryBase();
    }
    auto *tables = dyn_cast<ItaniumVTableContext>(context.getVTableContext());
    if (!record || !tables || tables->isRelativeLayout())
      return std::nullopt;
    return tables->getMethodVTableIndex(GlobalDecl(&method));
  }

  const LoopSite &site;
  ASTContext &context;
  const SourceManager &sources;
};

} // namespace

IndirectCallees indirectCallees(const LoopSite &site, const std::vector<const CallExpr *> &calls,
                                ASTContext &context) {
  IndirectCallees found;
  if (calls.empty())
    return found;
  OtherCalls others;
  for (const InstantiatedLoop &instance : site.instances)
    others.TraverseStmt(const_cast<Stmt *>(instance.loop));
  const TextFinder finder(site, context);
  for (const CallExpr *call : calls) {
    CalleeText text;
    std::string obstacle = finder.find(*call, text);
    const auto differs = [&](const CalleeText &known) {
      return known.begin == text.begin && known.end == text.end && known.call != text.call;
    };
    if (obstacle.empty() &&
        (others.ends.contains(call->getRParenLoc()) || llvm::any_of(found.texts, differs)))
      obstacle = " in one instantiation but not in another";
    if (!obstacle.empty()) {
      const CXXMethodDecl *method = virtualCallee(*call);
      found.obstacle = method ? "calls the virtual function '" + method->getNameAsString() + "'"
                              : unknownCallReason(*call);
      found.obstacle += obstacle;
      return found;
    }
    if (llvm::none_of(found.texts, [&](const CalleeText &known) {
          return known.begin == text.begin && known.end == text.end;
        }))
      found.texts.push_back(text);
  }
  return found;
}

} // namespace sendwright
