// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/document/CommandLine.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace sendwright {

namespace {

/// "replay" and "models" of "ENUM:value in {models->1,replay->0} OR {1,0}".
std::vector<std::string> choicesOf(const std::string &type) {
  std::vector<std::string> choices;
  std::size_t at = type.find("in {");
  if (at == std::string::npos)
    return choices;
  const std::size_t end = type.find('}', at);
  for (at += 4; at < end;) {
    const std::size_t comma = std::min(type.find(',', at), end);
    if (const std::size_t arrow = type.find("->", at); arrow < comma)
      choices.push_back(type.substr(at, arrow - at));
    at = comma + 1;
  }
  return choices;
}

/// What stands for the value, from the parser's type ("UINT:UINT in [1 - 16]", "TEXT:FILE:LINE").
std::string valueOf(const CLI::Option &option, const std::vector<std::string> &choices) {
  const std::string type = option.get_type_name();
  if (option.get_items_expected_max() == 0)
    return "";
  if (!option.get_option_text().empty())
    return option.get_option_text();
  if (!choices.empty())
    return CLI::detail::join(choices, "|");
  const std::size_t colon = type.find(':');
  const std::string basic = type.substr(0, colon),
                    shown = colon == std::string::npos ? "" : type.substr(colon + 1);
  if (shown.empty() || shown.find(" in [") != std::string::npos || shown == "POSITIVE")
    return basic == "TEXT" ? "PATH" : basic == "FLOAT" ? "NUMBER" : "N";
  return shown;
}

DocumentedOption documentedOption(const CLI::Option &option) {
  DocumentedOption result;
  result.choices = choicesOf(option.get_type_name());
  result.value = valueOf(option, result.choices);
  for (const std::string &name : option.get_snames())
    result.names.push_back("-" + name);
  for (const std::string &name : option.get_lnames())
    result.names.push_back("--" + name);
  const std::string type = option.get_type_name();
  result.takesPath = !result.value.empty() && result.choices.empty() && type.starts_with("TEXT") &&
                     (type.find(':') == std::string::npos || type.find("FILE") < type.find('@'));
  if (result.names.empty())
    result.value = option.get_name(true);
  result.description = option.get_description();
  result.defaultText = option.get_default_str();
  result.isRequired = option.get_required();
  result.isMany = option.get_items_expected_max() > 1;
  return result;
}

DocumentedCommand documentedBelow(const CLI::App &app, const std::string &above) {
  DocumentedCommand result;
  result.words = above + app.get_name();
  result.description = app.get_description();
  result.passesOn = app.get_prefix_command();
  for (const CLI::Option *option : app.get_options())
    if (!option->get_group().empty())
      (option->get_positional() ? result.arguments : result.options)
          .push_back(documentedOption(*option));
  for (const CLI::App *command : app.get_subcommands({}))
    if (!command->get_group().empty())
      result.commands.push_back(documentedBelow(*command, result.words + " "));
  return result;
}

} // namespace

DocumentedCommand documented(const CLI::App &app) { return documentedBelow(app, ""); }

} // namespace sendwright
