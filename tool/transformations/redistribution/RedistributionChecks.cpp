// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order in which directives are judged, and what a directive says by itself.

#include "tool/transformations/redistribution/DirectiveJudge.h"
#include "tool/transformations/redistribution/RedistributionFormats.h"

#include "llvm/ADT/STLExtras.h"

namespace sendwright {

using namespace clang;

DirectiveJudge::DirectiveJudge(const std::vector<DirectivePragma> &pragmas, ASTContext &context,
                               const DirectiveConstants &constants)
    : context(context), sources(context.getSourceManager()), constants(constants) {
  std::vector<SourceLocation> locations;
  for (const DirectivePragma &pragma : pragmas)
    locations.push_back(
        sources.getLocForStartOfFile(pragma.file).getLocWithOffset(static_cast<int>(pragma.begin)));
  const std::vector<DirectivePlace> places = placesOf(locations, context);
  for (std::size_t number = 0; number < pragmas.size(); ++number) {
    MeantDirective meant;
    meant.pragma = &pragmas[number];
    meant.place = places[number];
    result.directives.push_back(std::move(meant));
  }
  llvm::stable_sort(result.directives,
                    [this](const auto &left, const auto &right) { return isBefore(left, right); });
}

MeantDirectives DirectiveJudge::judge() {
  for (current = 0; current < directives.size(); ++current)
    judgeForm();
  // Stops at the first stage with errors: the next would report the same errors in other words.
  for (const auto kind :
       {Directive::Processors, Directive::Template, Directive::Dynamic, Directive::Distribute,
        Directive::Align, Directive::Realign, Directive::Redistribute, Directive::Shadow,
        Directive::Reflect, Directive::ReflectBegin, Directive::ReflectEnd}) {
    if (kind == Directive::Align) // one may be aligned with another whose directive stands below
      forEach(kind, [this] { nameAligned(); });
    forEach(kind, [this] { judgeMeaning(); });
    if (kind == Directive::Align) {
      forEach(kind, [this] { judgeCircles(); });
      forEach(kind, [this] { judgeShapes(); });
    }
  }
  llvm::stable_sort(result.findings, [](const auto &left, const auto &right) {
    return left.directive < right.directive;
  });
  return std::move(result);
}

std::string DirectiveJudge::lineOf(SourceLocation location) const {
  return std::to_string(sources.getPresumedLineNumber(sources.getExpansionLoc(location)));
}

void DirectiveJudge::judgeForm() {
  MeantDirective &meant = here();
  const DirectivePragma &pragma = *meant.pragma;
  if (!pragma.obstacle.empty()) {
    failHere(pragma.obstacle);
    return;
  }
  if (pragma.problem) {
    fail(pragma.problem->offset, pragma.problem->text);
    return;
  }
  if (!meant.place.obstacle.empty()) {
    failHere(meant.place.obstacle);
    return;
  }
  const Directive &said = *pragma.directive;
  if (said.isExecuted() && !meant.place.block()) {
    failHere("stands outside of functions, expected a block: it is executed there");
    return;
  }
  meant.said = &said;
}

void DirectiveJudge::judgeMeaning() {
  switch (here().said->kind) {
  case Directive::Processors:
    judgeProcessors();
    break;
  case Directive::Template:
    judgeTemplate();
    break;
  case Directive::Dynamic:
    for (const DirectiveText &name : here().said->names)
      addArray(name);
    break;
  case Directive::Align:
    judgeAlign();
    break;
  case Directive::Realign:
    judgeRealign();
    break;
  case Directive::Distribute:
    judgeDistribute();
    break;
  case Directive::Redistribute:
    judgeRedistribute();
    break;
  case Directive::Shadow:
    judgeShadow();
    break;
  case Directive::Reflect:
  case Directive::ReflectBegin:
  case Directive::ReflectEnd:
    judgeReflect();
    break;
  }
}

// ---- processors ----

void DirectiveJudge::judgeProcessors() {
  MeantDirective &meant = here();
  judgeNewName(meant.said->names.front(), "are");
  for (const DirectiveText &extent : meant.said->extents) {
    meant.extents.push_back(constants.valueOf(extent.text, meant.place));
    if (meant.extents.back() && *meant.extents.back() < 1)
      failAt(extent,
             "is " + std::to_string(*meant.extents.back()) + ", expected at least one processor");
  }
  if (const std::optional<DirectiveProblem> problem =
          problemOfRanks(*meant.said, meant.extents, {constants, meant.place, {}, {}}))
    fail(problem->offset, problem->text);
  judgeJumps();
}

void DirectiveJudge::judgeNewName(const DirectiveText &name, const std::string &verb) {
  const MeantDirective &meant = here();
  if (constants.isMacro(name.text, meant.place))
    failAt(name, "is a macro, expected another name");
  for (const MeantDirective &other : directives)
    if (&other != &meant && other.is(meant.said->kind) && isBefore(other, meant) &&
        other.said->names.front().text == name.text && other.place.block() == meant.place.block() &&
        other.place.context == meant.place.context)
      failAt(name, verb + " declared in line " + lineOf(other.place.location) +
                       " already, expected another name");
}

void DirectiveJudge::judgeTemplate() {
  MeantDirective &meant = here();
  const DirectiveText &name = meant.said->names.front();
  judgeNewName(name, "is");
  if (lookUp(name.text, meant.place, context))
    failAt(name, "is also the name of a variable, expected another name");
  for (const DirectiveText &extent : meant.said->extents) {
    meant.extents.push_back(constants.valueOf(extent.text, meant.place));
    if (meant.extents.back() && *meant.extents.back() < 0)
      failAt(extent, "is negative, expected the elements in that dimension");
  }
  judgeJumps();
}

void DirectiveJudge::judgeJumps() {
  const SourceLocation label = jumpPast(here().place, context);
  if (label.isValid())
    failHere("the label in line " + lineOf(label) +
             " is reached without it, expected it before the jump or in a block of its own");
}

std::size_t DirectiveJudge::findDeclared(Directive::Kind kind, const DirectiveText &name) {
  std::size_t found = none;
  for (std::size_t number = 0; number < directives.size(); ++number) {
    const MeantDirective &other = directives[number];
    if (!other.is(kind) || other.said->names.front().text != name.text ||
        !isBefore(other, here()) || (other.place.block() && !here().place.isInScopeOf(other.place)))
      continue;
    if (found == none || other.place.around.size() >= directives[found].place.around.size())
      found = number;
  }
  return found;
}

MeantDirectives judgeDirectives(const std::vector<DirectivePragma> &pragmas, ASTContext &context,
                                const DirectiveConstants &constants) {
  return DirectiveJudge(pragmas, context, constants).judge();
}

} // namespace sendwright
