// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/redistribution/ArrayState.h"

#include "analysis/file/FormatError.h"
#include "runtime/redistribution/MeasuredBalancing.h"
#include "runtime/redistribution/Reflection.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <new>

namespace sendwright::redistribution {

namespace {

std::int64_t sizeAt(const sendwright_dimension &dimension, long long index) {
  const char *at = static_cast<const char *>(dimension.sizes) + index * dimension.size_bytes;
  const auto read = [&](auto number) {
    std::memcpy(&number, at, sizeof number);
    const bool tooLarge = sizeof number == 8 && !dimension.sizes_signed && number < 0;
    return tooLarge ? INT64_MAX : static_cast<std::int64_t>(number);
  };
  switch (dimension.size_bytes) {
  case 1:
    return dimension.sizes_signed ? read(std::int8_t()) : read(std::uint8_t());
  case 2:
    return dimension.sizes_signed ? read(std::int16_t()) : read(std::uint16_t());
  case 4:
    return dimension.sizes_signed ? read(std::int32_t()) : read(std::uint32_t());
  default:
    return read(std::int64_t());
  }
}

std::vector<std::int64_t> listOf(const sendwright_dimension &dimension, long long count) {
  std::vector<std::int64_t> list(static_cast<std::size_t>(std::max(count, 0LL)));
  for (std::size_t i = 0; i < list.size(); ++i)
    list[i] = sizeAt(dimension, static_cast<long long>(i));
  return list;
}

/// `extent` is -1 where only the map says it.
DimensionFormat mapOf(const sendwright_dimension &dimension, long long extent) {
  const long long count = dimension.size_count >= 0 ? dimension.size_count : extent;
  if (count < 0)
    throw FormatError("a dimension has no extent, expected an extent for indirect with a pointer");
  if (!dimension.sizes && count > 0)
    throw FormatError("indirect has a null pointer as its map, expected the owners of " +
                      std::to_string(count) + " indices");
  return DimensionFormat::indirect(listOf(dimension, count));
}

DimensionFormat formatOf(const sendwright_dimension &dimension, long long processors,
                         long long extent) {
  switch (dimension.kind) {
  case SENDWRIGHT_COLLAPSED:
    return DimensionFormat::collapsed();
  case SENDWRIGHT_BLOCK:
    return DimensionFormat::block(dimension.parameter);
  case SENDWRIGHT_CYCLIC:
    return DimensionFormat::cyclic(dimension.parameter);
  case SENDWRIGHT_INDIRECT:
    return mapOf(dimension, extent);
  case SENDWRIGHT_BALANCE:
    return DimensionFormat::genBlock({}); // its sizes are chosen later
  case SENDWRIGHT_GEN_BLOCK:
    break;
  default:
    throw FormatError("kind " + std::to_string(dimension.kind) +
                      " of distribution, expected 0 to 5");
  }
  if (dimension.size_count >= 0 && dimension.size_count < processors)
    throw FormatError("gen_block has " + std::to_string(dimension.size_count) +
                      " sizes, expected one for each of " + std::to_string(processors) +
                      " processors");
  if (!dimension.sizes && processors > 0)
    throw FormatError("gen_block has a null pointer as sizes, expected " +
                      std::to_string(processors) + " sizes");
  return DimensionFormat::genBlock(listOf(dimension, processors));
}

/// The formats of the dimensions, with the sizes of gen_block copied. `extents`: as far as they are
/// known without the formats.
std::vector<DimensionFormat> formatsOf(const sendwright_distribution &said,
                                       const long long *extents,
                                       const std::vector<long long> &grid) {
  if (said.dimensions < 1 || said.dimensions > SENDWRIGHT_DIMENSIONS)
    throw FormatError("an array of " + std::to_string(said.dimensions) +
                      " dimensions, expected 1 to " + std::to_string(SENDWRIGHT_DIMENSIONS));
  std::vector<DimensionFormat> formats;
  std::size_t onGrid = 0;
  for (unsigned at = 0; at < said.dimensions; ++at) {
    const bool cut = said.dimension[at].kind != SENDWRIGHT_COLLAPSED;
    // The distribution cuts one dimension more than the grid has; it reports that itself.
    formats.push_back(
        formatOf(said.dimension[at], cut && onGrid < grid.size() ? grid[onGrid] : 0, extents[at]));
    onGrid += cut;
  }
  return formats;
}

/// The sum of the sizes, for a dimension without a given extent.
std::int64_t sumOf(const std::vector<std::int64_t> &sizes) {
  std::int64_t sum = 0;
  for (const std::int64_t size : sizes)
    if (size < 0 || __builtin_add_overflow(sum, size, &sum))
      throw FormatError(size < 0 ? "gen_block has a block of size " + std::to_string(size) +
                                       ", expected sizes of at least 0"
                                 : "the sizes of gen_block sum to more than 2^63, expected less");
  return sum;
}

std::int64_t extentOf(std::int64_t said, const DimensionFormat &format) {
  if (said != -1)
    return said;
  if (format.kind == DimensionFormat::Kind::Indirect)
    return static_cast<std::int64_t>(format.sizes.size());
  if (format.kind != DimensionFormat::Kind::GenBlock)
    throw FormatError("a dimension has no extent, expected gen_block or an extent");
  return sumOf(format.sizes);
}

bool isBalanced(const sendwright_distribution &said) {
  return std::any_of(
      said.dimension, said.dimension + said.dimensions,
      [](const sendwright_dimension &dimension) { return dimension.kind == SENDWRIGHT_BALANCE; });
}

void takeProcessors(ArrayState &state, const sendwright_processors &onto) {
  state.communicator =
      onto.communicator ? *static_cast<const MPI_Comm *>(onto.communicator) : MPI_COMM_WORLD;
  state.processors = onto.name ? onto.name : "processors";
  if (onto.dimensions < 1 || onto.dimensions > SENDWRIGHT_DIMENSIONS)
    throw FormatError("processors of " + std::to_string(onto.dimensions) +
                      " dimensions, expected 1 to " + std::to_string(SENDWRIGHT_DIMENSIONS));
  state.grid.assign(onto.extents, onto.extents + onto.dimensions);
  state.firstRank = onto.first;
  state.lastRank = onto.last;
  state.rankStride = onto.stride;
}

std::string atSite(const sendwright_site *site) {
  return site ? " (distributed at " + std::string(site->file ? site->file : "?") + ":" +
                    std::to_string(site->line) + ")"
              : "";
}

std::string named(const ArrayMove &move) { return move.array->name ? move.array->name : "?"; }

std::string problemOfBlock(const ArrayMove &move, int rank) {
  if (move.isTemplate())
    return "";
  const std::uint64_t expected = move.elements(*move.before, rank);
  if (const sendwright_storage *storage = move.array->storage) {
    const std::uint64_t size = storage->size(move.array->variable);
    if (size != expected)
      return named(move) + " has " + std::to_string(size) + " elements, expected " +
             std::to_string(expected) + (move.inPlace() ? ", the whole array" : "") +
             atSite(move.before->site);
  } else if (expected > 0 && !move.inPlace() && !*static_cast<void **>(move.array->variable)) {
    return named(move) + " is a null pointer, expected a block of " + std::to_string(expected) +
           " elements" + atSite(move.before->site);
  }
  return "";
}

/// What is wrong with the processors of a state for a communicator of `ranks`.
std::string problemOfProcessors(const ArrayState &state, int ranks) {
  if (state.grid.empty())
    return "";
  long long processors = 1;
  for (const long long extent : state.grid)
    processors *= extent;
  const std::string has =
      state.processors + " has " + std::to_string(processors) + " processors, expected as many as ";
  if (state.rankStride == 0)
    return processors == ranks ? "" : has + "its communicator has ranks, " + std::to_string(ranks);
  if (state.firstRank < 0 || state.lastRank >= ranks || state.lastRank < state.firstRank)
    return state.processors + " lies on ranks " + std::to_string(state.firstRank) + " to " +
           std::to_string(state.lastRank) + ", expected ranks of its communicator, 0 to " +
           std::to_string(ranks - 1);
  if (state.rankStride < 1)
    return state.processors + " lies on ranks in steps of " + std::to_string(state.rankStride) +
           ", expected at least 1";
  const long long listed = (state.lastRank - state.firstRank) / state.rankStride + 1;
  return processors == listed ? "" : has + "it is given ranks, " + std::to_string(listed);
}

bool haveSameRanks(MPI_Comm one, MPI_Comm other) {
  int result = MPI_UNEQUAL;
  return one == other || (one != MPI_COMM_NULL && other != MPI_COMM_NULL &&
                          PMPI_Comm_compare(one, other, &result) == MPI_SUCCESS &&
                          (result == MPI_IDENT || result == MPI_CONGRUENT));
}

/// Why the blocks of a distribution can have no shadow; "" if they can, or need none.
std::string problemOfHalo(const ArrayState &state, bool inPlace) {
  if (state.halo.empty() || !state.distribution)
    return "";
  std::vector<HaloDimension> needed = state.halo;
  if (inPlace) // a box of global indices is one only if all dimensions have blocks
    for (HaloDimension &dimension : needed)
      dimension.lower = 1;
  return canHaveHalo(*state.distribution, needed)
             ? ""
             : "has a shadow, expected block, gen_block or * in " +
                   std::string(inPlace ? "all dimensions" : "dimensions with a shadow");
}

/// What is wrong with an array as it is distributed, apart from its block.
std::string problemOfState(const ArrayMove &move, int ranks) {
  if (!move.before->problem.empty())
    return named(move) + ": " + move.before->problem + atSite(move.before->site);
  if (std::string problem = problemOfProcessors(*move.before, ranks); !problem.empty())
    return problem;
  if (move.array->element_size == 0 && !move.isTemplate())
    return named(move) + " has elements of 0 bytes, expected at least 1";
  if (std::string problem = problemOfHalo(*move.before, move.inPlace()); !problem.empty())
    return named(move) + " " + problem + atSite(move.before->site);
  return "";
}

std::string problemOfMove(const ArrayMove &move, int rank, int ranks) {
  if (std::string problem = problemOfState(move, ranks); !problem.empty())
    return problem;
  if (move.before->reflection)
    return named(move) + " is being reflected, expected reflect_end before";
  if (!move.after->problem.empty())
    return named(move) + ": " + move.after->problem;
  if (std::string problem = problemOfProcessors(*move.after, ranks); !problem.empty())
    return problem;
  if (!haveSameRanks(move.before->communicator, move.after->communicator))
    return move.after->processors + " is of another communicator than " + move.before->processors +
           ", expected the same ranks in the same order";
  if (std::string problem = problemOfHalo(*move.after, move.inPlace()); !problem.empty())
    return named(move) + " " + problem;
  return problemOfBlock(move, rank);
}

std::string noMemory(const ArrayMove &move, std::uint64_t elements) {
  return named(move) + ": no memory for " + std::to_string(elements) + " elements of " +
         std::to_string(move.array->element_size) + " bytes";
}

/// Returns false if there is no memory.
bool createBlock(ArrayMove &move, std::uint64_t elements) {
  if (move.inPlace()) {
    const sendwright_storage *storage = move.array->storage;
    void *const whole = storage ? storage->data(move.array->variable) : move.array->variable;
    move.oldBlock = move.newBlock = static_cast<char *>(whole);
    return true;
  }
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(elements, std::uint64_t(move.array->element_size), &bytes) ||
      bytes > PTRDIFF_MAX)
    return false;
  if (const sendwright_storage *storage = move.array->storage) {
    move.created = storage->create(move.array->variable, elements);
    if (!move.created)
      return false;
    move.newBlock = static_cast<char *>(storage->created_data(move.created));
    move.oldBlock = static_cast<char *>(storage->data(move.array->variable));
    return true;
  }
  move.newBlock = static_cast<char *>(std::malloc(std::max<std::uint64_t>(bytes, 1)));
  move.oldBlock = static_cast<char *>(*static_cast<void **>(move.array->variable));
  return move.newBlock != nullptr;
}

} // namespace

