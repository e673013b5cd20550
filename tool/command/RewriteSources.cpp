// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/RewriteSources.h"

#include "analysis/file/Escaping.h"
#include "analysis/file/FormatError.h"
#include "analysis/file/Progress.h"
#include "tool/command/base/Terminal.h"
#include "tool/command/show/CoverageTable.h"
#include "tool/source/ClangCompatibility.h"
#include "tool/unit/TranslationUnit.h"

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
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <tuple>

namespace sendwright {

namespace {

namespace tooling = clang::tooling;

/// The result for one source.
struct SourceResult {
  struct OfUnit {
    RewrittenUnit unit;
    llvm::IntrusiveRefCntPtr<clang::FileManager> files; ///< owns the unit's file entries
  };
  bool done = false;
  std::string messages; ///< the compiler's and Sendwright's, ready to print
  std::vector<OfUnit> units;
};

std::string absoluteName(llvm::StringRef name, const clang::FileManager &files) {
  llvm::SmallString<256> path(name);
  files.makeAbsolutePath(path);
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return std::string(path);
}

/// Collects the results of all units: a loop in a header occurs in many units.
class Program {
public:
  void add(const RewrittenUnit &unit, llvm::IntrusiveRefCntPtr<clang::FileManager> manager) {
    for (const EditedFile &file : unit.files)
      edits.add(file.file, file.name, file.original, file.edits);
    for (const LoopOutcome &outcome : unit.outcomes) {
      LoopOutcome &known = outcomes[{outcome.site.file, outcome.site.line, outcome.column,
                                     outcome.site.instantiation}];
      if (known.transformation.empty()) // a loop rewritten in one unit counts as rewritten
        known = outcome;
    }
    managers.push_back(std::move(manager));
  }

  const std::vector<EditedFile> &files() const { return edits.files(); }

  Coverage coverage() const {
    Coverage all;
    for (const auto &[place, outcome] : outcomes)
      (outcome.transformation.empty() ? all.left[outcome.reason]
                                      : all.rewritten[outcome.transformation])
          .add(outcome.sends, outcome.bytes);
    return all;
  }

private:
  std::vector<llvm::IntrusiveRefCntPtr<clang::FileManager>> managers;
  Edits edits;
  /// Keyed by place and instantiation.
  std::map<std::tuple<std::string, unsigned, unsigned, std::string>, LoopOutcome> outcomes;
};

/// Rewrites each unit of one source.
class RewriteAction : public tooling::ToolAction {
public:
  RewriteAction(const Options &options, const ProjectRules &rules, const PlanFile *plan,
                SourceResult &result, llvm::raw_ostream &messages)
      : options(options), rules(rules), plan(plan), result(result), messages(messages) {}

