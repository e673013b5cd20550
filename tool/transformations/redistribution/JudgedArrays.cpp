// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The variables that directives name.

#include "tool/transformations/redistribution/DirectiveJudge.h"
#include "tool/transformations/redistribution/RedistributionFormats.h"

#include "llvm/ADT/STLExtras.h"

namespace sendwright {

using namespace clang;

bool DirectiveJudge::judgeLambdas(const DirectiveText &name, const DirectivePlace &outer) {
  return !outer.block() || judgeLambdas(name, here().place.lambdasWithin(outer), nullptr);
}

bool DirectiveJudge::judgeLambdas(const DirectiveText &name,
                                  const std::vector<const LambdaExpr *> &lambdas,
                                  const VarDecl *variable) {
  for (const LambdaExpr *lambda : lambdas)
    if (!capturesByReference(*lambda, variable))
      return failAt(name, "belongs to the function that encloses the lambda in line " +
                              lineOf(lambda->getBeginLoc()) +
                              ", expected the lambda to capture by [&]");
  return true;
}

// ---- arrays ----

/// Adds what the name means; false where it cannot be a distributed array.
bool DirectiveJudge::addArray(const DirectiveText &name) {
  NamedArray array;
  if (!readArray(name, array))
    return false;
  here().arrays.push_back(std::move(array));
  return true;
}

bool DirectiveJudge::addArrayWithElements(const DirectiveText &name) {
  return addArray(name) &&
         (!here().arrays.back().block.isTemplate() ||
          failAt(name, "is a template, which has no elements, expected an array"));
}

bool DirectiveJudge::readArray(const DirectiveText &name, NamedArray &array) {
  const MeantDirective &meant = here();
  if (constants.isMacro(name.text, meant.place))
    return failAt(name, "is a macro, expected the name of a variable");
  array.name = name.text;
  const std::size_t declared = findDeclared(Directive::Template, name);
  array.block = declared != none ? templateBlock(declared)
                                 : blockVariable(lookUp(name.text, meant.place, context), context);
  return array.block.problem.empty() || failAt(name, array.block.problem);
}

BlockVariable DirectiveJudge::templateBlock(std::size_t number) const {
  BlockVariable block;
  block.templateNumber = number;
  block.isTemplateOfUnit = !directives[number].place.block();
  for (const std::optional<long long> &extent : directives[number].extents)
    block.extents.push_back({true, extent});
  return block;
}

std::size_t DirectiveJudge::findDistribution(const NamedArray &array) {
  std::size_t found = none;
  for (std::size_t number = 0; number < directives.size(); ++number) {
    const MeantDirective &other = directives[number];
    if (!saysWhere(other) || number == current)
      continue;
    for (const NamedArray &named : other.arrays)
      if (named.block.isSameAs(array.block) &&
          (array.block.isGlobal() ||
           (isBefore(other, here()) && here().place.isInScopeOf(other.place))))
        found = number;
  }
  return found;
}

bool DirectiveJudge::saysWhere(const MeantDirective &directive) {
  return directive.is(Directive::Distribute) || directive.is(Directive::Align);
}

std::string DirectiveJudge::shadowing(const NamedArray &array) {
  for (const MeantDirective &other : directives)
    if (saysWhere(other) && isBefore(other, here()) && here().place.isInScopeOf(other.place))
      for (const NamedArray &named : other.arrays)
        if (named.name == array.name && !named.block.isGlobal())
          return lineOf(other.place.location);
  return "";
}

bool DirectiveJudge::judgeMemory(const DirectiveText &name, const NamedArray &array) {
  const std::string memory =
      array.block.isTemplate() ? "" : foreignMemory(array.block.variable, context);
  if (!memory.empty())
    return failAt(name, "points to " + memory + ", expected memory of malloc()");
  for (const MeantDirective &other : directives)
    for (const NamedArray &named : other.arrays)
      if (array.block.isGlobal() && named.name == array.name &&
          !named.block.isSameAs(array.block) && saysWhere(other) && named.block.isGlobal())
        return failAt(name, "is also the name of another distributed variable (line " +
                                lineOf(other.place.location) + "), expected different names");
  return true;
}

bool DirectiveJudge::judgeCapture(const DirectiveText &name, const NamedArray &array) {
  if (array.block.isTemplate())
    return judgeLambdas(name, directives[*array.block.templateNumber].place);
  const VarDecl *variable = array.block.variable;
  return judgeLambdas(name, here().place.lambdasFrom(*variable, sources), variable);
}

bool DirectiveJudge::judgeRows(const NamedArray &array, const MeantDirective &distribution) {
  const Directive &said = *here().said;
  const NamedArray &first = here().arrays.front();
  if (array.block.extents.empty() && &distribution == &here() && !first.block.extents.empty())
    return fail(said.formats.front().offset,
                "'" + array.name + "' does not " +
                    (first.block.pointsToRows() ? "point to rows" : "say its extents") + " as '" +
                    first.name + "' does, expected a directive of its own");
  const std::optional<DirectiveProblem> problem = problemOfShape(array.name, array.block, said);
  return !problem || fail(problem->offset, problem->text);
}

bool DirectiveJudge::hasShadow(const NamedArray &array) const {
  for (const MeantDirective &other : directives)
    if (other.is(Directive::Shadow))
      for (const NamedArray &named : other.arrays)
        if (named.block.isSameAs(array.block))
          return true;
  return false;
}

bool DirectiveJudge::judgeUse(const DirectiveText &name) {
  return judgeUse(name, here().arrays.back());
}

bool DirectiveJudge::judgeUse(const DirectiveText &name, NamedArray &array) {
  array.distribution = findDistribution(array);
  if (array.distribution == none)
    return failAt(name, array.block.isGlobal()
                            ? "is not distributed in this unit, expected #pragma hpf distribute"
                            : "is not distributed here, expected #pragma hpf distribute before, in "
                              "this block or one around it");
  const MeantDirective &distribution = directives[array.distribution];
  if (array.block.isGlobal()) {
    if (const std::string line = shadowing(array); !line.empty())
      return failAt(name, "is also the name of the variable that line " + line +
                              " distributes, expected different names");
  } else if (!judgeLambdas(name, distribution.place))
    return false;
  return true;
}

} // namespace sendwright