std::shared_ptr<const Distribution> distributionOf(const ArrayState &state) {
  const auto limited = [](long long number) {
    return static_cast<int>(std::clamp<long long>(number, INT_MIN, INT_MAX));
  };
  std::vector<int> grid;
  grid.reserve(state.grid.size());
  for (const long long processors : state.grid)
    grid.push_back(limited(processors));
  GridRanks on;
  if (state.rankStride != 0)
    on = {limited(state.firstRank), limited(state.rankStride)};
  return std::make_shared<const Distribution>(state.formats, state.extents, grid, on);
}

std::unique_ptr<ArrayState> distributed(const sendwright_site *site,
                                        const sendwright_processors &onto,
                                        const sendwright_distribution &as) {
  auto state = std::make_unique<ArrayState>();
  state->site = site;
  try {
    takeProcessors(*state, onto);
    state->formats = formatsOf(as, as.extents, state->grid);
    for (unsigned at = 0; at < as.dimensions; ++at)
      state->extents.push_back(extentOf(as.extents[at], state->formats[at]));
    state->distribution = distributionOf(*state);
  } catch (const FormatError &error) {
    state->problem = error.what();
  }
  return state;
}

std::unique_ptr<ArrayState> redistributed(const ArrayState &before,
                                          const sendwright_processors *onto,
                                          const sendwright_distribution &to) {
  auto state = std::make_unique<ArrayState>();
  state->site = before.site;
  state->communicator = before.communicator;
  state->processors = before.processors;
  state->grid = before.grid;
  state->firstRank = before.firstRank;
  state->lastRank = before.lastRank;
  state->rankStride = before.rankStride;
  state->extents = before.extents;
  state->halo = before.halo;
  try {
    if (onto)
      takeProcessors(*state, *onto);
    if (to.dimensions != before.extents.size())
      throw FormatError("a distribution of " + std::to_string(to.dimensions) +
                        " dimensions, expected the array's " +
                        std::to_string(before.extents.size()));
    for (unsigned at = 0; at < to.dimensions; ++at)
      if (to.extents[at] != -1 && to.extents[at] != before.extents[at])
        throw FormatError("extent(" + std::to_string(to.extents[at]) + "), expected the array's " +
                          std::to_string(before.extents[at]));
    const std::vector<long long> extents(before.extents.begin(), before.extents.end());
    state->formats = formatsOf(to, extents.data(), state->grid);
    if (!isBalanced(to))
      state->distribution = distributionOf(*state);
    else if (state->grid.size() != 1)
      throw FormatError("balance on processors of " + std::to_string(state->grid.size()) +
                        " dimensions, expected 1");
  } catch (const FormatError &error) {
    state->problem = error.what();
  }
  return state;
}

