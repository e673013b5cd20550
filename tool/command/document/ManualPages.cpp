// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/document/ManualPages.h"

#include <algorithm>

namespace sendwright {

namespace {

/// Text as roff shows it unchanged: a hyphen stays the character that users type, and nothing is a
/// request.
std::string roff(const std::string &text) {
  std::string result;
  for (const char character : text) {
    if (character == '\\')
      result += "\\e";
    else if (character == '-')
      result += "\\-";
    else
      result += character;
  }
  return result.starts_with('.') || result.starts_with('\'') ? "\\&" + result : result;
}

std::string bold(const std::string &text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(const std::string &text) { return "\\fI" + roff(text) + "\\fR"; }

std::string withDots(const DocumentedOption &argument) {
  return italic(argument.value) + (argument.isMany ? "..." : "");
}

std::string synopsis(const DocumentedCommand &command) {
  std::string text = bold(command.words);
  for (const DocumentedOption &option : command.options)
    if (option.isRequired)
      text += " " + bold(option.names.front()) +
              (option.value.empty() ? "" : " " + italic(option.value));
  text += " [" + italic("OPTIONS") + "]";
  for (const DocumentedOption &argument : command.arguments)
    text += argument.isRequired ? " " + withDots(argument) : " [" + withDots(argument) + "]";
  if (!command.commands.empty())
    text += " " + italic("COMMAND") + " ...";
  return text + "\n";
}

/// An entry of a list: what it is about, and the text below it.
std::string entry(const std::string &about, const std::string &text) {
  return ".TP\n" + about + "\n" + roff(text) + "\n";
}

std::string descriptionOf(const DocumentedOption &option) {
  std::string text = option.description;
  if (!option.defaultText.empty())
    text += " (default: " + option.defaultText + ")";
  return text + (option.isRequired ? "; required" : "");
}

std::string optionsText(const DocumentedCommand &command) {
  std::string text;
  if (!command.arguments.empty())
    text += ".SH ARGUMENTS\n";
  for (const DocumentedOption &argument : command.arguments)
    text += entry(withDots(argument), descriptionOf(argument));
  if (!command.options.empty())
    text += ".SH OPTIONS\n";
  for (const DocumentedOption &option : command.options) {
    std::string names;
    for (const std::string &name : option.names)
      names += (names.empty() ? "" : ", ") + bold(name);
    text += entry(names + (option.value.empty() ? "" : " " + italic(option.value)),
                  descriptionOf(option));
  }
  return text;
}

} // namespace

std::string manualName(const DocumentedCommand &command) {
  std::string name = command.words;
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string manualPage(const DocumentedCommand &command, const DocumentedCommand &all,
                       const std::string &version) {
  std::string title = manualName(command);
  std::transform(title.begin(), title.end(), title.begin(), [](unsigned char character) {
    return static_cast<char>(std::toupper(character));
  });
  std::string page = ".\\\" Made by Sendwright from its own command line.\n.TH " + roff(title) +
                     " 1 \"\" \"Sendwright " + version + "\" \"Sendwright\"\n.SH NAME\n" +
                     roff(manualName(command)) + " \\- " + roff(command.description) +
                     "\n.SH SYNOPSIS\n" + synopsis(command);
  if (command.passesOn)
    page += ".SH DESCRIPTION\nThe program that does this lists its options itself: " +
            bold(command.words + " --help") + ".\n";
  if (!command.commands.empty())
    page += ".SH COMMANDS\n";
  for (const DocumentedCommand &below : command.commands)
    page += entry(bold(below.name()), below.description);
  page += optionsText(command);
  page += ".SH EXIT STATUS\n" + entry("0", "done") +
          entry("1", "a file was wrong, or could not be read or written: one line says which and "
                     "why") +
          entry("2", "the command line was wrong");
  page += ".SH SEE ALSO\n";
  std::string others;
  forEachCommand(all, [&](const DocumentedCommand &other) {
    if (other.words != command.words)
      others += (others.empty() ? "" : ",\n") + bold(manualName(other)) + "(1)";
  });
  return page + others + "\n";
}

} // namespace sendwright
