// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The preprocessor says where directives stand. Their text is lexed again, without expanding
// macros, so that it enters the calls as the user wrote it.

#include "tool/transformations/redistribution/RedistributionDirectives.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Pragma.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <functional>

namespace sendwright {

namespace {

using namespace clang;

constexpr char nameSpace[] = "hpf";

/// Visits every upper and lower case spelling of the pragma's name: the preprocessor compares
/// exactly.
void forEachSpelling(llvm::function_ref<void(llvm::StringRef)> visit) {
  const llvm::StringRef name = nameSpace;
  for (unsigned capitals = 0; capitals < 1U << name.size(); ++capitals) {
    std::string spelling = name.str();
    for (unsigned letter = 0; letter < name.size(); ++letter)
      if (capitals >> letter & 1U)
        spelling[letter] = llvm::toUpper(spelling[letter]);
    visit(spelling);
  }
}

/// Takes a whole pragma and passes on its place: from # to past its last token.
class DirectiveHandler : public PragmaHandler {
public:
  using Found = std::function<void(Preprocessor &, PragmaIntroducer, SourceLocation past)>;
  DirectiveHandler(llvm::StringRef name, Found found)
      : PragmaHandler(name), found(std::move(found)) {}

  void HandlePragma(Preprocessor &preprocessor, PragmaIntroducer introducer,
                    Token &token) override {
    SourceLocation last = token.getLocation();
    while (token.isNot(tok::eod)) {
      last = token.getLocation();
      preprocessor.LexUnexpandedToken(token);
    }
    found(preprocessor, introducer,
          last.isFileID() ? preprocessor.getLocForEndOfToken(last) : SourceLocation());
  }

private:
  const Found found;
};

void addHandlers(Preprocessor &preprocessor, const DirectiveHandler::Found &found) {
  forEachSpelling([&](llvm::StringRef spelling) {
    preprocessor.AddPragmaHandler(new DirectiveHandler(spelling, found));
  });
}

void collect(Preprocessor &preprocessor, PragmaIntroducer introducer, SourceLocation past,
             std::vector<DirectivePragma> &pragmas) {
  const SourceManager &sources = preprocessor.getSourceManager();
  const auto [file, offset] = sources.getDecomposedLoc(sources.getExpansionLoc(introducer.Loc));
  for (const DirectivePragma &known : pragmas)
    if (known.begin == offset &&
        sources.getFileEntryForID(known.file) == sources.getFileEntryForID(file) &&
        sources.getFileEntryForID(file))
      return;
  DirectivePragma pragma;
  pragma.file = file;
  pragma.begin = pragma.end = offset;
  if (introducer.Kind != PIK_HashPragma || introducer.Loc.isMacroID() || past.isInvalid())
    pragma.obstacle = "written by the operator _Pragma, expected a line #pragma hpf ... of its own";
  else
    pragma.end = sources.getFileOffset(past);
  if (pragma.obstacle.empty())
    parseDirective(pragma, sources.getBufferData(file), preprocessor.getLangOpts());
  pragmas.push_back(std::move(pragma));
}

/// Skips white space, continued lines and comments.
llvm::StringRef skipBlank(llvm::StringRef text) {
  while (true) {
    text = text.ltrim(" \t\f\v");
    if (text.starts_with("/*"))
      text = text.substr(2).split("*/").second;
    else if (!text.consume_front("\\\n") && !text.consume_front("\\\r\n"))
      return text;
  }
}

} // namespace

void collectDirectives(Preprocessor &preprocessor, std::vector<DirectivePragma> &pragmas) {
  addHandlers(preprocessor,
              [&pragmas](Preprocessor &running, PragmaIntroducer introducer, SourceLocation past) {
                collect(running, introducer, past, pragmas);
              });
}

void collectUntranslated(Preprocessor &preprocessor, std::vector<SourceLocation> &places) {
  addHandlers(preprocessor, [&places](Preprocessor &, PragmaIntroducer introducer, SourceLocation) {
    places.push_back(introducer.Loc);
  });
}

bool mentionsDirectives(llvm::StringRef text) {
  constexpr llvm::StringLiteral word = "ragma"; // of pragma and _Pragma
  for (std::size_t at = text.find(word); at != llvm::StringRef::npos;
       at = text.find(word, at + word.size())) {
    llvm::StringRef rest = skipBlank(text.substr(at + word.size()));
    rest.consume_front("(");
    rest = skipBlank(rest);
    if (rest.consume_front("\""))
      rest = rest.ltrim();
    if (rest.starts_with_insensitive(nameSpace))
      return true;
  }
  return text.contains("sendwright/required.h");
}

} // namespace sendwright
