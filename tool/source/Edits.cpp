// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Insertions are kept as (offset, text) and merged into the original in one pass; a replacement is
// an insertion that leaves out the original after it.

#include "tool/source/Edits.h"

#include "analysis/file/Escaping.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace sendwright {

namespace {

struct Insertion {
  unsigned offset;
  unsigned begin; // offset at which the opened or closed text begins
  std::string text;
  unsigned left = 0; // characters of the original that are left out

  bool opens() const { return offset == begin; }
  /// At one offset, inner scopes are closed before outer ones, and then others are opened.
  bool operator<(const Insertion &other) const {
    if (offset != other.offset)
      return offset < other.offset;
    return opens() != other.opens() ? other.opens() : begin > other.begin;
  }
};

/// The two ends of each check.
void insertChecks(const std::vector<CalleeEdit> &callees, std::vector<Insertion> &insertions) {
  for (const CalleeEdit &callee : callees) {
    insertions.push_back({callee.begin, callee.begin, callee.call, 0});
    insertions.push_back({callee.end, callee.begin, ")", 0});
  }
}

std::string insertInto(const std::string &original, std::vector<Insertion> insertions) {
  std::sort(insertions.begin(), insertions.end());
  std::string result;
  std::size_t done = 0;
  for (const Insertion &insertion : insertions) {
    result.append(original, done, insertion.offset - done);
    result += insertion.text;
    done = insertion.offset + insertion.left;
  }
  result.append(original, done);
  return result;
}

/// The white space at the beginning of the line of `offset`.
std::string indentationAt(const std::string &text, unsigned offset) {
  const std::size_t newline = offset == 0 ? std::string::npos : text.rfind('\n', offset - 1);
  const std::size_t start = newline == std::string::npos ? 0 : newline + 1;
  const std::size_t end = std::min<std::size_t>(text.find_first_not_of(" \t", start), offset);
  return text.substr(start, end - start);
}

bool isFirstOnLine(const std::string &text, unsigned offset) {
  const std::string indentation = indentationAt(text, offset);
  return offset == indentation.size() || text[offset - indentation.size() - 1] == '\n';
}

/// A comment over several lines, of which all but the first begin with `indentation`, and a line
/// break after it.
std::string linesOfComment(const std::vector<std::string> &comment,
                           const std::string &indentation) {
  std::string lines;
  for (std::size_t line = 0; line < comment.size(); ++line)
    lines += (line == 0 ? "/* " : "   ") + escaped(comment[line], TextPlace::Comment) +
             (line + 1 == comment.size() ? " */" : "") + "\n" + indentation;
  return lines;
}

/// Separate lines before the text at `offset`: a comment, and a line of code.
std::string linesBefore(const std::string &text, unsigned offset,
                        const std::vector<std::string> &comment, const std::string &code) {
  const std::string indentation = indentationAt(text, offset);
  return (isFirstOnLine(text, offset) ? "" : "\n" + indentation) +
         linesOfComment(comment, indentation) + code + "\n" + indentation;
}

/// Makes the call the last operand of a comma operator in brackets.
void insertOperand(const CallEdit &call, const std::string &comment,
                   std::vector<Insertion> &insertions) {
  insertions.push_back({call.begin, call.begin, "(" + call.before + comment + ", ", 0});
  insertions.push_back({call.end, call.begin, ")", 0});
}

std::string onOneLine(const std::vector<std::string> &comment) {
  std::string text;
  for (const std::string &line : comment)
    text += (text.empty() ? " /* " : "; ") + escaped(line, TextPlace::Comment);
  return text.empty() ? "" : text + " */";
}

/// Directives often begin at the margin; their replacement is indented like the text that follows.
std::string readableStatements(const std::string &text, const ReplacementEdit &edit) {
  std::string own = indentationAt(text, edit.begin), deeper;
  if (own.empty()) {
    std::size_t line = edit.end;
    do
      line = text.find('\n', line);
    while (line != std::string::npos && (text[++line] == '\n' || text[line] == '#'));
    if (line != std::string::npos)
      deeper = text.substr(line, text.find_first_not_of(" \t", line) - line);
    if (line != std::string::npos && text[line + deeper.size()] == '}')
      deeper += "  "; // the end of the enclosing block
    own = deeper;
  }
  std::string result = deeper + linesOfComment(edit.comment, own);
  for (std::size_t number = 0; number < edit.statements.size(); ++number)
    result += (number == 0 ? "" : "\n" + own) + edit.statements[number];
  return result;
}

/// What the first line of a rewritten file says about the file, which identifies it later.
std::string headOf(const std::string &absolute) {
  return "/* " + escaped(absolute, TextPlace::Comment) +
         ", rewritten by Sendwright for reading: the sites' objects are not shown */\n";
}

bool holdsAnother(const std::string &target, const std::string &head) {
  const auto present = llvm::MemoryBuffer::getFile(target);
  return present && !(*present)->getBuffer().starts_with(head);
}

/// The path below the working directory, or the last component.
std::string shortName(llvm::StringRef absolute) {
  llvm::SmallString<128> working;
  if (!llvm::sys::fs::current_path(working) && absolute.consume_front(working) &&
      absolute.consume_front("/"))
    return absolute.str();
  return llvm::sys::path::filename(absolute).str();
}

std::string inFolder(const std::string &directory, llvm::StringRef name) {
  llvm::SmallString<128> path(directory);
  llvm::sys::path::append(path, name);
  return std::string(path);
}

std::string absoluteName(const std::string &name) {
  llvm::SmallString<128> path(name);
  if (llvm::sys::fs::make_absolute(path))
    return name;
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return std::string(path);
}

std::string writeFile(const std::string &path, const std::string &text) {
  if (const std::error_code error =
          llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path)))
    return path + ": cannot be written: " + error.message();
  llvm::Error error = llvm::writeToOutput(path, [&](llvm::raw_ostream &out) {
    out << text;
    return llvm::Error::success();
  });
  return error ? path + ": cannot be written: " + llvm::toString(std::move(error)) : "";
}