  bool runInvocation(std::shared_ptr<clang::CompilerInvocation> invocation,
                     clang::FileManager *files,
                     std::shared_ptr<clang::PCHContainerOperations> containers,
                     clang::DiagnosticConsumer *) override {
    clang::TextDiagnosticPrinter printer(messages, forDiagnostics(invocation->getDiagnosticOpts()));
    // The printer uses the options of the invocation, which is therefore kept here, too.
    RewrittenUnit unit = rewriteUnit(invocation, *files, std::move(containers), options, rules,
                                     plan, {printer, printer});
    // The units of one program are compiled in different folders.
    for (EditedFile &file : unit.files)
      file.name = absoluteName(file.name, *files);
    for (LoopOutcome &outcome : unit.outcomes)
      outcome.site.file = absoluteName(outcome.site.file, *files);
    const bool parsed = unit.parsed;
    result.units.push_back({std::move(unit), files});
    return parsed;
  }

private:
  const Options &options;
  const ProjectRules &rules;
  const PlanFile *plan;
  SourceResult &result;
  llvm::raw_ostream &messages;
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

/// The include folders and macros that MPI's compiler wrapper adds; Open MPI's and MPICH's print
/// them.
std::vector<std::string> mpiFlags(const char *variable, const char *standardWrapper) {
  const char *named = std::getenv(variable);
  const std::string wrapper = named && *named ? named : standardWrapper;
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

/// The name as the user would write it.
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
  const ProgressPause pause;
  const bool written =
      writeTemporary(file.original, before) && writeTemporary(file.readable(), after);
  const llvm::FileRemover removeBefore(before), removeAfter(after);
  const auto program = llvm::sys::findProgramByName("diff");
  if (!written || !program)
    throw FormatError("diff: cannot be run, or temporary files cannot be written");
  const std::string name = printable(relativeName(file.name)), rewritten = name + " (rewritten)";
  llvm::sys::ExecuteAndWait(*program,
                            {"diff", "-u", "--label", name, "--label", rewritten, before, after});
}

SourceResult rewriteSource(const RewriteRequest &request, const PlanFile *plan,
                           const tooling::CompilationDatabase &database, const std::string &source,
                           const ProjectRules &rules) {
  SourceResult result;
  llvm::raw_string_ostream messages(result.messages);
  messages.enable_colors(errorsHaveColours());
  // Each source has a file system of its own, because it is compiled in the folder that its command
  // names.
  tooling::ClangTool tool(database, {source}, std::make_shared<clang::PCHContainerOperations>(),
                          llvm::vfs::createPhysicalFileSystem());
  if (!request.buildDirectory.empty())
    tool.appendArgumentsAdjuster(
        tooling::getInsertArgumentAdjuster(request.flags, tooling::ArgumentInsertPosition::END));
  tool.appendArgumentsAdjuster(adjuster());
  tool.setPrintErrorMessage(false);
  const OwnedDiagnosticOptions colours(new clang::DiagnosticOptions);
  clang::TextDiagnosticPrinter flagErrors(messages, forDiagnostics(*colours));
  tool.setDiagnosticConsumer(&flagErrors);
  RewriteAction action(request.options, rules, plan, result, messages);
  result.done = tool.run(&action) == 0 && flagErrors.getNumErrors() == 0;
  return result;
}

/// Rewrites the sources, one on each processor at a time. Prints messages in the order of the
/// sources. Returns how many sources could not be compiled.
std::size_t rewriteAll(const RewriteRequest &request, const std::vector<std::string> &sources,
                       const PlanFile *plan, const tooling::CompilationDatabase &database,
                       Program &program) {
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(request.jobs));
  std::vector<ProjectRules> rules; // read here because the tasks run in code without exceptions
  rules.reserve(sources.size());
  for (const std::string &source : sources)
    rules.push_back(ProjectRules::forSource(source, request.options));
  std::vector<SourceResult> done(sources.size());
  Progress progress("files rewritten", sources.size());
  std::vector<std::shared_future<void>> tasks;
  tasks.reserve(sources.size());
  for (std::size_t number = 0; number < sources.size(); ++number)
    tasks.push_back(pool.async([&, number] {
      done[number] = rewriteSource(request, plan, database, sources[number], rules[number]);
      progress.advance();
    }));
  std::size_t failed = 0;
  for (std::size_t number = 0; number < sources.size(); ++number) {
    tasks[number].wait();
    const ProgressPause pause;
    if (!request.buildDirectory.empty())
      llvm::errs() << '[' << number + 1 << '/' << sources.size() << "] "
                   << printable(relativeName(sources[number])) << '\n';
    const SourceResult result = std::exchange(done[number], {});
    llvm::errs() << result.messages;
    if (!result.done) {
      ++failed;
      continue;
    }
    for (const SourceResult::OfUnit &one : result.units)
      program.add(one.unit, one.files);
  }
  return failed;
}

/// The named sources, or all sources that the build compiles.
std::vector<std::string> sourcesOf(const RewriteRequest &request,
                                   const tooling::CompilationDatabase &database) {
  if (!request.sources.empty())
    return request.sources;
  std::vector<std::string> all = database.getAllFiles();
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

} // namespace

int rewriteSources(const RewriteRequest &request) {
  std::optional<PlanFile> plan;
  if (!request.options.plan.empty())
    plan = PlanFile::read(request.options.plan);
  const auto database = flagsOf(request);
  const std::vector<std::string> sources = sourcesOf(request, *database);
  Program program;
  const std::size_t failed =
      rewriteAll(request, sources, plan ? &*plan : nullptr, *database, program);
  if (!request.options.outputDirectory.empty()) {
    if (const std::string error = writeReadable(program.files(), request.options.outputDirectory);
        !error.empty())
      throw FormatError(error);
  } else {
    for (const EditedFile &file : program.files())
      printDiff(file);
  }
  if (plan && sources.size() > 1 && request.options.remarks != RemarkLevel::None)
    printCoverage(stderr, program.coverage());
  if (failed > 0 && sources.size() > 1)
    llvm::errs() << "sendwright: " << failed << " of " << sources.size()
                 << " files do not compile and stay as written\n";
  return failed > 0; // the compiler has said why
}

} // namespace sendwright
