// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sendwright document FOLDER: manual pages and completions for shells, made from the declarations
// of the command line. `cmake --install` calls it; --help does not show it.

#include "tool/command/Commands.h"

#include "analysis/file/FormatError.h"
#include "analysis/file/OutputFile.h"
#include "tool/command/document/Completions.h"
#include "tool/command/document/ManualPages.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <string>

namespace sendwright {

namespace {

/// Folders as they are below share/ of an installation.
void writeDocuments(const DocumentedCommand &all, const std::filesystem::path &folder) {
  const std::filesystem::path manual = folder / "man" / "man1",
                              bash = folder / "bash-completion" / "completions",
                              zsh = folder / "zsh" / "site-functions";
  for (const std::filesystem::path &each : {manual, bash, zsh}) {
    std::error_code error;
    std::filesystem::create_directories(each, error);
    if (error)
      throw FormatError(each.string() + ": cannot be made: " + error.message() +
                        ", expected a folder");
  }
  forEachCommand(all, [&](const DocumentedCommand &command) {
    writeWholeFile(manual / (manualName(command) + ".1"),
                   manualPage(command, all, SENDWRIGHT_VERSION));
  });
  writeWholeFile(bash / "sendwright", bashCompletion(all));
  writeWholeFile(zsh / "_sendwright", zshCompletion(all));
}

} // namespace

void addDocumentCommand(CLI::App &app) {
  CLI::App *command = app.add_subcommand("document", "Manual pages and completions for shells");
  command->group(""); // hidden
  const auto folder = std::make_shared<std::string>();
  command->add_option("FOLDER", *folder, "Where to write them, as below share/")->required();
  command->callback([&app, folder] { writeDocuments(documented(app), *folder); });
}

} // namespace sendwright