/// A second edit of the same place counts as the same edit.
template <typename Edit> void addOnce(std::vector<Edit> &edits, Edit edit) {
  const auto isSame = [&](const Edit &known) {
    return known.begin == edit.begin && known.end == edit.end;
  };
  if (std::none_of(edits.begin(), edits.end(), isSame))
    edits.push_back(std::move(edit));
}

} // namespace

std::string GuardEdit::closing() const {
  return "} " + (otherwise.empty() ? "" : "else { " + otherwise + " } ") + "}";
}

std::string EditedFile::compiled() const {
  std::vector<Insertion> insertions;
  for (const ScopeEdit &scope : scopes) {
    insertions.push_back({scope.begin, scope.begin, "{ " + scope.opening + " ", 0});
    insertions.push_back({scope.end, scope.begin, " }", 0});
  }
  for (const GuardEdit &guard : guards) {
    insertions.push_back({guard.begin, guard.begin, guard.opening() + " ", 0});
    insertions.push_back({guard.end, guard.begin, " " + guard.closing(), 0});
  }
  for (const CallEdit &call : calls)
    if (call.isStatement)
      insertions.push_back({call.begin, call.begin, call.before + "; ", 0});
    else
      insertOperand(call, "", insertions);
  insertChecks(callees, insertions);
  for (const ReplacementEdit &edit : replacements) {
    const llvm::StringRef directive = llvm::StringRef(original).slice(edit.begin, edit.end);
    insertions.push_back(
        {edit.begin, edit.begin,
         llvm::join(edit.statements, " ") + std::string(directive.count('\n'), '\n'),
         edit.end - edit.begin});
  }
  return insertInto(original, std::move(insertions));
}

