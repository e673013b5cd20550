// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/sendwright/RewriteSources.h"

#include "analysis/file/FormatError.h"
#include "tool/TranslationUnit.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Tooling/ArgumentsAdjusters.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>
#include <cstdlib>

namespace sendwright {

namespace {

namespace tooling = clang::tooling;

/// Rewrites each unit and collects the edits of all: a header's loop comes from many units.
class RewriteAction : public tooling::ToolAction {
public:
  RewriteAction(const Options &options, const PlanFile &plan) : options(options), plan(plan) {}

  bool runInvocation(std::shared_ptr<clang::CompilerInvocation> invocation,
                     clang::FileManager *files,
                     std::shared_ptr<clang::PCHContainerOperations> containers,
                     clang::DiagnosticConsumer *) override {
    clang::TextDiagnosticPrinter printer(llvm::errs(), &invocation->getDiagnosticOpts());
    const RewrittenUnit unit = rewriteUnit(std::move(invocation), *files, std::move(containers),
                                           options, &plan, {printer, printer});
    for (const EditedFile &file : unit.files)
      for (const ScopeEdit &scope : file.scopes)
        edits.addScope(file.file, file.name, file.original, scope);
    return unit.parsed;
  }

  const Edits &result() const { return edits; }

private:
  const Options &options;
  const PlanFile &plan;
  Edits edits;
};

std::string outputOf(const std::string &command) {
  std::string text;
  FILE *pipe = popen((command + " 2>/dev/null").c_str(), "r");
  if (!pipe)
    return "";
  char buffer[4096];
  for (std::size_t got; (got = fread(buffer, 1, sizeof buffer, pipe)) > 0;)
    text.append(buffer, got);
  return pclose(pipe) == 0 ? text : "";
}

/// The include folders and macros that MPI's compiler wrapper adds: Open MPI and MPICH name them.
std::vector<std::string> mpiFlags(const char *variable, const char *standardWrapper) {
  const char *named = std::getenv(variable);
  const std::string wrapper = named ? named : standardWrapper;
  std::string text = outputOf(wrapper + " --showme:compile");
  if (text.empty())
    text = outputOf(wrapper + " -show");
  std::vector<std::string> flags;
  llvm::SmallVector<llvm::StringRef, 16> words;
  llvm::StringRef(text).split(words, ' ', -1, /*KeepEmpty=*/false);
  for (const llvm::StringRef word : words)
    if (word.starts_with("-I") || word.starts_with("-D") || word.starts_with("-isystem"))
      flags.push_back(word.trim().str());
  return flags;
}

tooling::ArgumentsAdjuster adjuster() {
  return [](const tooling::CommandLineArguments &arguments, llvm::StringRef file) {
    static const std::vector<std::string> c = mpiFlags("SENDWRIGHT_CC", SENDWRIGHT_MPICC);
    static const std::vector<std::string> cxx = mpiFlags("SENDWRIGHT_CXX", SENDWRIGHT_MPICXX);
    tooling::CommandLineArguments adjusted;
    for (const std::string &argument : arguments)
      if (!llvm::StringRef(argument).starts_with("-fplugin") &&
          !llvm::StringRef(argument).starts_with("--sendwright-"))
        adjusted.push_back(argument);
    tooling::CommandLineArguments added = file.ends_with(".c") ? c : cxx;
    added.push_back("-resource-dir=" SENDWRIGHT_CLANG_RESOURCES);
    return tooling::getInsertArgumentAdjuster(added, tooling::ArgumentInsertPosition::END)(adjusted,
                                                                                           file);
  };
}

std::unique_ptr<tooling::CompilationDatabase> flagsOf(const RewriteRequest &request) {
  if (request.buildDirectory.empty())
    return std::make_unique<tooling::FixedCompilationDatabase>(".", request.flags);
  std::string error;
  auto database = tooling::CompilationDatabase::loadFromDirectory(request.buildDirectory, error);
  if (!database)
    throw FormatError(request.buildDirectory + ": no compile_commands.json that can be read");
  return database;
}

/// As the user would write it.
llvm::StringRef relativeName(llvm::StringRef name) {
  llvm::SmallString<128> working;
  llvm::StringRef relative = name;
  return !llvm::sys::fs::current_path(working) && relative.consume_front(working) &&
                 relative.consume_front("/")
             ? relative
             : name;
}

bool writeTemporary(const std::string &text, llvm::SmallVectorImpl<char> &path) {
  int descriptor = -1;
  if (llvm::sys::fs::createTemporaryFile("sendwright", "txt", descriptor, path))
    return false;
  llvm::raw_fd_ostream out(descriptor, /*shouldClose=*/true);
  out << text;
  return !out.has_error();
}

/// Prints a unified diff on standard output, made by diff(1).
void printDiff(const EditedFile &file) {
  llvm::SmallString<64> before, after;
  const bool written =
      writeTemporary(file.original, before) && writeTemporary(file.readable(), after);
  const llvm::FileRemover removeBefore(before), removeAfter(after);
  const auto program = llvm::sys::findProgramByName("diff");
  if (!written || !program)
    throw FormatError("diff: cannot be run, or temporary files cannot be written");
  const std::string name = relativeName(file.name).str(), rewritten = name + " (rewritten)";
  llvm::sys::ExecuteAndWait(*program,
                            {"diff", "-u", "--label", name, "--label", rewritten, before, after});
}

} // namespace

int rewriteSources(const RewriteRequest &request) {
  const PlanFile plan = PlanFile::read(request.options.plan);
  const auto database = flagsOf(request);
  tooling::ClangTool tool(*database, request.sources);
  if (!request.buildDirectory.empty())
    tool.appendArgumentsAdjuster(
        tooling::getInsertArgumentAdjuster(request.flags, tooling::ArgumentInsertPosition::END));
  tool.appendArgumentsAdjuster(adjuster());

  clang::TextDiagnosticPrinter flagErrors(llvm::errs(), new clang::DiagnosticOptions); // shared
  tool.setDiagnosticConsumer(&flagErrors);
  RewriteAction action(request.options, plan);
  if (tool.run(&action) != 0 || flagErrors.getNumErrors() > 0)
    return 1; // the compiler has said why
  if (!request.options.outputDirectory.empty()) {
    if (const std::string error =
            writeReadable(action.result().files(), request.options.outputDirectory);
        !error.empty())
      throw FormatError(error);
  } else {
    for (const EditedFile &file : action.result().files())
      printDiff(file);
  }
  return 0;
}

} // namespace sendwright
