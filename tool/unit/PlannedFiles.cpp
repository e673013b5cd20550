// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/unit/PlannedFiles.h"

#include "analysis/plan/KnownSections.h"
#include "analysis/program/FunctionSummary.h"
#include "tool/source/ClangCompatibility.h"
#include "tool/source/IncludeClosure.h"
#include "tool/transformations/redistribution/RedistributionDirectives.h"
#include "tool/unit/DefinedNames.h"
#include "tool/unit/QuietInvocation.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/DependencyDirectivesScanner.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/Path.h"

#include <cstdlib>
#include <map>

namespace sendwright {

namespace {

/// The directives of each file, kept while the preprocessor runs.
class DirectiveCache {
public:
  explicit DirectiveCache(clang::FileManager &files) : files(files) {}

  std::optional<llvm::ArrayRef<clang::dependency_directives_scan::Directive>>
  directivesOf(clang::FileEntryRef file) {
    const auto [entry, isNew] = scanned.try_emplace(&file.getFileEntry());
    Scan &scan = entry->second;
    if (isNew) {
      auto buffer = files.getBufferForFile(file);
      if (!buffer)
        return std::nullopt;
      scan.buffer = std::move(*buffer);
      scan.failed = clang::scanSourceForDependencyDirectives(scan.buffer->getBuffer(), scan.tokens,
                                                             scan.directives);
    }
    if (scan.failed || !scan.buffer)
      return std::nullopt; // the whole text is preprocessed
    return llvm::ArrayRef(scan.directives);
  }

private:
  struct Scan {
    std::unique_ptr<llvm::MemoryBuffer> buffer;
    llvm::SmallVector<clang::dependency_directives_scan::Token, 16> tokens;
    llvm::SmallVector<clang::dependency_directives_scan::Directive, 16> directives;
    bool failed = false;
  };
  clang::FileManager &files;
  std::map<const clang::FileEntry *, Scan> scanned;
};

class NameWatcher : public InclusionListener {
public:
  NameWatcher(const llvm::StringSet<> &names, bool &found) : names(names), found(found) {}
  void included(llvm::StringRef name) override {
    found |= names.contains(llvm::sys::path::filename(name));
  }

private:
  const llvm::StringSet<> &names;
  bool &found;
};

class ScanAction : public clang::PreprocessOnlyAction {
public:
  ScanAction(const llvm::StringSet<> &names, bool &found) : names(names), found(found) {}

protected:
  bool BeginSourceFileAction(clang::CompilerInstance &compiler) override {
    compiler.getPreprocessor().addPPCallbacks(std::make_unique<NameWatcher>(names, found));
    return PreprocessOnlyAction::BeginSourceFileAction(compiler);
  }

private:
  const llvm::StringSet<> &names;
  bool &found;
};

bool rewritesLoops(const Plan &plan) {
  return llvm::any_of(plan.rankCounts, [](const auto &rankCount) {
    return llvm::any_of(rankCount.second.sites,
                        [](const SitePlan &site) { return site.decision == Decision::Rewrite; });
  });
}

bool concernsWholeRun(const Plan &plan) {
  return llvm::any_of(plan.rankCounts, [](const auto &rankCount) {
    return llvm::any_of(knownSections(), [&](const PlanSections *content) {
      return content->concernsWholeRun(rankCount.second);
    });
  });
}

llvm::StringSet<> filesToRewrite(const Plan &plan) {
  llvm::StringSet<> names;
  for (const auto &[ranks, rankCount] : plan.rankCounts) {
    for (const SitePlan &site : rankCount.sites)
      if (site.decision == Decision::Rewrite)
        names.insert(llvm::sys::path::filename(site.site.file));
    for (const PlanSections *content : knownSections())
      for (const std::string &file : content->otherFiles(rankCount))
        names.insert(llvm::sys::path::filename(file));
  }
  return names;
}

/// Whether other files are unlikely to include this one: it is a unit's main file.
bool isSource(llvm::StringRef name) {
  const llvm::StringRef extension = llvm::sys::path::extension(name);
  for (const char *source : {".c", ".cc", ".cpp", ".cxx", ".C"})
    if (extension == source)
      return true;
  return false;
}

/// Whether the command line and the main file alone decide: they name a file of the plan.
bool mainFileDecides(clang::CompilerInvocation &invocation, clang::FileManager &files,
                     const llvm::StringSet<> &names) {
  for (const std::string &included : invocation.getPreprocessorOpts().Includes)
    if (names.contains(llvm::sys::path::filename(included)))
      return true;
  for (const clang::FrontendInputFile &input : invocation.getFrontendOpts().Inputs) {
    if (!input.isFile() || input.getKind().isPreprocessed() || input.getFile() == "-" ||
        names.contains(llvm::sys::path::filename(input.getFile())))
      return true;
    const auto text = files.getBufferForFile(input.getFile());
    if (!text)
      return true; // the parse will report it
    for (const auto &name : names)
      if ((*text)->getBuffer().contains(name.getKey()))
        return true;
  }
  return false;
}

bool isPartOfIdentifier(char character) { return llvm::isAlnum(character) || character == '_'; }

llvm::StringSet<> identifiersIn(llvm::StringRef text) {
  llvm::StringSet<> words;
  while (!text.empty()) {
    words.insert(text.take_while(isPartOfIdentifier));
    text = text.drop_while(isPartOfIdentifier).drop_until(isPartOfIdentifier);
  }
  return words;
}

/// Names of C++ functions, which no C function has.
bool isMangled(llvm::StringRef symbol) { return symbol.starts_with("_Z"); }

/// The first identifier of a function's own name, taken from the linker's name.
std::string nameInSource(const std::string &symbol) {
  llvm::ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(symbol.c_str()))
    return symbol; // C
  std::size_t size = 0;
  char *base = demangler.getFunctionBaseName(nullptr, &size);
  if (!base)
    return symbol;
  const llvm::StringRef name = base;
  std::string word = name.drop_until(isPartOfIdentifier).take_while(isPartOfIdentifier).str();
  std::free(base);
  return word;
}

} // namespace

