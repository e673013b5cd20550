// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler plugin: rewrites a unit before the compiler reads it.
//
// The compiler calls createASTConsumer when it has its options and its source manager, and has not
// read a line yet. The unit is parsed and rewritten on its own then; the compiler's source manager
// is given the new texts in place of the files', and goes on as if they had been there all the
// time. So every action of the compiler (-c, -S, -emit-llvm, -flto) sees the rewritten unit.

#include "tool/ClangCompatibility.h"
#include "tool/Emission.h"
#include "tool/Options.h"
#include "tool/PlannedFiles.h"
#include "tool/TranslationUnit.h"

#include "analysis/file/FormatError.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <dlfcn.h>
#include <optional>

namespace {

using namespace sendwright;

/// The runtime's header lies in include/ beside the folder of the plugin, built or installed.
std::string runtimeHeader() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<const void *>(&runtimeHeader), &info) || !info.dli_fname)
    return "sendwright/runtime.h";
  llvm::SmallString<256> path(info.dli_fname);
  if (llvm::sys::fs::make_absolute(path))
    return "sendwright/runtime.h";
  llvm::sys::path::remove_filename(path);
  llvm::sys::path::append(path, "..", "include", "sendwright", "runtime.h");
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return std::string(path);
}

void reportError(clang::CompilerInstance &compiler, const std::string &text) {
  clang::DiagnosticsEngine &diagnostics = compiler.getDiagnostics();
  diagnostics.Report(diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0")) << text;
}

/// Hands the rewritten texts to the compiler. Locations of the main file were handed out for its
/// old length: it is entered anew.
void replaceTexts(clang::SourceManager &sources, const std::vector<EditedFile> &files) {
  const clang::FileID oldMain = sources.getMainFileID();
  const clang::OptionalFileEntryRef mainFile = sources.getFileEntryRefForID(oldMain);
  const auto kind = sources.getFileCharacteristic(sources.getLocForStartOfFile(oldMain));
  for (const EditedFile &edited : files) {
    sources.overrideFileContents(
        edited.file, llvm::MemoryBuffer::getMemBufferCopy(edited.compiled(), edited.name));
    if (edited.file == *mainFile)
      sources.setMainFileID(sources.createFileID(*mainFile, clang::SourceLocation(), kind));
  }
}

/// A unit that brings the plan with it.
Unit carrier(Unit unit, const PlanFile &plan) {
  unit.plan = plan.bytes;
  return unit;
}

Unit carrier(llvm::StringRef mainFile, const PlanFile &plan) {
  Unit unit;
  unit.file = mainFile.str();
  return carrier(std::move(unit), plan);
}

/// Adds text to the predefined macros once a precompiled header, which replaces them, is loaded.
class PredefinesConsumer : public clang::ASTConsumer {
public:
  PredefinesConsumer(clang::CompilerInstance &compiler, std::string text)
      : compiler(compiler), text(std::move(text)) {}
  void Initialize(clang::ASTContext &) override {
    clang::Preprocessor &preprocessor = compiler.getPreprocessor();
    preprocessor.setPredefines(withPredefines(preprocessor.getPredefines(), text));
  }

private:
  clang::CompilerInstance &compiler;
  const std::string text;
};

class SendwrightAction : public clang::PluginASTAction {
public:
  bool ParseArgs(const clang::CompilerInstance &,
                 const std::vector<std::string> &arguments) override {
    if (isParsing())
      return false; // our own parse
    error = parseArguments(arguments, options);
    return options.generate || !options.plan.empty() || !error.empty();
  }

  ActionType getActionType() override { return AddBeforeMainAction; }

protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler,
                                                        llvm::StringRef mainFile) override {
    return std::make_unique<PredefinesConsumer>(compiler, rewrite(compiler, mainFile));
  }

private:
  Options options;
  std::string error;

  /// Returns the text to put before the unit.
  std::string rewrite(clang::CompilerInstance &compiler, llvm::StringRef mainFile) {
    clang::SourceManager &sources = compiler.getSourceManager();
    if (!sources.getFileEntryRefForID(sources.getMainFileID()))
      return ""; // a module map
    const clang::LangOptions &language = compiler.getLangOpts();
    if (isForDevice(language))
      return "";
    std::optional<PlanFile> plan;
    ProjectRules rules;
    try {
      if (error.empty())
        rules = ProjectRules::forSource(mainFile, options);
      if (error.empty() && !options.plan.empty())
        plan = PlanFile::read(options.plan);
    } catch (const FormatError &failure) {
      error = failure.what();
    }
    if (!error.empty()) {
      reportError(compiler, error);
      return "";
    }

    std::string dependency = plan ? dependencyOn(options.plan) : "";
    if (!rules.file().empty())
      dependency += dependencyOn(rules.file());
    if (rules.leavesOut(mainFile))
      return dependency;
    const auto invocation = [&] {
      return std::make_shared<clang::CompilerInvocation>(compiler.getInvocation());
    };
    const bool carriesPlan =
        plan && carriesSynchronization(mainFile, compiler.getFileManager(), plan->plan);
    if (plan && options.remarks != RemarkLevel::All &&
        !mayDefinePlannedFunctions(mainFile, language, compiler.getFileManager(), plan->plan) &&
        !mayHoldPlannedSites(invocation(), compiler.getFileManager(),
                             compiler.getPCHContainerOperations(), plan->plan))
      return carriesPlan ? dependency + declarationsOf(carrier(mainFile, *plan), runtimeHeader())
                         : dependency;

    clang::IgnoringDiagConsumer silence; // the compiler itself reports the unit's errors
    RewrittenUnit unit = rewriteUnit(
        invocation(), compiler.getFileManager(), compiler.getPCHContainerOperations(), options,
        rules, plan ? &*plan : nullptr, {silence, compiler.getDiagnosticClient()});

    replaceTexts(sources, unit.files);
    if (!options.outputDirectory.empty())
      if (std::string failure = writeReadable(unit.files, options.outputDirectory);
          !failure.empty())
        reportError(compiler, failure);

    if (carriesPlan && unit.parsed)
      unit.unit = carrier(std::move(unit.unit), *plan);
    if (unit.unit.sites.empty() && unit.unit.calls.empty() && unit.unit.functions.empty() &&
        unit.unit.facts.empty() && unit.unit.plan.empty())
      return dependency;
    return dependency + declarationsOf(unit.unit, runtimeHeader());
  }
};

const clang::FrontendPluginRegistry::Add<SendwrightAction>
    registration("sendwright", "profile-guided optimisation of MPI communication");

} // namespace