XXH128_hash_t Proposal::digest() const {
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  visitFacts([&](const char *, const ArrayMove *, std::size_t, std::size_t, long long value) {
    XXH3_128bits_update(&state, &value, sizeof value);
  });
  return XXH3_128bits_digest(&state);
}

std::string findProblem(const std::vector<ArrayMove> &moves, int rank, int ranks) {
  for (const ArrayMove &move : moves) {
    if (move.after->grid != moves.front().after->grid ||
        !haveSameRanks(move.before->communicator, moves.front().before->communicator))
      return named(move) + " is distributed onto " + move.before->processors + ", expected " +
             moves.front().before->processors + " as " + named(moves.front());
    for (const ArrayMove &other : moves)
      if (&other != &move &&
          (other.array == move.array ||
           (!move.isTemplate() && other.array->variable == move.array->variable)))
        return named(move) + " is named twice, expected once";
    std::string problem = problemOfMove(move, rank, ranks);
    if (!problem.empty())
      return problem;
  }
  return "";
}

std::uint64_t ArrayMove::elements(const ArrayState &state, int rank) const {
  const Distribution &distribution = *state.distribution;
  if (!inPlace() && distribution.placeOf(rank) < 0)
    return 0;
  std::uint64_t elements = 1;
  for (std::size_t at = 0; at < state.extents.size(); ++at) {
    std::int64_t indices = inPlace() ? state.extents[at] : distribution.localSize(rank, at);
    if (!inPlace() && !state.halo.empty())
      indices += state.halo[at].lower + state.halo[at].upper;
    elements *= static_cast<std::uint64_t>(indices);
  }
  return elements;
}

