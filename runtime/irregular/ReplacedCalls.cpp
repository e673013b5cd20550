// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls of the program: from MPI's arguments to blocks.

#include "runtime/base/Interception.h"
#include "runtime/base/WorldRanks.h"
#include "runtime/batch/Flush.h"
#include "runtime/irregular/BlockExchange.h"
#include "runtime/irregular/IrregularCollectives.h"
#include "runtime/irregular/LearnedCollectives.h"

#include <cstdio>
#include <new>

namespace sendwright::irregular {

namespace {

struct TypeShape {
  MPI_Count size = 0;
  MPI_Aint extent = 0;
};

/// False if MPI refuses the datatype.
bool findShape(MPI_Datatype type, TypeShape &shape) {
  MPI_Aint least = 0;
  return type != MPI_DATATYPE_NULL && PMPI_Type_size_x(type, &shape.size) == MPI_SUCCESS &&
         PMPI_Type_get_extent(type, &least, &shape.extent) == MPI_SUCCESS;
}

/// MPI requires equal type signatures of a block at both ends, so both find it empty or neither
/// does.
Blocks blocksOf(const BlockSide &side, const BlockPartners &partners) {
  Blocks found;
  TypeShape shape;
  const std::size_t all = partners.ranks.size();
  found.wrong =
      all > 0 && (!side.isComplete() || (!side.eachHasType() && !findShape(side.type(0), shape)));
  for (std::size_t turn = 0; turn < all && !found.wrong; ++turn) {
    const std::size_t index = (partners.first + turn) % all;
    const int partner = partners.ranks[index];
    const MPI_Count count = side.count(index);
    found.wrong =
        count < 0 || (side.eachHasType() && count > 0 && !findShape(side.type(index), shape));
    if (found.wrong || count == 0 || shape.size == 0 || partner == MPI_PROC_NULL)
      continue;
    const std::uint64_t bytes =
        static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(shape.size);
    found.blocks.push_back({static_cast<std::byte *>(const_cast<void *>(side.buffer())) +
                                side.place(index, shape.extent),
                            count, bytes, side.type(index), partner});
  }
  return found;
}

/// Other ranks wait for this rank's messages. The program's error handler is called first.
int endForMemory(MPI_Comm communicator) {
  std::fprintf(stderr, "sendwright: rank %d has no memory for an irregular collective\n",
               rankIn(MPI_COMM_WORLD));
  PMPI_Comm_call_errhandler(communicator, MPI_ERR_NO_MEM);
  return PMPI_Abort(MPI_COMM_WORLD, MPI_ERR_NO_MEM);
}

struct BothSides {
  Blocks sent, received;
  bool inPlace = false; ///< what is sent lies where the received blocks go
};

/// In place, each rank's own block is where the received blocks go, and stays there.
BothSides sidesOfGathered(const PlannedCalls &planned, const BlockSide &sent,
                          const BlockSide &received) {
  BothSides sides;
  sides.received = blocksOf(received, planned.sources);
  if (sent.buffer() != MPI_IN_PLACE) {
    sides.sent = blocksOf(sent, planned.destinations);
    return sides;
  }
  const auto own = std::ranges::find(sides.received.blocks, planned.rank, &Block::partner);
  sides.sent.wrong = sides.received.wrong;
  if (own == sides.received.blocks.end())
    return sides;
  Block block = *own;
  sides.received.blocks.erase(own);
  for (std::size_t turn = 0; turn < planned.destinations.ranks.size(); ++turn) {
    block.partner =
        planned.destinations
            .ranks[(planned.destinations.first + turn) % planned.destinations.ranks.size()];
    if (block.partner != planned.rank)
      sides.sent.blocks.push_back(block);
  }
  return sides;
}

BothSides sidesOf(const PlannedCalls &planned, const BlockSide &sent, const BlockSide &received) {
  if (gathersToAll(planned.calls->function))
    return sidesOfGathered(planned, sent, received);
  BothSides sides;
  sides.inPlace = sent.buffer() == MPI_IN_PLACE;
  sides.received = blocksOf(received, planned.sources);
  sides.sent = sides.inPlace ? sides.received : blocksOf(sent, planned.destinations);
  sides.sent.wrong |= sides.inPlace && planned.isOfNeighbors();
  return sides;
}

/// In place, the root's own block is where it belongs.
BothSides sidesOfRooted(const PlannedCalls &planned, const BlockSide &sent,
                        const BlockSide &received, int root) {
  const auto size = static_cast<int>(planned.members().size());
  const bool isRoot = root == planned.rank;
  const bool gathers = mpiFunction(planned.calls->function).flow == CollectiveFlow::ToRoot;
  const BlockPartners one{{root}, 0}, none;
  const BlockPartners &all = isRoot ? planned.sources : none;
  const bool inPlace = isRoot && (gathers ? sent : received).buffer() == MPI_IN_PLACE;
  BothSides sides;
  if (!inPlace || !gathers)
    sides.sent = blocksOf(sent, gathers ? one : all);
  if (!inPlace || gathers)
    sides.received = blocksOf(received, gathers ? all : one);
  if (inPlace)
    for (Blocks *side : {&sides.sent, &sides.received})
      std::erase_if(side->blocks, [&](const Block &block) { return block.partner == root; });
  sides.sent.wrong |= root < 0 || root >= size;
  return sides;
}

std::vector<LearnedBlock> sizesOf(const Blocks &sent) {
  std::vector<LearnedBlock> sizes;
  sizes.reserve(sent.blocks.size());
  for (const Block &block : sent.blocks)
    sizes.push_back({block.partner, block.bytes});
  return sizes;
}

/// Fortran's entry points call MPI past the wrappers, or not, as the implementation likes; so their
/// calls are left to MPI. `sides` finds the blocks of planned calls.
template <typename Sides>
bool exchangeBlocks(MpiFunctionId function, MPI_Comm communicator, int *result, Sides sides) {
  if (fortranCalls > 0)
    return false;
  try {
    LearnedCalls *learned = plannedCommunicators()->findLearned(function, communicator);
    const PlannedCalls *planned =
        learned ? &learned->calls : plannedCommunicators()->find(function, communicator);
    if (!planned)
      return false;
    if (planned->turns && !planned->turns->begin())
      return false;
    const BothSides found = sides(*planned);
    if (found.sent.wrong || found.received.wrong)
      return false;
    flushBatches();
    if (learned && !learned->replaces(sizesOf(found.sent)))
      return false;
    *result = BlockExchange(*plannedCommunicators(), *planned)
                  .run(found.sent, found.received, found.inPlace);
    if (*result != MPI_SUCCESS)
      PMPI_Comm_call_errhandler(communicator, *result);
  } catch (const std::bad_alloc &) {
    *result = endForMemory(communicator);
  }
  return true;
}

} // namespace

bool replace(MpiFunctionId function, const BlockSide &sent, const BlockSide &received,
             MPI_Comm communicator, int *result) {
  return exchangeBlocks(function, communicator, result, [&](const PlannedCalls &planned) {
    return sidesOf(planned, sent, received);
  });
}

bool replace(MpiFunctionId function, const BlockSide &sent, const BlockSide &received, int root,
             MPI_Comm communicator, int *result) {
  return exchangeBlocks(function, communicator, result, [&](const PlannedCalls &planned) {
    return sidesOfRooted(planned, sent, received, root);
  });
}

} // namespace sendwright::irregular
