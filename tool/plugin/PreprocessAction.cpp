// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// -E with a plan: prints what the compiler would print, followed by line markers that name the plan
// and its digest. A compiler cache (ccache) looks up an object by the preprocessor's output and the
// files named in it; without the markers it would return a stale object when the plan has changed.
//
// A plugin can only replace the whole action, and must say so before it learns which action it is.
// So this looks at the command line.

#include "tool/source/Emission.h"
#include "tool/unit/Options.h"
#include "tool/unit/ProjectRules.h"

#include "analysis/file/FormatError.h"
#include "analysis/plan/Plan.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <fstream>
#include <string>
#include <vector>

namespace {

using namespace sendwright;

std::vector<std::string> commandLine() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');)
    words.push_back(std::move(word));
  return words;
}

/// Whether the command only prints a preprocessed source that a plan affects.
bool printsForPlan(const std::vector<std::string> &words) {
  bool prints = false, hasPlan = false;
  for (std::size_t number = 1; number < words.size(); ++number) {
    const llvm::StringRef word = words[number], before = words[number - 1];
    if (word == "-E" && !before.starts_with("-X"))
      prints = true;
    hasPlan |= word.contains("profile-use=");
    for (const char *other : {"-P", "-M", "-MM", "-Eonly"})
      if (word == other)
        return false;
    if (word.starts_with("-dM") || word.starts_with("-frewrite-"))
      return false;
  }
  return prints && hasPlan;
}

/// Line markers that name a file and its content.
void printMarkers(llvm::raw_ostream &out, llvm::StringRef file) {
  llvm::SmallString<256> absolute(file);
  const auto content = llvm::MemoryBuffer::getFile(file);
  if (llvm::sys::fs::make_absolute(absolute) || !content)
    return; // the compilation will report it
  out << "# 1 \"" << clang::Lexer::Stringify(llvm::StringRef(absolute)) << "\"\n# 1 \"<sendwright "
      << planDigest((*content)->getBufferStart(), (*content)->getBufferSize()) << ">\"\n";
}

class PreprocessAction : public clang::PluginASTAction {
public:
  bool ParseArgs(const clang::CompilerInstance &compiler,
                 const std::vector<std::string> &) override {
    const auto &all = compiler.getFrontendOpts().PluginArgs;
    const auto found = all.find("sendwright");
    if (found != all.end())
      parseArguments(found->second, options); // the compilation reports errors
    return true;
  }

  ActionType getActionType() override {
    return printsForPlan(commandLine()) ? ReplaceAction : CmdlineAfterMainAction;
  }

  bool usesPreprocessorOnly() const override { return true; }
  bool hasPCHSupport() const override { return true; }

protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &,
                                                        llvm::StringRef) override {
    return nullptr; // never asked for by an action that only preprocesses
  }

  void ExecuteAction() override {
    clang::CompilerInstance &compiler = getCompilerInstance();
    const auto out =
        compiler.createDefaultOutputFile(/*Binary=*/true, getCurrentFileOrBufferName());
    if (!out)
      return;
    clang::DoPrintPreprocessedInput(compiler.getPreprocessor(), out.get(),
                                    compiler.getPreprocessorOutputOpts());
    if (!options.plan.empty())
      printMarkers(*out, options.plan);
    try {
      const ProjectRules rules = ProjectRules::forSource(getCurrentFile(), options);
      if (!rules.file().empty())
        printMarkers(*out, rules.file());
    } catch (const FormatError &) {
      // the compilation will report it
    }
  }

private:
  Options options;
};

const clang::FrontendPluginRegistry::Add<PreprocessAction>
    registration("sendwright-preprocess", "names the plan in preprocessed sources");

} // namespace