ArrayState::ArrayState() = default;
ArrayState::~ArrayState() = default;

void giveHalo(ArrayState &state, std::span<const long long> widths) {
  if (!state.problem.empty())
    return;
  if (widths.size() != 2 * state.extents.size()) {
    state.problem = "a shadow of " + std::to_string(widths.size() / 2) +
                    " dimensions, expected the array's " + std::to_string(state.extents.size());
    return;
  }
  state.halo.resize(state.extents.size());
  for (std::size_t at = 0; at < state.halo.size(); ++at) {
    state.halo[at].lower = widths[2 * at];
    state.halo[at].upper = widths[2 * at + 1];
    for (const std::int64_t width : {state.halo[at].lower, state.halo[at].upper})
      if (width < 0 || width > INT_MAX)
        state.problem = "a shadow of " + std::to_string(width) + " cells in dimension " +
                        std::to_string(at + 1) + ", expected 0 to 2^31";
  }
}

std::string problemOfArray(const ArrayMove &array, int rank, int ranks) {
  std::string problem = problemOfState(array, ranks);
  return problem.empty() ? problemOfBlock(array, rank) : problem;
}

std::string createBlocks(std::vector<ArrayMove> &moves, int rank) {
  for (ArrayMove &move : moves) {
    if (move.isTemplate())
      continue;
    const std::uint64_t elements = move.elements(*move.after, rank);
    if (!createBlock(move, elements))
      return noMemory(move, elements);
  }
  return "";
}

void commitBlocks(std::vector<ArrayMove> &moves) {
  for (ArrayMove &move : moves) {
    if (move.inPlace() || move.isTemplate()) {
      // The elements are where they belong.
    } else if (const sendwright_storage *storage = move.array->storage) {
      storage->commit(move.array->variable, move.created);
    } else {
      std::free(move.oldBlock);
      *static_cast<void **>(move.array->variable) = move.newBlock;
    }
    move.created = move.newBlock = nullptr;
    move.after->communicator = move.before->communicator; // the first stays valid for the array
    auto *const before = static_cast<ArrayState *>(move.array->state);
    move.after->links = std::move(before->links);
    move.after->load = std::move(before->load);
    if (move.after->load)
      move.after->load->period.setNow();
    delete before;
    move.array->state = move.after.release();
  }
}

void discardBlocks(std::vector<ArrayMove> &moves) {
  for (ArrayMove &move : moves) {
    if (move.created)
      move.array->storage->discard(move.created);
    else if (!move.array->storage && !move.inPlace())
      std::free(move.newBlock);
    move.created = move.newBlock = nullptr;
  }
}

} // namespace sendwright::redistribution
