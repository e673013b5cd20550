// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where and how arrays are distributed: processors, extents and formats.

#include "tool/transformations/redistribution/DirectiveJudge.h"
#include "tool/transformations/redistribution/RedistributionFormats.h"

#include "llvm/ADT/STLExtras.h"

namespace sendwright {

using namespace clang;

// ---- distribute ----

void DirectiveJudge::judgeDistribute() {
  MeantDirective &meant = here();
  const Directive &said = *meant.said;
  meant.extents.resize(said.formats.size());
  bool sound = true, declares = false;
  for (const DirectiveText &name : said.names) {
    sound &= addArray(name) && judgeDistributed(name);
    declares |= sound && !meant.arrays.back().block.isGlobal();
  }
  if (declares)
    judgeJumps();
  if (!sound || !judgeOnto())
    return;
  judgeExtents();
  judgeFormats(meant);
}

bool DirectiveJudge::judgeDistributed(const DirectiveText &name) {
  const NamedArray &array = here().arrays.back();
  if (!judgeMemory(name, array))
    return false;
  if (array.block.isGlobal())
    return true;
  if (const std::size_t earlier = findDistribution(array); earlier != none)
    return failAt(name, "is distributed in line " + lineOf(directives[earlier].place.location) +
                            " already, expected redistribute");
  return judgeCapture(name, array);
}

bool DirectiveJudge::judgeOnto() {
  MeantDirective &meant = here();
  const Directive &said = *meant.said;
  if (!said.onto)
    return failHere("names no processors, expected onto PROCESSORS");
  const std::size_t found = findDeclared(Directive::Processors, *said.onto);
  if (found == none)
    return failAt(*said.onto, "are not processors that are declared here, expected #pragma hpf "
                              "processors " +
                                  said.onto->text + "(...) before");
  meant.processors = found;
  const MeantDirective &processors = directives[found];
  if (!judgeLambdas(*said.onto, processors.place))
    return false;
  const std::vector<DirectiveText> &repeated = said.ontoExtents;
  const std::vector<DirectiveText> &declared = processors.said->extents;
  if (!repeated.empty() && repeated.size() != declared.size())
    return failAt(*said.onto, "have " +
                                  countText(static_cast<long long>(declared.size()), "dimension") +
                                  ", expected as many extents");
  for (std::size_t number = 0; number < repeated.size(); ++number) {
    const std::optional<long long> value = constants.valueOf(repeated[number].text, meant.place);
    if (repeated[number].text != declared[number].text &&
        (!value || !processors.extents[number] || *value != *processors.extents[number]))
      return failAt(repeated[number], "is not the extent in line " +
                                          lineOf(processors.place.location) + ", expected '" +
                                          declared[number].text + "'");
  }
  return judgeFit(meant, processors);
}

bool DirectiveJudge::judgeFit(const MeantDirective &meant, const MeantDirective &processors) {
  const auto distributed = static_cast<std::size_t>(
      llvm::count_if(meant.said->formats, [](const DirectiveFormat &format) {
        return format.kind != DirectiveFormat::Collapsed;
      }));
  const std::size_t expected = processors.said->extents.size();
  if (distributed == expected)
    return true;
  return fail(meant.said->formats.front().offset,
              "found " + countText(static_cast<long long>(distributed), "distributed dimension") +
                  ", expected " + std::to_string(expected) + ", as many as processors '" +
                  processors.said->names.front().text + "' have");
}

void DirectiveJudge::judgeExtents() {
  MeantDirective &meant = here();
  const Directive &said = *meant.said;
  const std::size_t dimensions = said.formats.size();
  if (!said.extents.empty() && said.extents.size() != dimensions)
    fail(said.extents.front().offset,
         "found " + countText(static_cast<long long>(said.extents.size()), "extent") +
             ", expected " + std::to_string(dimensions) + ", one for each dimension");
  for (std::size_t number = 0; number < dimensions; ++number)
    judgeExtent(number);
}

const DirectiveText *DirectiveJudge::readExtent(std::size_t number) {
  MeantDirective &meant = here();
  const Directive &said = *meant.said;
  if (number >= said.extents.size() || said.extents[number].text == "*")
    return nullptr;
  const DirectiveText &given = said.extents[number];
  meant.extents[number] = constants.valueOf(given.text, meant.place);
  if (meant.extents[number].value_or(0) < 0)
    failAt(given, "is negative, expected the elements in that dimension");
  return &given;
}

void DirectiveJudge::judgeExtent(std::size_t number) {
  MeantDirective &meant = here();
  const Directive &said = *meant.said;
  const BlockVariable &block = meant.arrays.front().block;
  const DirectiveText *given = readExtent(number);
  std::optional<long long> &extent = meant.extents[number];
  if (block.saysExtent(number) && block.extents[number].constant) {
    const auto inType = static_cast<long long>(*block.extents[number].constant);
    if (extent && *extent >= 0 && *extent != inType)
      failAt(*given, "is " + std::to_string(*extent) + ", expected " + std::to_string(inType) +
                         ", as the " + (block.isTemplate() ? "template '" : "type of '") +
                         meant.arrays.front().name + "' says");
    extent = inType;
  }
  const DirectiveFormat::Kind kind = said.formats[number].kind;
  const bool isSummed = kind == DirectiveFormat::GenBlock || kind == DirectiveFormat::Indirect;
  if (!given && !block.saysExtent(number) && !isSummed && !block.isTemplate())
    fail(said.formats[number].offset,
         "the extent of this dimension is not known, expected " + extentClause(said));
}

std::string DirectiveJudge::extentClause(const Directive &said) {
  static const char *const names[] = {"N", "M", "K", "L", "I", "J", "H"};
  std::string clause;
  for (std::size_t number = 0; number < said.formats.size(); ++number)
    clause += (number == 0 ? "extent(" : ", ") + std::string(names[number]);
  return clause + ")";
}

// ---- what is known of sizes ----

/// The extents of a redistribution must repeat those of the array.
void DirectiveJudge::judgeRepeatedExtents(const MeantDirective &distribution) {
  const std::vector<DirectiveText> &repeated = here().said->extents;
  if (repeated.empty())
    return;
  if (repeated.size() != distribution.extents.size())
    return static_cast<void>(fail(
        repeated.front().offset,
        "found " + countText(static_cast<long long>(repeated.size()), "extent") + ", expected " +
            std::to_string(distribution.extents.size()) + ", one for each dimension"));
  for (std::size_t number = 0; number < repeated.size(); ++number) {
    if (repeated[number].text == "*")
      continue;
    const std::optional<long long> value = constants.valueOf(repeated[number].text, here().place);
    const std::optional<long long> &known = distribution.extents[number];
    if (value && known && *value != *known)
      failAt(repeated[number], "is " + std::to_string(*value) + ", expected " +
                                   std::to_string(*known) + " as the array has");
  }
}

void DirectiveJudge::judgeFormats(const MeantDirective &distribution) {
  MeantDirective &meant = here();
  if (&distribution != &meant)
    judgeRepeatedExtents(distribution);
  for (const NamedArray &array : meant.arrays)
    if (!judgeRows(array, distribution))
      return;
  const MeantDirective *processors = meant.processors ? &directives[*meant.processors] : nullptr;
  std::size_t taken = 0; // dimensions of the processors
  for (std::size_t number = 0; number < meant.said->formats.size(); ++number) {
    const DirectiveFormat &format = meant.said->formats[number];
    if (format.kind == DirectiveFormat::Collapsed)
      continue;
    const std::optional<long long> ranks = processors ? processors->extents[taken++] : std::nullopt;
    judgeFormat(number, ranks, distribution.extents[number]);
  }
}

void DirectiveJudge::judgeFormat(std::size_t number, std::optional<long long> ranks,
                                 std::optional<long long> extent) {
  const FormatJudgement judged =
      judgeFormatIn(*here().said, number, {constants, here().place, ranks, extent});
  if (judged.problem)
    fail(judged.problem->offset, judged.problem->text);
  else if (judged.extent && here().is(Directive::Distribute) && !here().extents[number] &&
           here().said->extents.empty())
    here().extents[number] = judged.extent;
}

} // namespace sendwright
