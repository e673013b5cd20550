// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/transformations/redistribution/RedistributionAlignments.h"

#include "tool/transformations/redistribution/RedistributionFormats.h"

#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace sendwright {

namespace {

using Formats = std::vector<DirectiveFormat>;

std::string countedDimension(std::size_t dimension) {
  return "dimension " + std::to_string(dimension + 1);
}

/// Whether the directive names an array; what its names mean may not be known yet.
bool names(const MeantDirective &directive, const NamedArray &array) {
  return directive.said && llvm::any_of(directive.said->names, [&](const DirectiveText &name) {
           return name.text == array.name;
         });
}

/// The array whose redistribution moves this one: at the other end of its alignments. Null where a
/// realign directive may have changed them.
const NamedArray *carrierOf(const MeantList &directives, const NamedArray &array) {
  const NamedArray *carrier = &array;
  for (std::size_t step = 0; step <= directives.size(); ++step) {
    for (const MeantDirective &other : directives)
      if (other.is(Directive::Realign) && names(other, *carrier))
        return nullptr;
    const MeantDirective &distribution = directives[carrier->distribution];
    if (!distribution.is(Directive::Align))
      return carrier;
    carrier = &*distribution.target;
  }
  return nullptr;
}

/// The formats of an array after its carrier got these.
Formats formatsAfter(const MeantList &directives, const NamedArray &array,
                     const NamedArray &carrier, const Formats &formats) {
  if (array.block.isSameAs(carrier.block))
    return formats;
  const MeantDirective &alignment = directives[array.distribution];
  return formatsAlong(*alignment.said,
                      formatsAfter(directives, *alignment.target, carrier, formats));
}

} // namespace

std::size_t dimensionsOf(const MeantDirective &directive) {
  return directive.said->formats.empty() ? directive.said->alignments.size()
                                         : directive.said->formats.size();
}

std::optional<std::size_t> alignmentCarrying(const MeantList &directives, const NamedArray &array,
                                             const NamedArray &carrier) {
  const NamedArray *at = &array;
  for (std::size_t step = 0; step <= directives.size(); ++step) {
    const MeantDirective &distribution = directives[at->distribution];
    if (!distribution.is(Directive::Align))
      return std::nullopt;
    const std::size_t number = at->distribution;
    at = &*distribution.target;
    if (at->block.isSameAs(carrier.block))
      return number;
  }
  return std::nullopt;
}

Formats formatsAlong(const Directive &said, const Formats &target) {
  Formats formats;
  for (const DirectiveAlignment &alignment : said.alignments) {
    formats.push_back(alignment.along && *alignment.along < target.size() ? target[*alignment.along]
                                                                          : DirectiveFormat());
    formats.back().offset = alignment.offset;
  }
  return formats;
}

Formats formatsOf(const MeantList &directives, std::size_t number) {
  const MeantDirective &directive = directives[number];
  return directive.is(Directive::Align)
             ? formatsAlong(*directive.said, formatsOf(directives, directive.target->distribution))
             : directive.said->formats;
}

std::vector<std::optional<long long>> extentsOf(const MeantList &directives, std::size_t number,
                                                const DirectiveConstants &constants) {
  const MeantDirective &directive = directives[number];
  std::vector<std::optional<long long>> extents = directive.extents;
  if (!directive.is(Directive::Align))
    return extents;
  const std::vector<std::optional<long long>> target =
      extentsOf(directives, directive.target->distribution, constants);
  for (std::size_t at = 0; at < extents.size(); ++at) {
    const DirectiveAlignment &alignment = directive.said->alignments[at];
    if (extents[at] || !alignment.along || *alignment.along >= target.size() ||
        !target[*alignment.along])
      continue;
    const std::optional<long long> shift =
        alignment.shift ? constants.valueOf(alignment.shift->text, directive.place) : 0;
    if (shift)
      extents[at] = *target[*alignment.along] - *shift;
  }
  return extents;
}

