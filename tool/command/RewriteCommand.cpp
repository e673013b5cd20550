// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of `sendwright rewrite`. The work is done in RewriteSources.cpp, a separate file
// because it is compiled like Clang, without run-time type information, which the command line
// parser needs.

#include "tool/command/Commands.h"
#include "tool/command/RewriteSources.h"

#include <CLI/CLI.hpp>

#include <cstdlib>
#include <map>
#include <memory>

namespace sendwright {

void addRewriteCommand(CLI::App &app, const std::vector<std::string> &compilerFlags) {
  auto request = std::make_shared<RewriteRequest>();
  auto diff = std::make_shared<bool>(false);
  CLI::App *command = app.add_subcommand(
      "rewrite",
      "Show what a plan and directives change in source files (compiler flags follow after --)");
  command->add_option("SOURCE", request->sources, "source files (default with -p: all)");
  command->add_option("--plan", request->options.plan,
                      "the plan (default: none; only directives are translated)");
  CLI::Option *diffFlag = command->add_flag("--diff", *diff, "print a unified diff (the default)");
  command
      ->add_option("--output-dir", request->options.outputDirectory,
                   "write the rewritten sources into this folder")
      ->excludes(diffFlag);
  command->add_option("-p", request->buildDirectory,
                      "take the flags from compile_commands.json in this folder");
  command->add_option("-j,--jobs", request->jobs,
                      "sources at once (default: as many as there are processors)");
  const std::map<std::string, RemarkLevel> levels{
      {"all", RemarkLevel::All}, {"applied", RemarkLevel::Applied}, {"none", RemarkLevel::None}};
  command->add_option("--remarks", request->options.remarks, "all, applied (the default) or none")
      ->transform(CLI::CheckedTransformer(levels));
  command->callback([request, diff, &compilerFlags] {
    request->flags = compilerFlags;
    if (request->sources.empty() && request->buildDirectory.empty())
      throw CLI::RequiredError("SOURCE or -p");
    if (const int status = rewriteSources(*request); status != 0)
      throw CLI::RuntimeError(status);
  });
}

} // namespace sendwright