bool mayHoldPlannedSites(std::shared_ptr<clang::CompilerInvocation> invocation,
                         clang::FileManager &files,
                         std::shared_ptr<clang::PCHContainerOperations> containers,
                         const Plan &plan) {
  const llvm::StringSet<> names = filesToRewrite(plan);
  if (mainFileDecides(*invocation, files, names))
    return true;
  if (llvm::all_of(names, [](const auto &name) { return isSource(name.getKey()); }))
    return false;
  const Reach reach = reachOfIncludes(*invocation, files, names);
  if (reach != Reach::Unknown)
    return reach == Reach::Possible;

  keepOnlyReading(*invocation);
  bool found = false;
  DirectiveCache cache(files);
  clang::IgnoringDiagConsumer silence;
  const auto compiler = makeCompiler(std::move(invocation), std::move(containers), files, silence);
  readDirectivesOnly(*compiler, [&](clang::FileEntryRef file) { return cache.directivesOf(file); });
  ScanAction action(names, found);
  compiler->ExecuteAction(action);
  return found;
}

bool mayDefinePlannedFunctions(llvm::StringRef mainFile, const clang::LangOptions &language,
                               clang::FileManager &files, const Plan &plan) {
  if (!rewritesLoops(plan) || plan.functions.empty())
    return false;
  if (plan.functionFiles.contains(llvm::sys::path::filename(mainFile).str()))
    return true;
  const auto text = files.getBufferForFile(mainFile);
  if (!text)
    return true; // the parse will report it
  const llvm::StringSet<> words = identifiersIn((*text)->getBuffer());
  llvm::StringSet<> mentioned;
  for (const auto &[symbol, facts] : plan.functions)
    if (language.CPlusPlus || !isMangled(symbol))
      if (const std::string name = nameInSource(symbol);
          words.contains(name) && !resolveFunction(symbol, plan.functions, nullptr).mayWait)
        mentioned.insert(name);
  return language.CPlusPlus ? mayDefine((*text)->getBuffer(), language, mentioned)
                            : !mentioned.empty();
}

bool mayHoldDirectives(const clang::CompilerInvocation &invocation, clang::FileManager &files) {
  for (const clang::FrontendInputFile &input : invocation.getFrontendOpts().Inputs)
    if (!input.isFile() || input.getFile() == "-")
      return true; // a pipe can be read only once
  return reachesText(invocation, files, mentionsDirectives);
}

bool carriesSynchronization(llvm::StringRef mainFile, clang::FileManager &files, const Plan &plan) {
  if (!concernsWholeRun(plan))
    return false;
  const auto text = files.getBufferForFile(mainFile);
  if (!text)
    return false;
  const llvm::StringSet<> words = identifiersIn((*text)->getBuffer());
  return words.contains("main") || words.contains("MPI_Init") || words.contains("MPI_Init_thread");
}

} // namespace sendwright
