// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `#pragma hpf` directives: where they stand, and what they say.
//
//     processors P(6[, q, ...]) [comm(C)] [ranks(FIRST:LAST[:STRIDE])]
//     distribute A(FORMAT, ...) onto P [extent(N, ...)]       distribute (FORMAT) onto P :: A, B
//     dynamic [A, B]
//     redistribute A(FORMAT, ...) [onto Q] [schedule(S)]      redistribute (FORMAT) :: A, B
//     template T(n[, m, ...])
//     align B(i, *, ...) with A(i, ...) [extent(N, ...)]      align (i, *) with A(i) :: B, C
//     realign B(i, *, ...) with A(i, ...)                     realign (i, *) with A(i) :: B, C
//     shadow A(LOWER:UPPER, ...)
//     reflect A, B [periodic[(P, ...)]] [corners]             reflect_begin, reflect_end A, B
//
// FORMAT is gen_block(SIZES), indirect(MAP), block, block(N), cyclic, cyclic(K), * or, in
// redistribute, balance(COSTS) or balance(measured). Keywords are read in any case and never as
// macros. What stands between brackets is the user's own text: only the compiler knows what it
// means.

#ifndef SENDWRIGHT_TOOL_TRANSFORMATIONS_REDISTRIBUTION_REDISTRIBUTIONDIRECTIVES_H
#define SENDWRIGHT_TOOL_TRANSFORMATIONS_REDISTRIBUTION_REDISTRIBUTIONDIRECTIVES_H

#include "clang/Basic/LangOptions.h"
#include "clang/Basic/SourceLocation.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace sendwright {

/// The largest number of dimensions of arrays and processors (SENDWRIGHT_DIMENSIONS).
inline constexpr std::size_t mostDirectiveDimensions = 7;

/// A part of the user's text, on one line and without comments, and the offset at which it begins.
struct DirectiveText {
  std::string text;
  unsigned offset = 0;
};

/// How one dimension is distributed.
struct DirectiveFormat {
  enum Kind { Collapsed, GenBlock, Indirect, Balance, Block, Cyclic } kind = Collapsed;
  /// For gen_block the sizes, for indirect the map, for balance the costs, for block and cyclic a
  /// length.
  std::optional<DirectiveText> argument;
  std::optional<DirectiveText> chosen; ///< for balance: where the sizes go
  bool measured = false; ///< for balance: no costs, the load is measured; `argument` is the word
  unsigned offset = 0;
};

/// Where one dimension of an aligned array lies.
struct DirectiveAlignment {
  /// A dimension of the array or template with which it is aligned; nothing: not divided ("*").
  std::optional<std::size_t> along;
  std::optional<DirectiveText> shift; ///< where index 0 lies on that dimension; nothing: at index 0
  unsigned offset = 0;
};

struct Directive {
  enum Kind {
    Processors,
    Template,
    Distribute,
    Dynamic,
    Align,
    Realign,
    Redistribute,
    Shadow,
    Reflect,
    ReflectBegin,
    ReflectEnd
  } kind = Processors;
  /// Names of arrays, of the processors or of the template. A dynamic without names means all
  /// arrays.
  std::vector<DirectiveText> names;
  std::vector<DirectiveText>
      extents; ///< of processors, a template or extent(...); "*" says nothing
  std::vector<DirectiveFormat> formats;
  std::optional<DirectiveText> onto;      ///< the name of processors
  std::vector<DirectiveText> ontoExtents; ///< onto P(p, q): the extents that P is declared with
  std::optional<DirectiveText> communicator;
  std::vector<DirectiveText> ranks; ///< first, last and possibly the stride; empty: all
  std::optional<DirectiveText> schedule;
  // For align and realign: with what, by dimension of the aligned array; and for each dimension of
  // the other array where its subscript stands.
  std::optional<DirectiveText> with;
  std::vector<DirectiveAlignment> alignments;
  std::vector<unsigned> targetOffsets;
  std::vector<DirectiveText> widths; ///< for shadow: below and above, for each dimension
  bool corners = false;
  bool periodic = false;
  std::vector<DirectiveText> periods; ///< whether it is, for each dimension; empty: in all
  /// Whether a call stands in its place that does something.
  bool isExecuted() const { return kind != Processors && kind != Template && kind != Dynamic; }
};

/// What is wrong, and where.
struct DirectiveProblem {
  unsigned offset = 0;
  std::string text; ///< what was found and what was expected
};

/// A pragma of the unit, as the preprocessor met it.
struct DirectivePragma {
  clang::FileID file;
  unsigned begin = 0, end = 0; ///< from # to past its last token, including continuation lines
  std::string obstacle;        ///< why it cannot be replaced; empty where it can
  std::optional<Directive> directive;
  std::optional<DirectiveProblem> problem; ///< set instead of the directive
};

/// Reads the directive in [begin, end) of a file's text. Linear.
void parseDirective(DirectivePragma &pragma, llvm::StringRef text,
                    const clang::LangOptions &language);

/// Lets the preprocessor collect the unit's directives; it owns the handlers that this adds.
/// `pragmas` must outlive the parse. A file that is included several times gives one pragma for
/// each line.
void collectDirectives(clang::Preprocessor &preprocessor, std::vector<DirectivePragma> &pragmas);

/// Lets the preprocessor keep the places of directives that nothing replaced. `places` must outlive
/// the compilation.
void collectUntranslated(clang::Preprocessor &preprocessor,
                         std::vector<clang::SourceLocation> &places);

/// Whether a text may hold a directive (the word pragma, followed by hpf in any case) or asks
/// whether directives are translated. Linear.
bool mentionsDirectives(llvm::StringRef text);

} // namespace sendwright

#endif
