// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/tool/legality/LegalityFixture.h"

#include "test/tool/ParsedSource.h"
#include "tool/sites/LoopSites.h"

#include "clang/AST/RecursiveASTVisitor.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace clang;

namespace sendwright::test {

namespace {

class LoopFinder : public RecursiveASTVisitor<LoopFinder> {
public:
  const FunctionDecl *function = nullptr;
  const Stmt *loop = nullptr;

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitFunctionDecl(FunctionDecl *candidate) {
    const SourceManager &sources = candidate->getASTContext().getSourceManager();
    if (!function && sources.isInMainFile(candidate->getLocation()) &&
        candidate->getNameAsString() == "exchange" && !candidate->isDependentContext() &&
        candidate->doesThisDeclarationHaveABody()) {
      function = candidate;
      find(candidate->getBody());
    }
    return true;
  }

private:
  void find(const Stmt *statement) {
    if (!statement || loop)
      return;
    if (isa<ForStmt, CXXForRangeStmt, WhileStmt, DoStmt>(statement)) {
      loop = statement;
      return;
    }
    if (const auto *captured = dyn_cast<CapturedStmt>(statement))
      find(captured->getCapturedStmt());
    for (const Stmt *child : statement->children())
      find(child);
  }
};

} // namespace

LoopVerdict judge(const std::string &source, Language language, const Plan *plan,
                  const std::vector<std::string> &arguments) {
  auto unit = parse(source, language, arguments);
  if (!unit)
    return {};
  LoopFinder finder;
  finder.TraverseDecl(unit->getASTContext().getTranslationUnitDecl());
  if (!finder.loop) {
    ADD_FAILURE() << "no loop in a function 'exchange': " << source;
    return {};
  }
  LoopVerdict verdict = Legality(unit->getASTContext(), plan).judge(finder.loop, finder.function);
  if (verdict.refusal) {
    EXPECT_TRUE(verdict.refusal->location.isValid());
    verdict.refusal->location = {}; // the unit ends here
  }
  return verdict;
}

std::string refusal(const std::string &source, Language language, const Plan *plan,
                    const std::vector<std::string> &arguments) {
  LoopVerdict verdict = judge(source, language, plan, arguments);
  return verdict.refusal ? verdict.refusal->reason : "";
}

std::string refusalOfBody(const std::string &body, const std::string &before) {
  return refusal(before +
                     "\nvoid exchange(int n, const int *to, double *b, MPI_Comm c) {\n"
                     "  int i; for (i = 0; i < n; i++) {\n" +
                     body + "\n    MPI_Send(b, 1, MPI_DOUBLE, to[i], 0, c); } }\n",
                 Language::C);
}

std::string refusalOfCxxBody(const std::string &body, const std::string &before) {
  return refusal(before +
                     "\nvoid exchange(int n, const int *to, double *b, MPI_Comm c) {\n"
                     "  for (int i = 0; i < n; i++) { " +
                     body + " MPI_Send(b, 1, MPI_DOUBLE, to[i], 0, c); } }",
                 Language::Cxx);
}

LoopVerdict judgeBlock(const std::string &source, Language language) {
  const auto unit = parse(source, language);
  if (!unit)
    return {};
  const UnitSites sites = findSites(unit->getASTContext(), {});
  const auto block = std::find_if(sites.loops.begin(), sites.loops.end(),
                                  [](const LoopSite &site) { return site.isBlock(); });
  if (block == sites.loops.end()) {
    ADD_FAILURE() << "no block of sends: " << source;
    return {};
  }
  LoopVerdict verdict =
      Legality(unit->getASTContext(), nullptr)
          .judge(block->instances.front().loop, block->instances.front().function);
  if (verdict.refusal) {
    EXPECT_TRUE(verdict.refusal->location.isValid());
    verdict.refusal->location = {}; // the unit ends here
  }
  return verdict;
}

std::string refusalOfBlock(const std::string &statements, const std::string &before) {
  const LoopVerdict verdict = judgeBlock(
      before + "\nvoid exchange(int n, const int *to, double *b, MPI_Comm c, MPI_Request *r) {\n" +
      statements + "\n}\n");
  return verdict.refusal ? verdict.refusal->reason : "";
}

std::map<std::string, FunctionFacts> functionFacts(const std::string &source, Language language,
                                                   const Plan *plan) {
  auto unit = parse(source, language);
  return unit ? Legality(unit->getASTContext(), plan).functions()
              : std::map<std::string, FunctionFacts>();
}

std::map<std::string, CallTarget> callTargets(const std::string &source, Language language) {
  std::map<std::string, CallTarget> targets;
  if (auto unit = parse(source, language)) {
    const Plan plan;
    for (const CallTarget &target : Legality(unit->getASTContext(), &plan).targets())
      targets[target.symbol] = target;
  }
  return targets;
}

} // namespace sendwright::test