std::optional<DirectiveProblem> problemOfSubscripts(const MeantList &directives,
                                                    const MeantDirective &directive,
                                                    const DirectiveConstants &constants) {
  const Directive &said = *directive.said;
  const NamedArray &target = *directive.target;
  const std::vector<std::optional<long long>> reach =
      extentsOf(directives, target.distribution, constants);
  const std::size_t expected = dimensionsOf(directives[target.distribution]);
  if (said.targetOffsets.size() != expected)
    return DirectiveProblem{
        said.targetOffsets.front(),
        "found " + countText(static_cast<long long>(said.targetOffsets.size()), "dimension") +
            ", expected " + std::to_string(expected) + ", as '" + target.name + "' has"};
  for (std::size_t at = 0; at < said.alignments.size(); ++at) {
    const DirectiveAlignment &alignment = said.alignments[at];
    const std::optional<long long> shift =
        alignment.shift ? constants.valueOf(alignment.shift->text, directive.place) : 0;
    if (shift && *shift < 0)
      return DirectiveProblem{alignment.shift->offset, "'" + alignment.shift->text + "' is " +
                                                           std::to_string(*shift) +
                                                           ", expected at least 0"};
    if (!alignment.along || !reach[*alignment.along] || !shift || !directive.extents[at])
      continue;
    const long long most = std::max(*reach[*alignment.along] - *shift, 0LL);
    if (*directive.extents[at] > most)
      return DirectiveProblem{alignment.offset, "the extent of this dimension is " +
                                                    std::to_string(*directive.extents[at]) +
                                                    ", expected at most " + std::to_string(most) +
                                                    ", as far as '" + target.name + "' reaches"};
  }
  return std::nullopt;
}

std::string problemAlong(const Directive &said, const Formats &target) {
  std::vector<bool> taken(target.size());
  std::size_t next = 0; // the first divided dimension of the target that may still come
  for (const DirectiveAlignment &alignment : said.alignments) {
    if (!alignment.along || *alignment.along >= target.size())
      continue;
    taken[*alignment.along] = true;
    if (target[*alignment.along].kind == DirectiveFormat::Collapsed)
      continue;
    if (*alignment.along < next)
      return "the divided dimensions of '" + said.with->text +
             "' come in another order, expected the same order";
    next = *alignment.along + 1;
  }
  for (std::size_t at = 0; at < target.size(); ++at)
    if (!taken[at] && target[at].kind != DirectiveFormat::Collapsed)
      return "nothing lies along " + countedDimension(at) + " of '" + said.with->text +
             "', which is divided, so each processor would have a copy; expected an index for it, "
             "or "
             "* as its format";
  return "";
}

std::string problemOfAlignment(const MeantList &directives, const MeantDirective &directive) {
  const NamedArray *carrier = carrierOf(directives, *directive.target);
  if (!carrier)
    return "";
  const auto problemWith = [&](const Formats &formats) {
    return problemAlong(*directive.said,
                        formatsAfter(directives, *directive.target, *carrier, formats));
  };
  std::string problem = problemWith(directives[carrier->distribution].said->formats);
  for (const MeantDirective &other : directives)
    if (other.is(Directive::Redistribute) && names(other, *carrier) &&
        other.said->formats.size() == directives[carrier->distribution].said->formats.size() &&
        problemWith(other.said->formats).empty())
      return "";
  return problem;
}

std::string problemOfFollowers(const MeantList &directives, const MeantDirective &redistribution,
                               const clang::SourceManager &sources) {
  for (const MeantDirective &other : directives) {
    if (!other.is(Directive::Align) || !other.target)
      continue;
    const NamedArray *carrier = carrierOf(directives, *other.target);
    if (!carrier || !names(redistribution, *carrier))
      continue;
    for (const NamedArray &follower : other.arrays) {
      const bool isThere =
          follower.block.isGlobal() ||
          (redistribution.place.isInScopeOf(other.place) &&
           sources.isBeforeInTranslationUnit(other.place.location, redistribution.place.location));
      const bool stays = llvm::none_of(directives, [&](const MeantDirective &realignment) {
        return realignment.is(Directive::Realign) && names(realignment, follower);
      });
      const std::string problem =
          problemAlong(*other.said, formatsAfter(directives, *other.target, *carrier,
                                                 redistribution.said->formats));
      if (isThere && stays && !problem.empty())
        return "'" + follower.name + "' is aligned with '" + other.target->name + "' in line " +
               std::to_string(sources.getPresumedLineNumber(other.place.location)) + ": " + problem;
    }
  }
  return "";
}

} // namespace sendwright
