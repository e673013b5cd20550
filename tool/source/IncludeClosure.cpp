// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/source/IncludeClosure.h"

#include "tool/source/ClangCompatibility.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/TargetOptions.h"
#include "clang/Frontend/FrontendOptions.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Triple.h"

namespace sendwright {

namespace {

bool isPartOfWord(char character) { return llvm::isAlnum(character) || character == '_'; }

/// Whether the text before a directive's name makes it a directive: a # (or its spellings %: and
/// ??=) at the beginning of a line or after a comment.
bool endsAsDirective(llvm::StringRef before) {
  before = before.rtrim(" \t");
  if (before.ends_with("*/"))
    return true;
  if (!before.consume_back("#") && !before.consume_back("%:") && !before.consume_back("?\?="))
    return false;
  before = before.rtrim(" \t");
  return before.empty() || before.back() == '\n' || before.ends_with("*/");
}

/// The text after a directive's name, from its first non-blank character on.
llvm::StringRef skipBlanks(llvm::StringRef text) {
  while (true) {
    text = text.ltrim(" \t");
    if (text.starts_with("/*"))
      text = text.substr(2).split("*/").second;
    else if (!text.consume_front("\\\n") && !text.consume_front("\\\r\n"))
      return text;
  }
}

/// What is searched for: a file by its name, or by its text, which must then be the user's own.
struct Wanted {
  llvm::function_ref<bool(llvm::StringRef)> name, text;
  bool inSystem;
};

bool isNever(llvm::StringRef) { return false; }

/// The files of one unit, followed from directive to directive.
class Closure {
public:
  Closure(const clang::CompilerInvocation &invocation, clang::FileManager &files, Wanted wanted)
      : wanted(wanted), files(files), diagnosticOptions(new clang::DiagnosticOptions),
        diagnostics(new clang::DiagnosticIDs, forDiagnostics(*diagnosticOptions), &silence,
                    /*ShouldOwnClient=*/false),
        sources(diagnostics, files),
        options(std::make_shared<clang::HeaderSearchOptions>(invocation.getHeaderSearchOpts())),
        headers(forHeaderSearch(options), sources, diagnostics, languageOf(invocation), nullptr) {
    options->Verbose = false;
    clang::ApplyHeaderSearchOptions(headers, *options, languageOf(invocation),
                                    llvm::Triple(invocation.getTargetOpts().Triple));
  }

  void addUnitsFile(llvm::StringRef name) { add(files.getOptionalFileRef(name)); }

  /// Files that the command line includes are searched for from the working directory on.
  void addIncluded(llvm::StringRef name) {
    addUnitsFile(name);
    follow({name}, std::nullopt);
  }

  Reach reach() {
    while (!pending.empty() && found == Reach::Never)
      read(pending.pop_back_val());
    return found;
  }

private:
  const Wanted wanted;
  clang::FileManager &files;
  clang::IgnoringDiagConsumer silence;
  OwnedDiagnosticOptions diagnosticOptions;
  clang::DiagnosticsEngine diagnostics;
  clang::SourceManager sources;
  std::shared_ptr<clang::HeaderSearchOptions> options;
  clang::HeaderSearch headers;
  llvm::DenseSet<const clang::FileEntry *> seen;
  llvm::SmallVector<clang::FileEntryRef, 64> pending;
  Reach found = Reach::Never;

  void add(clang::OptionalFileEntryRef file) {
    if (file && seen.insert(&file->getFileEntry()).second)
      pending.push_back(*file);
  }

  void read(clang::FileEntryRef file) {
    const auto text = files.getBufferForFile(file);
    if (!text)
      return; // the compiler will report it
    if (wanted.text((*text)->getBuffer()))
      found = Reach::Possible;
    else if (!findIncludes((*text)->getBuffer(),
                           [&](const IncludeDirective &include) { follow(include, file); }) &&
             found == Reach::Never && wanted.inSystem)
      found = Reach::Unknown;
  }

  void follow(const IncludeDirective &include, clang::OptionalFileEntryRef includer) {
    if (wanted.name(llvm::sys::path::filename(include.name)))
      found = Reach::Possible;
    if (llvm::sys::path::is_absolute(include.name))
      return add(files.getOptionalFileRef(include.name));
    if (!include.isAngled && includer && !include.searchNext &&
        addFrom(includer->getDir().getName(), include.name))
      return;
    // #include_next begins after the folder where the file itself was found, so every folder is
    // tried.
    const auto begin = include.isAngled ? headers.angled_dir_begin() : headers.quoted_dir_begin();
    for (auto folder = begin; folder != headers.search_dir_end(); ++folder) {
      if (!wanted.inSystem && folder->isSystemHeaderDirectory())
        return;
      else if (!folder->isNormalDir())
        found = Reach::Unknown; // a framework or a map of headers
      else if (addFrom(folder->getName(), include.name) && !include.searchNext)
        return;
    }
  }

  bool addFrom(llvm::StringRef folder, llvm::StringRef name) {
    llvm::SmallString<256> path(folder);
    llvm::sys::path::append(path, name);
    const clang::OptionalFileEntryRef file = files.getOptionalFileRef(path);
    add(file);
    return file.has_value();
  }
};

Reach reachFrom(const clang::CompilerInvocation &invocation, clang::FileManager &files,
                Wanted wanted) {
  Closure closure(invocation, files, wanted);
  for (const std::string &included : invocation.getPreprocessorOpts().Includes)
    closure.addIncluded(included);
  for (const clang::FrontendInputFile &input : invocation.getFrontendOpts().Inputs)
    if (input.isFile())
      closure.addUnitsFile(input.getFile());
  return closure.reach();
}

} // namespace

bool findIncludes(llvm::StringRef text, llvm::function_ref<void(const IncludeDirective &)> visit) {
  bool allNamed = true;
  for (const llvm::StringRef word : {"include", "import"})
    for (std::size_t at = text.find(word); at != llvm::StringRef::npos;
         at = text.find(word, at + word.size())) {
      llvm::StringRef rest = text.substr(at + word.size());
      if (!endsAsDirective(text.take_front(at)))
        continue;
      const bool next = rest.consume_front("_next");
      if (!rest.empty() && isPartOfWord(rest.front()))
        continue;
      rest = skipBlanks(rest);
      const bool isAngled = rest.consume_front("<");
      if (isAngled || rest.consume_front("\""))
        visit({rest.take_until([&](char c) { return c == (isAngled ? '>' : '"') || c == '\n'; }),
               isAngled, next});
      else if (!rest.empty() && isPartOfWord(rest.front()) &&
               !text.take_front(at).rtrim(" \t").ends_with("*/"))
        allNamed = false;
    }
  return allNamed;
}

Reach reachOfIncludes(const clang::CompilerInvocation &invocation, clang::FileManager &files,
                      const llvm::StringSet<> &names) {
  const auto isNamed = [&](llvm::StringRef name) { return names.contains(name); };
  return reachFrom(invocation, files, {isNamed, isNever, /*inSystem=*/true});
}

bool reachesText(const clang::CompilerInvocation &invocation, clang::FileManager &files,
                 llvm::function_ref<bool(llvm::StringRef)> isWanted) {
  return reachFrom(invocation, files, {isNever, isWanted, /*inSystem=*/false}) != Reach::Never;
}

} // namespace sendwright
