// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler plugin: rewrites a unit before the compiler reads it.
//
// The compiler calls createASTConsumer when it has its options and its source manager, and has not
// read a line yet. At that point the plugin parses and rewrites the unit on its own, and gives the
// new texts to the compiler's source manager in place of the files. The compiler goes on as if the
// files had always had these texts. So every action of the compiler (-c, -S, -emit-llvm, -flto)
// sees the rewritten unit.

#include "analysis/file/Escaping.h"
#include "tool/source/ClangCompatibility.h"
#include "tool/source/Emission.h"
#include "tool/source/LateDefinition.h"
#include "tool/transformations/redistribution/RedistributionDirectives.h"
#include "tool/unit/Options.h"
#include "tool/unit/PlannedFiles.h"
#include "tool/unit/TranslationUnit.h"
#include "tool/unit/UnmarkedUnit.h"

#include "analysis/file/Activity.h"
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

/// The runtime's header lies in include/ beside the plugin's folder, both in the build folder and
/// installed.
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
  diagnostics.Report(diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0"))
      << printable(text);
}

/// Hands the rewritten texts to the compiler. The main file is entered anew, because its locations
/// were allocated for its old length.
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

/// A unit that carries the plan.
Unit carrier(Unit unit, const PlanFile &plan) {
  unit.plan = plan.bytes;
  return unit;
}

Unit carrier(llvm::StringRef mainFile, const PlanFile &plan) {
  Unit unit;
  unit.file = mainFile.str();
  return carrier(std::move(unit), plan);
}

/// What a unit gets before its first line and after its last.
struct UnitTexts {
  std::string before;      ///< text
  std::string description; ///< the function that returns the unit's description, if it gets one
};

/// Adds text to the predefined macros after a precompiled header, which replaces them, is loaded.
/// Checks at the end of the unit that no directive is left, and describes the unit.
class UnitConsumer : public clang::ASTConsumer {
public:
  UnitConsumer(clang::CompilerInstance &compiler, UnitTexts texts)
      : compiler(compiler), texts(std::move(texts)) {}

  void Initialize(clang::ASTContext &) override {
    clang::Preprocessor &preprocessor = compiler.getPreprocessor();
    preprocessor.setPredefines(withPredefines(preprocessor.getPredefines(), texts.before));
    if (!texts.before.empty())
      expandMacros(preprocessor); // those of the runtime's header
    if (!isForDevice(compiler.getLangOpts()))
      collectUntranslated(preprocessor, untranslated);
  }

  void HandleTranslationUnit(clang::ASTContext &) override {
    clang::DiagnosticsEngine &diagnostics = compiler.getDiagnostics();
    if (diagnostics.hasErrorOccurred())
      return; // errors of the unit itself come first
    const unsigned id = diagnostics.getCustomDiagID(
        clang::DiagnosticsEngine::Error,
        "hpf: is in a file that is not searched for directives (a system header, a header that a "
        "macro names, or a header of a module), expected '#pragma hpf' in the unit's main file as "
        "well, even if only in a comment");
    for (const clang::SourceLocation place : untranslated)
      diagnostics.Report(place, id);
    if (!texts.description.empty())
      describe();
  }

private:
  clang::CompilerInstance &compiler;
  const UnitTexts texts;
  std::vector<clang::SourceLocation> untranslated;

  void describe() {
    try {
      defineTextFunction(compiler, texts.description, describeUnmarked(compiler.getASTContext()));
    } catch (const std::exception &failure) {
      reportError(compiler, describeFailure(failure, "the unit"));
    }
  }
};

/// Reports errors in directives as errors of the compiler, in the original text.
void reportErrors(clang::CompilerInstance &compiler, const std::vector<SourceError> &errors) {
  clang::SourceManager &sources = compiler.getSourceManager();
  clang::DiagnosticsEngine &diagnostics = compiler.getDiagnostics();
  const unsigned id = diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0");
  for (const SourceError &error : errors) {
    clang::SourceLocation place;
    if (const auto file = compiler.getFileManager().getOptionalFileRef(error.file))
      place = sources.getLocForStartOfFile(sources.getOrCreateFileID(*file, clang::SrcMgr::C_User))
                  .getLocWithOffset(static_cast<int>(error.offset));
    diagnostics.Report(place, id) << printable(error.text);
  }
}

class SendwrightAction : public clang::PluginASTAction {
public:
  bool ParseArgs(const clang::CompilerInstance &,
                 const std::vector<std::string> &arguments) override {
    if (isParsing())
      return false; // this plugin's own parse
    error = parseArguments(arguments, options);
    return true;
  }

  ActionType getActionType() override { return AddBeforeMainAction; }

protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler,
                                                        llvm::StringRef mainFile) override {
    return std::make_unique<UnitConsumer>(compiler, rewriteOrReport(compiler, mainFile));
  }

