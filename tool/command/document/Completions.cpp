// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both scripts first find the command that the words so far name, as the path " trace matrix".

#include "tool/command/document/Completions.h"

namespace sendwright {

namespace {

/// The words of a command without the first: " trace matrix".
std::string pathOf(const DocumentedCommand &command) {
  const std::size_t space = command.words.find(' ');
  return space == std::string::npos ? "" : command.words.substr(space);
}

std::string joined(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : " ") + word;
  return text;
}

/// The paths of all commands as a pattern of a shell's `case`.
std::string pathPattern(const DocumentedCommand &all) {
  std::string pattern;
  forEachCommand(all, [&](const DocumentedCommand &command) {
    if (const std::string path = pathOf(command); !path.empty())
      pattern += (pattern.empty() ? "\"" : " | \"") + path + "\"";
  });
  return pattern;
}

/// The values of options: those that are listed, and those that are no files.
std::string bashValues(const DocumentedCommand &all) {
  std::string text;
  forEachCommand(all, [&](const DocumentedCommand &command) {
    for (const DocumentedOption &option : command.options) {
      if (option.value.empty() || option.takesPath)
        continue;
      std::string pattern;
      for (const std::string &name : option.names) {
        pattern += pattern.empty() ? "\"" : " | \"";
        pattern += pathOf(command);
        pattern += " " + name + "\"";
      }
      text += "    " + pattern + ") " +
              (option.choices.empty() ? ""
                                      : "COMPREPLY=($(compgen -W \"" + joined(option.choices) +
                                            "\" -- \"$word\")); ") +
              "return ;;\n";
    }
  });
  return text;
}

/// What may stand at a word of each command.
std::string bashWords(const DocumentedCommand &all) {
  std::string text;
  forEachCommand(all, [&](const DocumentedCommand &command) {
    std::string commands, options;
    for (const DocumentedCommand &below : command.commands)
      commands += (commands.empty() ? "" : " ") + below.name();
    for (const DocumentedOption &option : command.options)
      options += (options.empty() ? "" : " ") + joined(option.names);
    text += "    \"" + pathOf(command) + "\") commands=\"" + commands + "\" options=\"" + options +
            "\" ;;\n";
  });
  return text;
}

/// Text inside the quotes and brackets of zsh's specifications.
std::string zshText(const std::string &text) {
  std::string result;
  for (const char character : text) {
    if (character == '\'')
      result += "'\\''";
    else if (character == '[' || character == ']' || character == ':' || character == '\\')
      result += std::string("\\") + character;
    else
      result += character;
  }
  return result;
}

/// What completes a value: ":PATH:_files", ":replay|models:(replay models)".
std::string zshValue(const DocumentedOption &option) {
  return ":" + zshText(option.value) + ":" +
         (option.takesPath         ? "_files"
          : option.choices.empty() ? " "
                                   : "(" + joined(option.choices) + ")");
}

std::string zshOption(const DocumentedOption &option) {
  const std::string rest =
      "[" + zshText(option.description) + "]" + (option.value.empty() ? "" : zshValue(option));
  if (option.names.size() == 1)
    return "'" + option.names[0] + rest + "'";
  std::string braces;
  for (const std::string &name : option.names)
    braces += (braces.empty() ? "{" : ",") + name;
  return "'(" + joined(option.names) + ")'" + braces + "}'" + rest + "'";
}

std::string zshCommand(const DocumentedCommand &command) {
  std::string text = "    (\"" + pathOf(command) + "\")\n";
  if (!command.commands.empty()) {
    text += "      commands=(";
    for (const DocumentedCommand &below : command.commands)
      text += "\n        '" + below.name() + ":" + zshText(below.description) + "'";
    text += ")\n";
  }
  text += "      arguments=(";
  for (const DocumentedOption &option : command.options)
    text += "\n        " + zshOption(option);
  for (const DocumentedOption &argument : command.arguments)
    text += std::string("\n        '") + (argument.isMany ? "*" : "") + zshValue(argument) + "'";
  return text + ")\n      ;;\n";
}

} // namespace

std::string bashCompletion(const DocumentedCommand &all) {
  return "# Completion of sendwright for bash, made by Sendwright from its own command line.\n"
         "_sendwright() {\n"
         "  local word=\"${COMP_WORDS[COMP_CWORD]}\" before=\"${COMP_WORDS[COMP_CWORD - 1]}\"\n"
         "  local path=\"\" commands=\"\" options=\"\" at\n"
         "  COMPREPLY=()\n"
         "  for ((at = 1; at < COMP_CWORD; at++)); do\n"
         "    case \"$path ${COMP_WORDS[at]}\" in\n"
         "    " +
         pathPattern(all) +
         ") path=\"$path ${COMP_WORDS[at]}\" ;;\n"
         "    esac\n"
         "  done\n"
         "  case \"$path $before\" in\n" +
         bashValues(all) +
         "  esac\n"
         "  case \"$path\" in\n" +
         bashWords(all) +
         "  esac\n"
         "  if [[ $word == -* ]]; then\n"
         "    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
         "  elif [[ -n $commands ]]; then\n"
         "    COMPREPLY=($(compgen -W \"$commands\" -- \"$word\"))\n"
         "  else\n"
         "    compopt -o filenames 2>/dev/null\n"
         "    mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
         "  fi\n"
         "}\n"
         "complete -F _sendwright sendwright\n";
}

std::string zshCompletion(const DocumentedCommand &all) {
  std::string commands;
  forEachCommand(all, [&](const DocumentedCommand &command) { commands += zshCommand(command); });
  return "#compdef sendwright\n"
         "# Completion of sendwright for zsh, made by Sendwright from its own command line.\n"
         "_sendwright() {\n"
         "  local path_so_far='' \n"
         "  local -i at depth=0\n"
         "  local -a commands arguments\n"
         "  for ((at = 2; at < CURRENT; at++)); do\n"
         "    case \"$path_so_far ${words[at]}\" in\n"
         "    (" +
         pathPattern(all) +
         ") path_so_far+=\" ${words[at]}\"; depth+=1 ;;\n"
         "    esac\n"
         "  done\n"
         "  case \"$path_so_far\" in\n" +
         commands +
         "  esac\n"
         "  words=(\"${words[1]}\" \"${(@)words[depth + 2,-1]}\")\n"
         "  (( CURRENT -= depth ))\n"
         "  if (( $#commands )) && [[ ${words[CURRENT]} != -* ]]; then\n"
         "    _describe command commands\n"
         "  else\n"
         "    _arguments -s $arguments\n"
         "  fi\n"
         "}\n"
         "_sendwright \"$@\"\n";
}

} // namespace sendwright
