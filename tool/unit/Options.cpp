// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of the plugin's arguments, and its reader.

#include "tool/unit/Options.h"

#include <algorithm>

namespace sendwright {

namespace {

struct Argument {
  const char *name;  // up to and including "=" if a value follows
  const char *value; // describes the value in messages; null if there is none
  bool (*apply)(Options &options, const std::string &value); // false: not a possible value
};

bool addWords(const std::string &value, std::vector<std::string> &words) {
  for (std::size_t begin = 0; begin <= value.size();) {
    const std::size_t end = std::min(value.find(',', begin), value.size());
    if (end == begin)
      return false;
    words.push_back(value.substr(begin, end - begin));
    begin = end + 1;
  }
  return true;
}

const Argument knownArguments[] = {
    {"profile-generate", nullptr,
     [](Options &options, const std::string &) { return options.generate = true; }},
    {"profile-use=", "FILE",
     [](Options &options, const std::string &value) {
       options.plan = value;
       return !value.empty();
     }},
    {"output-dir=", "DIR",
     [](Options &options, const std::string &value) {
       options.outputDirectory = value;
       return !value.empty();
     }},
    {"remarks=", "all|applied|none",
     [](Options &options, const std::string &value) {
       return parseRemarkLevel(value, options.remarks);
     }},
    {"no-communication=", "NAME[,NAME]",
     [](Options &options, const std::string &value) {
       return addWords(value, options.noCommunication);
     }},
    {"leave-out=", "FILE[,FILE]",
     [](Options &options, const std::string &value) { return addWords(value, options.leaveOut); }},
    {"overlap-exchanges", nullptr,
     [](Options &options, const std::string &) { return options.overlapExchanges = true; }},
    {"reassociate", nullptr,
     [](Options &options, const std::string &) { return options.reassociate = true; }},
};

std::string listOfArguments() {
  std::string list;
  for (const Argument &argument : knownArguments)
    list += (list.empty() ? "" : ", ") + std::string(argument.name) +
            (argument.value ? argument.value : "");
  return list;
}

bool applyArgument(const std::string &text, Options &options) {
  for (const Argument &argument : knownArguments) {
    const std::string name = argument.name;
    if (!argument.value && text == name)
      return argument.apply(options, "");
    if (argument.value && text.starts_with(name))
      return argument.apply(options, text.substr(name.size()));
  }
  return false;
}

} // namespace

bool parseRemarkLevel(const std::string &text, RemarkLevel &level) {
  if (text == "all")
    level = RemarkLevel::All;
  else if (text == "applied")
    level = RemarkLevel::Applied;
  else if (text == "none")
    level = RemarkLevel::None;
  else
    return false;
  return true;
}

std::string parseArguments(const std::vector<std::string> &arguments, Options &options) {
  for (const std::string &text : arguments)
    if (!applyArgument(text, options))
      return "sendwright: argument '" + text + "' is not known; known are " + listOfArguments();
  if (options.generate && !options.plan.empty())
    return "sendwright: profile-generate and profile-use exclude each other";
  return "";
}

} // namespace sendwright