private:
  Options options;
  std::string error;

  /// What the user's files say about the unit.
  struct Request {
    std::optional<PlanFile> plan;
    ProjectRules rules;
  };

  /// Reads the files, unless there is an error already. What is wrong with them becomes `error`.
  Request readRequest(llvm::StringRef mainFile) {
    Request request;
    try {
      if (error.empty())
        request.rules = ProjectRules::forSource(mainFile, options);
      if (error.empty() && !options.plan.empty())
        request.plan = PlanFile::read(options.plan);
    } catch (const FormatError &failure) {
      error = failure.what();
    }
    return request;
  }

  /// Text that makes the unit depend on the user's files.
  std::string dependencies(const std::optional<PlanFile> &plan, const ProjectRules &rules) const {
    return (plan ? dependencyOn(options.plan) : "") +
           (rules.file().empty() ? "" : dependencyOn(rules.file()));
  }

  /// Whether the unit can have loops that matter.
  bool looksAtLoops(clang::CompilerInstance &compiler, llvm::StringRef mainFile,
                    const std::optional<PlanFile> &plan) const {
    if (!plan)
      return options.generate;
    return options.remarks == RemarkLevel::All || options.overlapExchanges ||
           mayDefinePlannedFunctions(mainFile, compiler.getLangOpts(), compiler.getFileManager(),
                                     plan->plan) ||
           mayHoldPlannedSites(
               std::make_shared<clang::CompilerInvocation>(compiler.getInvocation()),
               compiler.getFileManager(), compiler.getPCHContainerOperations(), plan->plan);
  }

  /// Any exception becomes an error of the compilation; none ends the compiler itself.
  UnitTexts rewriteOrReport(clang::CompilerInstance &compiler, llvm::StringRef mainFile) {
    try {
      const Activity activity("rewriting", mainFile.str());
      return rewrite(compiler, mainFile);
    } catch (const std::exception &failure) {
      reportError(compiler, describeFailure(failure, mainFile.str()));
      return {};
    }
  }

  /// The texts for a unit that has no marks of its own.
  UnitTexts textsOfUnmarked(llvm::StringRef mainFile, const std::string &dependency) const {
    Unit unit;
    unit.file = mainFile.str();
    unit.generate = unit.describedAtEnd = true;
    return {dependency + declarationOfPresence() + declarationsOf(unit, runtimeHeader()),
            descriptionFunction(unit)};
  }

  /// The rewritten texts go to the compiler, and to the folder where the user looks at them.
  void handOver(clang::CompilerInstance &compiler, const std::vector<EditedFile> &files) const {
    replaceTexts(compiler.getSourceManager(), files);
    if (!options.outputDirectory.empty())
      if (std::string failure = writeReadable(files, options.outputDirectory); !failure.empty())
        reportError(compiler, failure);
  }

  UnitTexts rewrite(clang::CompilerInstance &compiler, llvm::StringRef mainFile) {
    const clang::SourceManager &sources = compiler.getSourceManager();
    if (!sources.getFileEntryRefForID(sources.getMainFileID()))
      return {}; // a module map
    if (isForDevice(compiler.getLangOpts()))
      return {};
    const auto [plan, rules] = readRequest(mainFile);
    if (!error.empty()) {
      reportError(compiler, error);
      return {};
    }

    std::string dependency = dependencies(plan, rules);
    const bool carriesPlan =
        plan && !rules.leavesOut(mainFile) &&
        carriesSynchronization(mainFile, compiler.getFileManager(), plan->plan);
    Options wanted = options;
    const bool loops = !rules.leavesOut(mainFile) && looksAtLoops(compiler, mainFile, plan);
    wanted.generate = options.generate && loops;
    if (!loops && !mayHoldDirectives(compiler.getInvocation(), compiler.getFileManager()))
      return {carriesPlan ? dependency + declarationsOf(carrier(mainFile, *plan), runtimeHeader())
                          : dependency,
              ""};
    if (loops && !plan && staysUnmarked(compiler, mainFile, rules) &&
        !mayHoldDirectives(compiler.getInvocation(), compiler.getFileManager()))
      return textsOfUnmarked(mainFile, dependency);

    clang::IgnoringDiagConsumer silence; // the compiler itself reports the unit's errors
    RewrittenUnit unit =
        rewriteUnit(std::make_shared<clang::CompilerInvocation>(compiler.getInvocation()),
                    compiler.getFileManager(), compiler.getPCHContainerOperations(), wanted, rules,
                    loops && plan ? &*plan : nullptr, {silence, compiler.getDiagnosticClient()});
    if (!unit.errors.empty()) {
      reportErrors(compiler, unit.errors);
      return {dependency, ""};
    }

    handOver(compiler, unit.files);
    if (carriesPlan && unit.parsed)
      unit.unit = carrier(std::move(unit.unit), *plan);
    if (unit.parsed)
      dependency += declarationOfPresence();
    if (!unit.unit.announced() && !unit.unit.directives.used)
      return {dependency, ""};
    return {dependency + declarationsOf(unit.unit, runtimeHeader()), ""};
  }
};

const clang::FrontendPluginRegistry::Add<SendwrightAction>
    registration("sendwright", "profile-guided optimisation of MPI communication");

} // namespace
