// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/redistribution/AlignedArrays.h"

#include "analysis/file/FormatError.h"

#include <algorithm>
#include <utility>

namespace sendwright::redistribution {

namespace {

ArrayState *stateOf(const sendwright_array &array) {
  return static_cast<ArrayState *>(array.state);
}

std::string notDistributed(const sendwright_array &array) {
  return nameOf(array) + " is not distributed, expected a distribute or align directive before";
}

std::string lineOf(const sendwright_site *site) {
  return site ? " (at " + std::string(site->file ? site->file : "?") + ":" +
                    std::to_string(site->line) + ")"
              : "";
}

/// A state that lies along `target`, apart from what belongs to the array alone.
std::unique_ptr<ArrayState> along(const ArrayState &target, const std::string &name,
                                  const std::vector<AlignedDimension> &dimensions) {
  auto state = std::make_unique<ArrayState>();
  state->communicator = target.communicator;
  state->processors = target.processors;
  state->grid = target.grid;
  state->firstRank = target.firstRank;
  state->lastRank = target.lastRank;
  state->rankStride = target.rankStride;
  if (!target.problem.empty()) {
    state->problem = name + ": " + target.problem;
    return state;
  }
  try {
    AlignedShape shape =
        alignedShape(dimensions, {name, target.formats, target.extents, target.distribution.get()});
    state->formats = std::move(shape.formats);
    state->extents = std::move(shape.extents);
    if (target.distribution)
      state->distribution = distributionOf(*state);
  } catch (const FormatError &error) {
    state->problem = error.what();
  }
  return state;
}

/// The same for an array that has been somewhere before. Its extents stay.
std::unique_ptr<ArrayState> movedAlong(const ArrayState &before, const ArrayState &target,
                                       const std::string &name,
                                       std::vector<AlignedDimension> dimensions) {
  for (std::size_t at = 0; at < std::min(dimensions.size(), before.extents.size()); ++at)
    dimensions[at].extent = before.extents[at];
  std::unique_ptr<ArrayState> state = along(target, name, dimensions);
  state->site = before.site;
  state->halo = before.halo;
  return state;
}

/// The formats of an aligned array, if what it is aligned with has these formats and extents, and
/// this distribution.
std::vector<DimensionFormat> formatsBehind(const ArrayState &array, const ArrayState &target,
                                           const Distribution *distribution) {
  std::vector<AlignedDimension> dimensions = array.links.dimensions;
  for (std::size_t at = 0; at < dimensions.size(); ++at)
    dimensions[at].extent = array.extents[at];
  return alignedShape(dimensions, {"", target.formats, target.extents, distribution}).formats;
}

/// Adds what is aligned with the array of the move that was added last, directly or through others.
void addFollowers(std::vector<ArrayMove> &moves) {
  for (std::size_t at = moves.size() - 1; at < moves.size(); ++at)
    for (sendwright_array *follower : stateOf(*moves[at].array)->links.aligned) {
      const ArrayState *before = stateOf(*follower);
      moves.push_back({follower, before,
                       movedAlong(*before, *moves[at].after, nameOf(*moves[at].array),
                                  before->links.dimensions)});
      moves.back().follows = at;
    }
}

/// Why an array cannot be moved to where `with` lies; "" if it can.
std::string problemOfRealignment(const sendwright_array &array, const sendwright_array &with,
                                 const std::vector<AlignedDimension> &dimensions) {
  for (const sendwright_array *at = &with; at; at = stateOf(*at)->links.with)
    if (at == &array)
      return at == &with ? nameOf(array) + " is aligned with itself, expected another array"
                         : nameOf(with) + " moves with " + nameOf(array) +
                               ", expected an array that does not";
  const ArrayState &state = *stateOf(array);
  if (dimensions.size() != state.extents.size() && state.problem.empty())
    return nameOf(array) + ": an alignment of " + std::to_string(dimensions.size()) +
           " dimensions, expected the array's " + std::to_string(state.extents.size());
  for (std::size_t at = 0; at < dimensions.size() && state.problem.empty(); ++at)
    if (dimensions[at].extent != -1 && dimensions[at].extent != state.extents[at])
      return nameOf(array) + ": extent(" + std::to_string(dimensions[at].extent) +
             "), expected the array's " + std::to_string(state.extents[at]);
  return "";
}

} // namespace

std::string addMoves(Proposal &proposal, std::span<sendwright_array *const> arrays,
                     const sendwright_processors *onto, const sendwright_distribution &to) {
  for (sendwright_array *array : arrays) {
    const ArrayState *before = stateOf(*array);
    if (!before)
      return notDistributed(*array);
    if (before->links.with)
      return nameOf(*array) + " is aligned with " + nameOf(*before->links.with) +
             lineOf(before->site) + " and moves with it, expected redistribute of " +
             nameOf(*before->links.with);
    proposal.moves.push_back({array, before, redistributed(*before, onto, to)});
    addFollowers(proposal.moves);
  }
  return "";
}

std::string addRealignments(Proposal &proposal, std::span<sendwright_array *const> arrays,
                            const sendwright_array &with, const sendwright_distribution &as) {
  if (!stateOf(with))
    return notDistributed(with);
  const std::vector<AlignedDimension> dimensions = alignedDimensions(as);
  for (sendwright_array *array : arrays) {
    const ArrayState *before = stateOf(*array);
    if (!before)
      return notDistributed(*array);
    if (std::string problem = problemOfRealignment(*array, with, dimensions); !problem.empty())
      return problem;
    proposal.moves.push_back(
        {array, before, movedAlong(*before, *stateOf(with), nameOf(with), dimensions)});
    addFollowers(proposal.moves);
  }
  return "";
}

std::vector<std::shared_ptr<const Distribution>>
distributionsWithSizes(const std::vector<ArrayMove> &moves, unsigned dimension,
                       const std::vector<std::int64_t> &sizes) {
  std::vector<std::shared_ptr<const Distribution>> distributions;
  std::vector<ArrayState> sized(moves.size()); // formats, extents and processors only
  for (std::size_t at = 0; at < moves.size(); ++at) {
    const ArrayMove &move = moves[at];
    ArrayState &own = sized[at];
    own.grid = move.after->grid;
    own.firstRank = move.after->firstRank;
    own.rankStride = move.after->rankStride;
    own.formats = move.after->formats;
    own.extents = move.after->extents;
    if (move.follows)
      own.formats =
          formatsBehind(*move.before, sized[*move.follows], distributions[*move.follows].get());
    else
      own.formats[dimension] = DimensionFormat::genBlock(sizes);
    distributions.push_back(distributionOf(own));
  }
  return distributions;
}

std::unique_ptr<ArrayState> aligned(const sendwright_site *site, const sendwright_array &with,
                                    const sendwright_distribution &as) {
  if (!stateOf(with))
    return nullptr;
  std::unique_ptr<ArrayState> state = along(*stateOf(with), nameOf(with), alignedDimensions(as));
  state->site = site;
  return state;
}

void link(sendwright_array &array, sendwright_array &with,
          std::vector<AlignedDimension> dimensions) {
  stateOf(with)->links.aligned.reserve(stateOf(with)->links.aligned.size() + 1);
  unlink(array);
  stateOf(array)->links.with = &with;
  stateOf(array)->links.dimensions = std::move(dimensions);
  stateOf(with)->links.aligned.push_back(&array);
}

void unlink(sendwright_array &array) {
  ArrayState *state = stateOf(array);
  if (!state || !state->links.with)
    return;
  std::erase(stateOf(*state->links.with)->links.aligned, &array);
  state->links.with = nullptr;
  state->links.dimensions.clear();
}

void release(sendwright_array &array) {
  ArrayState *state = stateOf(array);
  if (!state)
    return;
  for (sendwright_array *follower : state->links.aligned) {
    stateOf(*follower)->links.with = nullptr;
    stateOf(*follower)->links.dimensions.clear();
  }
  state->links.aligned.clear();
}

std::vector<AlignedDimension> alignedDimensions(const sendwright_distribution &as) {
  std::vector<AlignedDimension> dimensions;
  for (unsigned at = 0; at < std::min<unsigned>(as.dimensions, SENDWRIGHT_DIMENSIONS); ++at) {
    AlignedDimension dimension;
    dimension.extent = as.extents[at];
    if (as.dimension[at].kind == SENDWRIGHT_ALIGNED) {
      dimension.along = as.dimension[at].along;
      dimension.offset = as.dimension[at].parameter;
    }
    dimensions.push_back(dimension);
  }
  return dimensions;
}

} // namespace sendwright::redistribution
