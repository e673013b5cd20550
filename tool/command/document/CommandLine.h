// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the command line accepts, read from the declarations that parse it: so manual pages and
// completions cannot differ from what is parsed.

#ifndef SENDWRIGHT_TOOL_COMMAND_DOCUMENT_COMMANDLINE_H
#define SENDWRIGHT_TOOL_COMMAND_DOCUMENT_COMMANDLINE_H

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace sendwright {

struct DocumentedOption {
  std::vector<std::string> names;   ///< "-o", "--output"; empty: an argument
  std::string value;                ///< what follows, "FILE:LINE"; the name of an argument; empty
                                    ///< for a flag
  std::vector<std::string> choices; ///< the values that are allowed; empty: others, too
  std::string description, defaultText;
  bool isRequired = false, isMany = false;
  bool takesPath = false; ///< the value is a file or folder
};

struct DocumentedCommand {
  std::string words; ///< "sendwright trace matrix"
  std::string description;
  std::vector<DocumentedOption> options, arguments;
  std::vector<DocumentedCommand> commands; ///< below this one
  bool passesOn = false;                   ///< other arguments are for another program

  /// The last of `words`.
  std::string name() const { return words.substr(words.rfind(' ') + 1); }
};

/// `app` and all that is below it, without what is hidden from its --help.
DocumentedCommand documented(const CLI::App &app);

/// Calls `visit` with a command and then with those below it.
template <typename Visit> void forEachCommand(const DocumentedCommand &command, Visit &&visit) {
  visit(command);
  for (const DocumentedCommand &below : command.commands)
    forEachCommand(below, visit);
}

} // namespace sendwright

#endif
