// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/unit/ProjectRules.h"

#include "analysis/file/FormatError.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace sendwright {

namespace {

namespace path = llvm::sys::path;

constexpr llvm::StringLiteral noCommunication = "no-communication", leaveOut = "leave-out";

llvm::SmallString<256> absolutePath(llvm::StringRef name) {
  llvm::SmallString<256> absolute(name);
  if (!llvm::sys::fs::make_absolute(absolute))
    path::remove_dots(absolute, /*remove_dot_dot=*/true);
  return absolute;
}

/// The nearest file upward; empty if there is none.
std::string findFile(llvm::StringRef source) {
  const llvm::SmallString<256> absolute = absolutePath(source);
  for (llvm::StringRef folder = path::parent_path(absolute); !folder.empty();
       folder = path::parent_path(folder)) {
    llvm::SmallString<256> candidate(folder);
    path::append(candidate, ".sendwright");
    if (llvm::sys::fs::is_regular_file(candidate))
      return std::string(candidate);
  }
  return "";
}

/// Compiles the pattern on each use, because a compiled pattern refers to its text.
bool matches(const std::string &pattern, llvm::StringRef text) {
  llvm::Expected<llvm::GlobPattern> glob = llvm::GlobPattern::create(pattern);
  if (glob)
    return glob->match(text);
  llvm::consumeError(glob.takeError());
  return false;
}

void checkPattern(llvm::StringRef word, const std::string &where) {
  if (llvm::Error error = llvm::GlobPattern::create(word).takeError()) {
    llvm::consumeError(std::move(error));
    throw FormatError(where + quoted(word) +
                      " is not a pattern, expected names with *, ? or [...]");
  }
}

} // namespace

ProjectRules ProjectRules::forSource(llvm::StringRef source, const Options &options) {
  ProjectRules rules;
  rules.name = findFile(source);
  if (!rules.name.empty())
    rules.readFile(rules.name);
  llvm::SmallString<256> working;
  if (llvm::sys::fs::current_path(working))
    working.clear();
  for (const std::string &word : options.noCommunication)
    rules.addWord(noCommunication, word, working, "sendwright: argument no-communication: ");
  for (const std::string &word : options.leaveOut)
    rules.addWord(leaveOut, word, working, "sendwright: argument leave-out: ");
  return rules;
}

void ProjectRules::readFile(llvm::StringRef file) {
  const auto text = llvm::MemoryBuffer::getFile(file);
  if (!text)
    throw FormatError(file.str() + ": cannot be read: " + text.getError().message());
  llvm::SmallVector<llvm::StringRef, 32> lines;
  (*text)->getBuffer().split(lines, '\n');
  for (std::size_t number = 0; number < lines.size(); ++number) {
    llvm::SmallVector<llvm::StringRef, 8> words;
    for (llvm::StringRef rest = lines[number].split('#').first.ltrim(); !rest.empty();
         rest = rest.ltrim()) {
      words.push_back(rest.take_until([](char c) { return llvm::isSpace(c); }));
      rest = rest.drop_front(words.back().size());
    }
    if (words.empty())
      continue;
    const std::string where = (file + ":" + llvm::Twine(number + 1) + ": ").str();
    if (words[0] != noCommunication && words[0] != leaveOut)
      throw FormatError(where + quoted(words[0]) +
                        " is not known, expected no-communication or leave-out");
    if (words.size() == 1)
      throw FormatError(where + "nothing follows " + quoted(words[0]) + ", expected " +
                        (words[0] == leaveOut ? "patterns of file names" : "names of functions"));
    for (const llvm::StringRef word : llvm::drop_begin(words))
      addWord(words[0], word, path::parent_path(file), where);
  }
}

void ProjectRules::addWord(llvm::StringRef keyword, llvm::StringRef word, llvm::StringRef folder,
                           const std::string &where) {
  checkPattern(word, where);
  if (keyword == noCommunication)
    functions.push_back(word.str());
  else
    files.push_back({word.str(), !word.contains('/'), folder.str()});
}

bool ProjectRules::neverCommunicates(llvm::StringRef qualifiedName) const {
  return llvm::any_of(functions,
                      [&](const auto &pattern) { return matches(pattern, qualifiedName); });
}

bool ProjectRules::leavesOut(llvm::StringRef file) const {
  if (files.empty())
    return false;
  const llvm::SmallString<256> absolute = absolutePath(file);
  return llvm::any_of(files, [&](const FilePattern &pattern) {
    if (pattern.ofName)
      return matches(pattern.pattern, path::filename(absolute));
    llvm::StringRef relative = absolute;
    return relative.consume_front(pattern.folder) && relative.consume_front("/") &&
           matches(pattern.pattern, relative);
  });
}

} // namespace sendwright