std::string EditedFile::readable() const {
  std::string headers = guards.empty() ? "" : "#include <sendwright/collectives.h>\n";
  if (!replacements.empty())
    headers += "#include <sendwright/directives.h>\n";
  if (headers.empty()) // the headers that the others include
    headers = "#include <sendwright/runtime.h>\n";
  std::vector<Insertion> insertions{{0, 0, headers, 0}};
  for (const ScopeEdit &scope : scopes) {
    insertions.push_back({scope.begin, scope.begin,
                          linesBefore(original, scope.begin, scope.comment, "{ " + scope.opening),
                          0});
    insertions.push_back(
        {scope.end, scope.begin, "\n" + indentationAt(original, scope.begin) + "}", 0});
  }
  for (const GuardEdit &guard : guards) {
    insertions.push_back({guard.begin, guard.begin,
                          linesBefore(original, guard.begin, guard.comment, guard.opening()), 0});
    insertions.push_back(
        {guard.end, guard.begin, "\n" + indentationAt(original, guard.begin) + guard.closing(), 0});
  }
  for (const CallEdit &call : calls)
    if (call.isStatement)
      insertions.push_back({call.begin, call.begin,
                            linesBefore(original, call.begin, call.comment, call.before + ";"), 0});
    else
      insertOperand(call, onOneLine(call.comment), insertions);
  insertChecks(callees, insertions);
  for (const ReplacementEdit &edit : replacements)
    insertions.push_back(
        {edit.begin, edit.begin, readableStatements(original, edit), edit.end - edit.begin});
  return insertInto(original, std::move(insertions));
}

std::vector<EditedFile>::iterator Edits::find(clang::FileEntryRef file) {
  return std::find_if(editedFiles.begin(), editedFiles.end(), [&](const EditedFile &known) {
    return known.file.getUniqueID() == file.getUniqueID();
  });
}

EditedFile &Edits::findOrAdd(clang::FileEntryRef file, llvm::StringRef name,
                             llvm::StringRef original) {
  auto edited = find(file);
  if (edited == editedFiles.end())
    edited = editedFiles.insert(edited, {file, name.str(), original.str(), {}, {}, {}, {}, {}});
  return *edited;
}

void Edits::addReplacement(clang::FileEntryRef file, llvm::StringRef name, llvm::StringRef original,
                           ReplacementEdit replacement) {
  addOnce(findOrAdd(file, name, original).replacements, std::move(replacement));
}

void Edits::addScope(clang::FileEntryRef file, llvm::StringRef name, llvm::StringRef original,
                     ScopeEdit scope) {
  addOnce(findOrAdd(file, name, original).scopes, std::move(scope));
}

void Edits::addGuard(clang::FileEntryRef file, llvm::StringRef name, llvm::StringRef original,
                     GuardEdit guard) {
  addOnce(findOrAdd(file, name, original).guards, std::move(guard));
}

void Edits::addCall(clang::FileEntryRef file, llvm::StringRef name, llvm::StringRef original,
                    CallEdit call) {
  addOnce(findOrAdd(file, name, original).calls, std::move(call));
}

void Edits::addCallee(clang::FileEntryRef file, CalleeEdit callee) {
  const auto edited = find(file);
  if (edited == editedFiles.end())
    return;
  addOnce(edited->callees, std::move(callee));
}

std::string writeReadable(const std::vector<EditedFile> &files, const std::string &directory) {
  for (const EditedFile &file : files) {
    const std::string absolute = absoluteName(file.name);
    std::string target = inFolder(directory, shortName(absolute));
    if (llvm::sys::fs::equivalent(target, file.name))
      return target + ": is the source itself, expected a folder for rewritten sources";
    if (holdsAnother(target, headOf(absolute)))
      target = inFolder(directory, llvm::sys::path::relative_path(absolute));
    if (std::string error = writeFile(target, headOf(absolute) + file.readable()); !error.empty())
      return error;
  }
  return "";
}

} // namespace sendwright
