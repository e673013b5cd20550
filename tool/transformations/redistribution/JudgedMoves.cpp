// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Directives that move arrays or parts of them.

#include "tool/transformations/redistribution/DirectiveJudge.h"
#include "tool/transformations/redistribution/RedistributionAlignments.h"
#include "tool/transformations/redistribution/RedistributionFormats.h"

#include "llvm/ADT/STLExtras.h"

namespace sendwright {

using namespace clang;

// ---- redistribute ----

void DirectiveJudge::judgeRedistribute() {
  MeantDirective &meant = here();
  for (const DirectiveText &name : meant.said->names)
    if (!addArray(name) || !judgeRedistributed(name))
      return;
  if (meant.said->onto && !judgeOnto())
    return;
  const MeantDirective &first = directives[meant.arrays.front().distribution];
  bool moves = false; // to other processors, by another directive
  for (const NamedArray &array : meant.arrays) {
    const MeantDirective &other = directives[array.distribution];
    moves |= changesProcessors(array);
    if (other.processors != first.processors && !meant.said->onto && !moves)
      return void(failHere("'" + meant.arrays.front().name + "' and '" + array.name +
                           "' are distributed onto different processors, expected the same"));
    if (other.said->formats.size() != meant.said->formats.size())
      return void(
          fail(meant.said->formats.front().offset,
               "'" + array.name + "' has " +
                   countText(static_cast<long long>(other.said->formats.size()), "dimension") +
                   " (line " + lineOf(other.place.location) + "), found " +
                   std::to_string(meant.said->formats.size())));
  }
  if (!meant.said->onto && !moves) {
    if (!first.processors || !judgeFit(meant, directives[*first.processors]))
      return;
    meant.processors = first.processors;
  }
  judgeSchedule();
  for (const NamedArray &array : meant.arrays)
    judgeFormats(directives[array.distribution]);
  if (const std::string problem = problemOfFollowers(directives, meant, sources); !problem.empty())
    fail(meant.said->formats.front().offset, problem);
}

bool DirectiveJudge::changesProcessors(const NamedArray &array) const {
  for (const MeantDirective &other : directives)
    if (other.is(Directive::Realign) || (other.is(Directive::Redistribute) && other.said->onto))
      for (const DirectiveText &name : other.said->names)
        if (name.text == array.name)
          return true;
  return false;
}

// ---- shadow and reflect ----

void DirectiveJudge::judgeShadow() {
  const Directive &said = *here().said;
  if (!addArrayWithElements(said.names.front()) || !judgeUse(said.names.front()))
    return;
  Directive distribution;
  distribution.formats = formatsOf(directives, here().arrays.front().distribution);
  const std::optional<DirectiveProblem> problem =
      problemOfShadow(said, distribution, {constants, here().place, {}, {}});
  if (problem)
    fail(problem->offset, problem->text);
}

void DirectiveJudge::judgeReflect() {
  const Directive &said = *here().said;
  for (const DirectiveText &name : said.names) {
    if (!addArrayWithElements(name) || !judgeUse(name))
      return;
    const NamedArray &array = here().arrays.back();
    const std::size_t dimensions = dimensionsOf(directives[array.distribution]);
    if (!hasShadow(array))
      return void(failAt(name, "has no shadow, expected #pragma hpf shadow " + name.text +
                                   "(LOWER:UPPER" + (dimensions > 1 ? ", ...)" : ")")));
    if (!said.periods.empty() && said.periods.size() != dimensions)
      return void(fail(said.periods.front().offset,
                       "found " + countText(static_cast<long long>(said.periods.size()), "period") +
                           ", expected " + std::to_string(dimensions) +
                           ", one for each dimension of '" + name.text + "'"));
  }
}

bool DirectiveJudge::judgeRedistributed(const DirectiveText &name) {
  if (!judgeUse(name))
    return false;
  const MeantDirective &distribution = directives[here().arrays.back().distribution];
  if (distribution.is(Directive::Align))
    return failAt(name, "is aligned with '" + distribution.target->name + "' in line " +
                            lineOf(distribution.place.location) +
                            " and moves with it, expected redistribute of '" +
                            distribution.target->name + "', or realign");
  return judgeDynamic(name);
}

bool DirectiveJudge::judgeDynamic(const DirectiveText &name) {
  const NamedArray &array = here().arrays.back();
  for (const MeantDirective &other : directives)
    if (other.is(Directive::Dynamic)) {
      if (other.said->names.empty())
        return true;
      for (const NamedArray &named : other.arrays)
        if (named.block.isSameAs(array.block))
          return true;
    }
  return failAt(name, "is not dynamic, expected #pragma hpf dynamic " + name.text);
}

void DirectiveJudge::judgeSchedule() {
  const std::optional<DirectiveText> &schedule = here().said->schedule;
  if (!schedule)
    return;
  for (const llvm::StringRef name : {"auto", "asynchronous", "optimal", "mlc", "tpdr"})
    if (name.equals_insensitive(schedule->text))
      return;
  failAt(*schedule, "is not a schedule, expected asynchronous, optimal, mlc, tpdr or auto");
}

} // namespace sendwright
