// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays that lie as another does.

#include "tool/transformations/redistribution/DirectiveJudge.h"
#include "tool/transformations/redistribution/RedistributionAlignments.h"
#include "tool/transformations/redistribution/RedistributionFormats.h"

#include "llvm/ADT/STLExtras.h"

namespace sendwright {

using namespace clang;

// ---- align and realign ----

void DirectiveJudge::nameAligned() {
  for (const DirectiveText &name : here().said->names)
    addArrayWithElements(name);
}

void DirectiveJudge::judgeAlign() {
  MeantDirective &meant = here();
  const Directive &said = *meant.said;
  bool declares = false;
  for (std::size_t number = 0; number < meant.arrays.size(); ++number) {
    if (!judgeAligned(said.names[number], meant.arrays[number]))
      return;
    declares |= !meant.arrays[number].block.isGlobal();
  }
  if (declares)
    judgeJumps();
  if (!judgeTarget())
    return;
  if (!said.extents.empty() && said.extents.size() != said.alignments.size())
    return void(fail(said.extents.front().offset,
                     "found " + countText(static_cast<long long>(said.extents.size()), "extent") +
                         ", expected " + std::to_string(said.alignments.size()) +
                         ", one for each dimension"));
  meant.extents.resize(said.alignments.size());
  for (std::size_t number = 0; number < said.alignments.size(); ++number)
    judgeAlignedExtent(number);
}

bool DirectiveJudge::judgeAligned(const DirectiveText &name, const NamedArray &array) {
  if (!judgeMemory(name, array))
    return false;
  for (const MeantDirective &other : directives)
    if (other.is(Directive::Distribute) || (other.is(Directive::Align) && isBefore(other, here())))
      for (const NamedArray &named : other.arrays)
        if (named.block.isSameAs(array.block) && meet(array, other))
          return failAt(name, (other.is(Directive::Align) ? "is aligned in line "
                                                          : "is distributed in line ") +
                                  lineOf(other.place.location) +
                                  (isBefore(other, here()) ? " already, expected realign"
                                                           : ", too, expected one of the two"));
  return array.block.isGlobal() || judgeCapture(name, array);
}

bool DirectiveJudge::meet(const NamedArray &array, const MeantDirective &other) {
  if (array.block.isGlobal())
    return true;
  return isBefore(other, here()) ? here().place.isInScopeOf(other.place)
                                 : other.place.isInScopeOf(here().place);
}

bool DirectiveJudge::judgeTarget() {
  MeantDirective &meant = here();
  const DirectiveText &name = *meant.said->with;
  NamedArray target;
  if (!readArray(name, target))
    return false;
  for (const NamedArray &array : meant.arrays) {
    if (array.block.isSameAs(target.block))
      return failAt(name, "is aligned with itself, expected another array");
    if (array.block.isGlobal() && !target.block.isGlobal())
      return failAt(name, "ends with its block, but '" + array.name +
                              "' does not, expected an array that lives as long");
  }
  if (!judgeUse(name, target))
    return false;
  meant.target = std::move(target);
  return true;
}

void DirectiveJudge::judgeAlignedExtent(std::size_t number) {
  MeantDirective &meant = here();
  const Directive &said = *meant.said;
  const DirectiveText *given = readExtent(number);
  std::optional<long long> &extent = meant.extents[number];
  for (const NamedArray &array : meant.arrays) {
    if (!given && !array.block.saysExtent(number) && !said.alignments[number].along)
      return void(fail(said.alignments[number].offset, "the extent of this dimension of '" +
                                                           array.name +
                                                           "' is not known, expected extent(...)"));
    if (!array.block.saysExtent(number) || !array.block.extents[number].constant)
      continue;
    const auto inType = static_cast<long long>(*array.block.extents[number].constant);
    if (given && extent && *extent >= 0 && *extent != inType)
      failAt(*given, "is " + std::to_string(*extent) + ", expected " + std::to_string(inType) +
                         ", as the type of '" + array.name + "' says");
    extent = std::max(extent.value_or(inType), inType); // the longest must not reach too far
  }
}

bool DirectiveJudge::judgeCircles() {
  const MeantDirective &meant = here();
  for (const NamedArray &array : meant.arrays)
    if (const auto other = alignmentCarrying(directives, *meant.target, array))
      return failAt(*meant.said->with, "moves with '" + array.name + "' (line " +
                                           lineOf(directives[*other].place.location) +
                                           "), expected an array that does not");
  return true;
}

void DirectiveJudge::judgeShapes() {
  MeantDirective &meant = here();
  if (const auto problem = problemOfSubscripts(directives, meant, constants))
    return void(fail(problem->offset, problem->text));
  if (const std::string problem = problemOfAlignment(directives, meant); !problem.empty())
    return void(fail(meant.said->with->offset, problem));
  Directive along; // whose formats are those of the arrays
  along.formats = formatsAlong(*meant.said, formatsOf(directives, meant.target->distribution));
  for (const NamedArray &array : meant.arrays)
    if (const auto problem = problemOfShape(array.name, array.block, along))
      return void(fail(problem->offset, problem->text));
}

void DirectiveJudge::judgeRealign() {
  MeantDirective &meant = here();
  for (const DirectiveText &name : meant.said->names) {
    if (!addArrayWithElements(name) || !judgeUse(name) || !judgeDynamic(name))
      return;
    const MeantDirective &distribution = directives[meant.arrays.back().distribution];
    const std::size_t found = meant.said->alignments.size(), expected = dimensionsOf(distribution);
    if (found != expected)
      return void(fail(meant.said->alignments.front().offset,
                       "'" + name.text + "' has " +
                           countText(static_cast<long long>(expected), "dimension") + " (line " +
                           lineOf(distribution.place.location) + "), found " +
                           std::to_string(found)));
  }
  if (!judgeTarget() || !judgeCircles())
    return;
  meant.extents = extentsOf(directives, meant.arrays.front().distribution, constants);
  judgeShapes();
}

} // namespace sendwright
