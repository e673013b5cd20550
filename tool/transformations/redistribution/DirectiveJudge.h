// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who judges the directives of a unit: directive by directive, one kind after another, as each kind
// builds on what the kinds before it mean.
//
//     RedistributionChecks.cpp   the order; what one directive says by itself; processors
//     JudgedArrays.cpp           variables that directives name
//     JudgedDistributions.cpp    distribute: processors, extents and formats
//     JudgedAlignments.cpp       align, realign
//     JudgedMoves.cpp            redistribute, shadow, reflect

#ifndef SENDWRIGHT_TOOL_TRANSFORMATIONS_REDISTRIBUTION_DIRECTIVEJUDGE_H
#define SENDWRIGHT_TOOL_TRANSFORMATIONS_REDISTRIBUTION_DIRECTIVEJUDGE_H

#include "tool/transformations/redistribution/RedistributionChecks.h"

#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sendwright {

class DirectiveJudge {
public:
  DirectiveJudge(const std::vector<DirectivePragma> &pragmas, clang::ASTContext &context,
                 const DirectiveConstants &constants);

  MeantDirectives judge();

private:
  clang::ASTContext &context;
  const clang::SourceManager &sources;
  const DirectiveConstants &constants;
  MeantDirectives result;
  std::vector<MeantDirective> &directives = result.directives;
  std::size_t current = 0;

  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  MeantDirective &here() { return directives[current]; }
  /// Calls judge() at each directive of a kind, unless an earlier stage found errors.
  template <typename Stage> void forEach(Directive::Kind kind, Stage judge) {
    const bool sound = result.findings.empty();
    for (current = 0; sound && current < directives.size(); ++current)
      if (directives[current].is(kind))
        judge();
  }
  bool isBefore(const MeantDirective &left, const MeantDirective &right) const {
    return sources.isBeforeInTranslationUnit(left.place.location, right.place.location);
  }
  /// Reports an error and returns false, which functions that stop there return too.
  bool fail(unsigned offset, const std::string &text) {
    result.findings.push_back({current, offset, text});
    return false;
  }
  bool failHere(const std::string &text) { return fail(here().pragma->begin, text); }
  bool failAt(const DirectiveText &word, const std::string &text) {
    return fail(word.offset, "'" + word.text + "' " + text);
  }

  std::string lineOf(clang::SourceLocation location) const;
  /// Judges what one directive says by itself, and where it stands.
  void judgeForm();
  void judgeMeaning();

  // Processors
  void judgeProcessors();
  /// Judges the name of processors or of a template.
  void judgeNewName(const DirectiveText &name, const std::string &verb);
  void judgeTemplate();
  /// Judges whether a jump may leave an object without a value.
  void judgeJumps();
  /// The directive of a kind that declares a name, as it is seen from the current directive.
  std::size_t findDeclared(Directive::Kind kind, const DirectiveText &name);
  /// Judges whether the lambdas between a place and the outer block capture what the place uses.
  bool judgeLambdas(const DirectiveText &name, const DirectivePlace &outer);
  bool judgeLambdas(const DirectiveText &name,
                    const std::vector<const clang::LambdaExpr *> &lambdas,
                    const clang::VarDecl *variable);

  // Arrays
  /// Adds what the name means; false where it cannot be a distributed array.
  bool addArray(const DirectiveText &name);
  /// The same for an array with elements.
  bool addArrayWithElements(const DirectiveText &name);
  bool readArray(const DirectiveText &name, NamedArray &array);
  BlockVariable templateBlock(std::size_t number) const;
  /// The distribute or align directive whose object holds where the current directive names the
  /// variable.
  std::size_t findDistribution(const NamedArray &array);
  /// Whether the directive's arrays have an object that says where they lie.
  static bool saysWhere(const MeantDirective &directive);
  std::string shadowing(const NamedArray &array);

  // Distribute
  void judgeDistribute();
  bool judgeDistributed(const DirectiveText &name);
  /// Judges the memory and the name of what a distribute or align directive declares.
  bool judgeMemory(const DirectiveText &name, const NamedArray &array);
  /// Judges whether lambdas around the directive capture the array by reference.
  bool judgeCapture(const DirectiveText &name, const NamedArray &array);
  bool judgeOnto();
  /// Judges whether the number of distributed dimensions equals that of the processors.
  bool judgeFit(const MeantDirective &meant, const MeantDirective &processors);
  /// Judges the array's own extents, and whether its type fits the dimensions.
  void judgeExtents();
  /// Judges an extent that the directive says, and takes its value, if that is constant. Null if it
  /// says none.
  const DirectiveText *readExtent(std::size_t number);
  void judgeExtent(std::size_t number);
  /// extent(N), extent(N, M), ... for as many dimensions as are said.
  static std::string extentClause(const Directive &said);
  /// Judges whether the dimensions that the type says fit, for every array of the directive.
  bool judgeRows(const NamedArray &array, const MeantDirective &distribution);

  // Redistribute
  void judgeRedistribute();
  /// Whether some directive may have moved the array to other processors than distribute says.
  bool changesProcessors(const NamedArray &array) const;

  // Align and realign
  void nameAligned();
  /// Judges the names; what the subscripts lead to is judged when all targets are known.
  void judgeAlign();
  bool judgeAligned(const DirectiveText &name, const NamedArray &array);
  /// Whether the object that another directive declares for an array is there where the current one
  /// declares its own, or the other way round.
  bool meet(const NamedArray &array, const MeantDirective &other);
  /// Finds what the arrays are aligned with.
  bool judgeTarget();
  /// The extent of one dimension as the directive says it, or the types of the arrays.
  void judgeAlignedExtent(std::size_t number);
  /// Judges whether what the arrays are aligned with moves with them.
  bool judgeCircles();
  /// Judges the subscripts of align and realign.
  void judgeShapes();
  void judgeRealign();

  // Shadow and reflect
  void judgeShadow();
  void judgeReflect();
  bool hasShadow(const NamedArray &array) const;
  bool judgeRedistributed(const DirectiveText &name);
  bool judgeDynamic(const DirectiveText &name);
  /// Finds the distribution of the array that was added last.
  bool judgeUse(const DirectiveText &name);
  bool judgeUse(const DirectiveText &name, NamedArray &array);
  void judgeSchedule();

  // What is known of sizes
  /// The extents of a redistribution must repeat those of the array.
  void judgeRepeatedExtents(const MeantDirective &distribution);
  void judgeFormats(const MeantDirective &distribution);
  void judgeFormat(std::size_t number, std::optional<long long> ranks,
                   std::optional<long long> extent);
};

} // namespace sendwright

#endif
