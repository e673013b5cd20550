// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/sites/LoopHash.h"

#include "analysis/file/Hashing.h"

#include "clang/Lex/Lexer.h"

#include <string>

namespace sendwright {

std::uint64_t hashTokens(llvm::StringRef text, const clang::LangOptions &language) {
  const std::string terminated = text.str(); // the lexer wants a null character at the end
  const char *start = terminated.data();
  clang::Lexer lexer(clang::SourceLocation(), language, start, start, start + terminated.size());

  std::string normalised;
  std::size_t lineStart = 0; // of the current line, in `normalised`
  bool afterHash = false, inMarker = false;
  clang::Token token;
  for (lexer.LexFromRawLexer(token); token.isNot(clang::tok::eof); lexer.LexFromRawLexer(token)) {
    if (token.isAtStartOfLine()) {
      lineStart = normalised.size();
      inMarker = false;
    } else if (afterHash && token.is(clang::tok::numeric_constant)) {
      normalised.resize(lineStart);
      inMarker = true;
    }
    afterHash = token.isAtStartOfLine() && token.is(clang::tok::hash);
    if (inMarker)
      continue;
    const auto end = static_cast<std::size_t>(lexer.getBufferLocation() - start);
    normalised.append(terminated, end - token.getLength(), token.getLength());
    normalised += '\0';
  }
  return XXH3_64bits(normalised.data(), normalised.size());
}

} // namespace sendwright
