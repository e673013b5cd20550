// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/sites/IndirectCallees.h"

#include "tool/legality/EvaluatedCode.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace sendwright {

namespace {

/// Where calls of something else than a pointer's target end.
class OtherCalls : public RecursiveASTVisitor<OtherCalls> {
public:
  llvm::DenseSet<SourceLocation> ends;

  bool VisitCallExpr(CallExpr *call) {
    if (!isIndirect(*call))
      ends.insert(call->getRParenLoc());
    return true;
  }
};

class TextFinder {
public:
  TextFinder(const LoopSite &site, const ASTContext &context)
      : site(site), sources(context.getSourceManager()), language(context.getLangOpts()) {}

  /// Returns the obstacle.
  std::string find(const CallExpr &call, CalleeEdit &text) const {
    const Expr *callee = call.getCallee()->IgnoreImpCasts();
    const SourceLocation begin = callee->getBeginLoc(), last = callee->getEndLoc();
    if (begin.isMacroID() || last.isMacroID() || call.getRParenLoc().isMacroID())
      return "calls through a function pointer within a macro";
    if (callee->getType()->isVariablyModifiedType())
      return "calls through a function pointer whose type depends on a variable";
    const SourceLocation end = Lexer::getLocForEndOfToken(last, 0, sources, language);
    const auto [file, offset] = sources.getDecomposedLoc(begin);
    const auto [endFile, endOffset] = sources.getDecomposedLoc(end);
    const auto next = Lexer::findNextToken(last, sources, language);
    if (file != site.file || endFile != file || offset < site.begin || endOffset <= offset ||
        endOffset > site.end || !next || next->isNot(tok::l_paren))
      return "calls through a function pointer in a way that cannot be edited";
    // Within a macro's argument all would be of the first line.
    if (sources.getBufferData(file).slice(offset, endOffset).contains('\n'))
      return "calls through a function pointer that is written on several lines";
    text = {offset, endOffset, ""};
    return "";
  }

private:
  const LoopSite &site;
  const SourceManager &sources;
  const LangOptions &language;
};

} // namespace

IndirectCallees indirectCallees(const LoopSite &site, const std::vector<const CallExpr *> &calls,
                                const ASTContext &context) {
  IndirectCallees found;
  if (calls.empty())
    return found;
  OtherCalls others;
  for (const LoopInstance &instance : site.instances)
    others.TraverseStmt(const_cast<Stmt *>(instance.loop));
  const TextFinder finder(site, context);
  for (const CallExpr *call : calls) {
    CalleeEdit text;
    found.obstacle = finder.find(*call, text);
    if (found.obstacle.empty() && others.ends.contains(call->getRParenLoc()))
      found.obstacle = "calls through a function pointer in one instantiation, and not in another";
    if (!found.obstacle.empty())
      return found;
    if (llvm::none_of(found.texts, [&](const CalleeEdit &known) {
          return known.begin == text.begin && known.end == text.end;
        }))
      found.texts.push_back(text);
  }
  return found;
}

} // namespace sendwright
