// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/transformations/redistribution/RedistributionFormats.h"

#include <numeric>

namespace sendwright {

namespace {

DirectiveProblem problemAt(const DirectiveText &word, const std::string &text) {
  return {word.offset, "'" + word.text + "' " + text};
}

FormatJudgement judgeSizes(const DirectiveText &text, const FormatContext &context) {
  const KnownSizes sizes = context.constants.sizesOf(text.text, context.place);
  FormatJudgement judged;
  if (const std::string problem = problemOfSizes(sizes, context.ranks, context.extent);
      !problem.empty())
    judged.problem = problemAt(text, problem);
  else if (sizes.values)
    judged.extent = std::accumulate(sizes.values->begin(), sizes.values->end(), 0LL);
  return judged;
}

FormatJudgement judgeMap(const DirectiveText &text, const FormatContext &context) {
  const KnownSizes map = context.constants.sizesOf(text.text, context.place);
  FormatJudgement judged;
  if (const std::string problem = problemOfMap(map, context.ranks, context.extent);
      !problem.empty())
    judged.problem = problemAt(text, problem);
  else
    judged.extent = map.count;
  return judged;
}

/// Rows have a cost each only if they are whole on a rank.
std::optional<DirectiveProblem> problemOfBalance(const Directive &said,
                                                 const DirectiveFormat &balanced,
                                                 const FormatContext &context) {
  for (const DirectiveFormat &other : said.formats)
    if (&other != &balanced && other.kind != DirectiveFormat::Collapsed)
      return DirectiveProblem{other.offset,
                              "found another distributed dimension beside balance, expected *"};
  const KnownSizes costs = context.constants.sizesOf(balanced.argument->text, context.place);
  if (balanced.measured && costs.declared)
    return problemAt(*balanced.argument,
                     "means that the load is measured, but is also declared here, expected (" +
                         balanced.argument->text + ") for costs, or another name for the variable");
  if (!balanced.measured && costs.undeclared)
    return problemAt(*balanced.argument,
                     "is not declared here, expected an array of costs, or a pointer to one");
  if (!balanced.chosen)
    return std::nullopt;
  const KnownSizes sizes = context.constants.sizesOf(balanced.chosen->text, context.place);
  if (sizes.values)
    return problemAt(*balanced.chosen, "cannot be written, expected an array for the chosen sizes");
  const std::string problem = problemOfSizes(sizes, context.ranks, {});
  return problem.empty() ? std::nullopt : std::optional(problemAt(*balanced.chosen, problem));
}

std::optional<DirectiveProblem> problemOfBlockLength(const DirectiveFormat &format,
                                                     const FormatContext &context) {
  const std::optional<long long> length =
      context.constants.valueOf(format.argument->text, context.place);
  const bool isBlock = format.kind == DirectiveFormat::Block;
  const std::string problem =
      length ? problemOfLength(*length, isBlock ? context.ranks : std::nullopt, context.extent)
             : "";
  return problem.empty() ? std::nullopt : std::optional(problemAt(*format.argument, problem));
}

} // namespace

std::string countText(long long number, const char *what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

FormatJudgement judgeFormatIn(const Directive &said, std::size_t dimension,
                              const FormatContext &context) {
  const DirectiveFormat &format = said.formats[dimension];
  switch (format.kind) {
  case DirectiveFormat::Collapsed:
    return {};
  case DirectiveFormat::GenBlock:
    return judgeSizes(*format.argument, context);
  case DirectiveFormat::Indirect:
    return judgeMap(*format.argument, context);
  case DirectiveFormat::Balance:
    return {problemOfBalance(said, format, context), {}};
  case DirectiveFormat::Block:
  case DirectiveFormat::Cyclic:
    break;
  }
  if (!format.argument)
    return {};
  return {problemOfBlockLength(format, context), {}};
}

std::optional<DirectiveProblem> problemOfShape(const std::string &name, const BlockVariable &block,
                                               const Directive &said) {
  const unsigned offset = said.formats.front().offset;
  const std::size_t dimensions = block.extents.size(), found = said.formats.size();
  if (dimensions == 0)
    return std::nullopt;
  const bool saysAll = block.isWhole || block.isTemplate();
  if (saysAll && found != dimensions)
    return DirectiveProblem{offset, "'" + name + "' has " +
                                        countText(static_cast<long long>(dimensions), "dimension") +
                                        ", as its " + (block.isWhole ? "type" : "template") +
                                        " says, found " + std::to_string(found)};
  if (saysAll)
    return std::nullopt;
  if (found != dimensions) {
    std::string expected = "expected (FORMAT";
    for (std::size_t row = 1; row < dimensions; ++row)
      expected += ", *";
    return DirectiveProblem{
        offset, "'" + name + "' points to rows and has " +
                    (dimensions == 2 ? "two" : std::to_string(dimensions)) + " dimensions, found " +
                    (found == 1 ? "one" : std::to_string(found)) + ", " + expected + ")"};
  }
  for (std::size_t row = 1; row < dimensions; ++row)
    if (said.formats[row].kind != DirectiveFormat::Collapsed)
      return DirectiveProblem{
          said.formats[row].offset,
          "the rows of '" + name +
              "' have the same length on every rank, as its type says, expected *"};
  return std::nullopt;
}

std::optional<DirectiveProblem> problemOfShadow(const Directive &said,
                                                const Directive &distribution,
                                                const FormatContext &context) {
  const std::size_t found = said.widths.size() / 2, expected = distribution.formats.size();
  if (found != expected)
    return DirectiveProblem{said.widths.front().offset,
                            "found " + countText(static_cast<long long>(found), "dimension") +
                                ", expected " + std::to_string(expected) + ", as '" +
                                said.names.front().text + "' has"};
  for (std::size_t at = 0; at < said.widths.size(); ++at) {
    const DirectiveText &width = said.widths[at];
    const std::optional<long long> cells = context.constants.valueOf(width.text, context.place);
    if (cells && *cells < 0)
      return problemAt(width, "is " + std::to_string(*cells) + ", expected at least no cells");
    const DirectiveFormat::Kind kind = distribution.formats[at / 2].kind;
    if (cells && *cells > 0 &&
        (kind == DirectiveFormat::Cyclic || kind == DirectiveFormat::Indirect))
      return problemAt(width, "cells around a dimension that has no blocks, expected block, "
                              "gen_block or * for it");
  }
  return std::nullopt;
}

std::optional<DirectiveProblem> problemOfRanks(const Directive &said,
                                               const std::vector<std::optional<long long>> &extents,
                                               const FormatContext &context) {
  const std::vector<DirectiveText> &ranks = said.ranks;
  if (ranks.empty())
    return std::nullopt;
  const auto valueOf = [&](std::size_t bound) {
    return context.constants.valueOf(ranks[bound].text, context.place);
  };
  const std::optional<long long> first = valueOf(0), last = valueOf(1),
                                 stride = ranks.size() == 3 ? valueOf(2) : 1;
  if (first && *first < 0)
    return problemAt(ranks[0], "is " + std::to_string(*first) + ", expected a rank");
  if (first && last && *last < *first)
    return problemAt(ranks[1], "is " + std::to_string(*last) + ", expected at least " +
                                   std::to_string(*first) + ", the first rank");
  if (stride && *stride < 1)
    return problemAt(ranks[2],
                     "is " + std::to_string(*stride) + ", expected a distance of at least 1");
  long long processors = 1;
  for (const std::optional<long long> &extent : extents)
    if (!extent || __builtin_mul_overflow(processors, *extent, &processors))
      return std::nullopt;
  if (!first || !last || !stride || (*last - *first) / *stride + 1 == processors)
    return std::nullopt;
  return DirectiveProblem{
      ranks[0].offset, "found " + countText((*last - *first) / *stride + 1, "rank") +
                           ", expected " + std::to_string(processors) + ", one for each processor"};
}

} // namespace sendwright
