// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Redistribution in a unit: directives are translated in any build.

#include "tool/transformations/redistribution/Redistribution.h"

#include <algorithm>

namespace sendwright {

namespace {

class UnitRedistribution final : public UnitTransformation {
public:
  void begin(clang::Preprocessor &preprocessor) override {
    collectDirectives(preprocessor, directives);
  }

  std::vector<SourceError> translate(clang::CompilerInstance &compiler, const Plan *plan,
                                     Remarks &remarks, Edits &edits, Unit &unit) override {
    TranslatedDirectives translated = translateDirectives(
        directives, plan, compiler.getASTContext(), compiler.getPreprocessor(), edits);
    for (const DistributedArray &array : translated.whole)
      remarks.applied(array.location, "'" + array.name +
                                          "' has global indices: every rank has room for all of it "
                                          "and owns a part, which is moved in place");
    for (const DistributedArray &array : translated.blocks)
      remarks.asUsual(array.location,
                      "'" + array.name + "' names this rank's block, which is replaced");
    unit.directives = std::move(translated.objects);
    exchanges = std::move(translated.exchanges);
    sources = &compiler.getSourceManager();
    return std::move(translated.errors);
  }

  /// A loop that holds a directive stays: sends are not to be deferred past what moves their data.
  /// Directives that send are sites themselves.
  void completeSites(UnitSites &sites) override {
    for (LoopSite &site : sites.loops)
      for (const DirectivePragma &directive : directives)
        if (directive.file == site.file && directive.begin > site.begin && directive.end < site.end)
          site.obstacle = "a directive in it moves the blocks of arrays";
    llvm::append_range(sites.loops, exchanges);
    std::stable_sort(sites.loops.begin(), sites.loops.end(),
                     [this](const LoopSite &one, const LoopSite &other) {
                       return sources->isBeforeInTranslationUnit(one.location, other.location);
                     });
  }

private:
  std::vector<DirectivePragma> directives;
  std::vector<LoopSite> exchanges; ///< directives that fill halo cells
  const clang::SourceManager *sources = nullptr;
};

} // namespace

std::unique_ptr<UnitTransformation> makeUnitRedistribution() {
  return std::make_unique<UnitRedistribution>();
}

} // namespace sendwright
