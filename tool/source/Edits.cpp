// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/source/Edits.h"

#include "analysis/file/Escaping.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace sendwright {

namespace {

/// What a rewritten file says of itself in its first line, by which it is known again.
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

} // namespace

std::string EditedFile::readable() const {
  const auto has = [&](EditLayer layer) {
    return llvm::any_of(edits, [&](const Edit &edit) { return edit.layer == layer; });
  };
  std::string headers = has(EditLayer::Guard) ? "#include <sendwright/collectives.h>\n" : "";
  if (has(EditLayer::Directive))
    headers += "#include <sendwright/directives.h>\n";
  if (headers.empty()) // the headers that the others include
    headers = "#include <sendwright/runtime.h>\n";
  return headers + edited(original, edits, &Edit::readable);
}

void Edits::add(clang::FileEntryRef file, llvm::StringRef name, llvm::StringRef original,
                std::vector<Edit> edits) {
  auto edited = llvm::find_if(editedFiles, [&](const EditedFile &known) {
    return known.file.getUniqueID() == file.getUniqueID();
  });
  if (edited == editedFiles.end())
    edited = editedFiles.insert(edited, {file, name.str(), original.str(), {}});
  for (Edit &edit : edits)
    if (llvm::none_of(edited->edits, [&](const Edit &known) { return known.isSameAs(edit); }))
      edited->edits.push_back(std::move(edit));
}

bool Edits::add(const clang::SourceManager &sources, clang::FileID file, std::vector<Edit> edits) {
  const clang::OptionalFileEntryRef entry = sources.getFileEntryRefForID(file);
  if (entry)
    add(*entry, sources.getFilename(sources.getLocForStartOfFile(file)),
        sources.getBufferData(file), std::move(edits));
  return entry.has_value();
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
