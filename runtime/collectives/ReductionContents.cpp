// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slots that are pieces of what is combined at the root. Each rank combines in its own memory; at
// the root that is the result, which already holds the root's contribution.

#include "analysis/schedules/CollectiveSteps.h"
#include "runtime/collectives/Contents.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <initializer_list>

namespace sendwright::collectives {

namespace {

class ReductionContents final : public Contents {
public:
  explicit ReductionContents(const OperationFacts &facts)
      : facts(facts), isRoot(facts.rank == facts.collective.root),
        memory(isRoot ? facts.call.receive : facts.call.send), operation(reductionOf(facts.call)),
        element(memory.count > 0 ? memory.bytes / static_cast<std::uint64_t>(memory.count) : 1),
        base(memory.first) {
    const bool changes = !isRoot && !facts.schedule.receives.empty(); // the program's memory
    if (memory.plain && !changes)
      return;
    base = facts.scratch.allocate(memory.bytes);
    if (!memory.plain)
      pack(memory, memory.first, base, facts.self);
    else if (memory.bytes > 0)
      std::memcpy(base, memory.first, memory.bytes);
  }

  std::span<std::byte> slot(std::uint32_t slot) override {
    const std::uint32_t number = facts.schedule.slots[slot].number;
    const std::uint64_t begin = before(number, memory.bytes);
    return {base + begin, static_cast<std::size_t>(before(number + 1, memory.bytes) - begin)};
  }
  std::uint64_t whole() const override { return memory.bytes; }
  void sizesOf(const LocalStep &step, std::uint64_t whole,
               std::vector<std::uint64_t> &sizes) override {
    for (const std::uint32_t slot : step.slots) {
      const std::uint32_t number = facts.schedule.slots[slot].number;
      sizes.push_back(before(number + 1, whole) - before(number, whole));
    }
  }
  std::uint64_t expected(const LocalStep &) const override { return memory.bytes; }
  std::span<std::byte> early(const LocalStep &, std::uint64_t room) override {
    return {facts.scratch.allocate(room), room};
  }
  std::byte *place(const LocalStep &, std::span<const std::uint64_t>) override { return nullptr; }
  void arrived(const LocalStep &step, std::span<const std::uint64_t> sizes,
               std::byte *data) override;
  exchange::PostedReceive finish() override {
    return isRoot ? unpack(memory, memory.first, {base, static_cast<std::size_t>(memory.bytes)},
                           facts.self)
                  : exchange::PostedReceive{};
  }

private:
  /// Bytes before a piece of a whole of this many bytes; each piece ends where an element does.
  std::uint64_t before(std::uint32_t piece, std::uint64_t whole) const {
    return bytesBefore(whole / element, piece, facts.collective.slots) * element;
  }

  const OperationFacts facts;
  const bool isRoot;
  const ProgramBlocks memory;
  const MPI_Op operation;
  const std::uint64_t element; ///< bytes
  std::byte *base;
};

/// If ranks contribute different numbers of elements, the reduction gives nothing useful to the
/// program; pieces larger than this rank's are an error, as larger messages are.
void ReductionContents::arrived(const LocalStep &step, std::span<const std::uint64_t> sizes,
                                std::byte *data) {
  for (std::size_t index = 0; index < sizes.size(); data += sizes[index++]) {
    const std::span<std::byte> own = slot(step.slots[index]);
    if (sizes[index] > own.size())
      note(MPI_ERR_TRUNCATE);
    const std::size_t bytes = std::min<std::size_t>(own.size(), sizes[index]);
    if (bytes == 0)
      continue;
    if (step.arrival == Arrival::Store)
      std::memcpy(own.data(), data, bytes);
    else // either order will do: all the operations commute
      note(PMPI_Reduce_local(data, own.data(), static_cast<int>(bytes / element), memory.datatype,
                             operation));
  }
}

bool isOneOf(MPI_Datatype datatype, std::initializer_list<MPI_Datatype> these) {
  return std::find(these.begin(), these.end(), datatype) != these.end();
}

bool isInteger(MPI_Datatype datatype) {
  return isOneOf(datatype, {MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR, MPI_SHORT, MPI_UNSIGNED_SHORT,
                            MPI_INT, MPI_UNSIGNED, MPI_LONG, MPI_UNSIGNED_LONG, MPI_LONG_LONG,
                            MPI_UNSIGNED_LONG_LONG, MPI_INT8_T, MPI_INT16_T, MPI_INT32_T,
                            MPI_INT64_T, MPI_UINT8_T, MPI_UINT16_T, MPI_UINT32_T, MPI_UINT64_T});
}

bool isUnsigned(MPI_Datatype datatype) {
  return isOneOf(datatype,
                 {MPI_UNSIGNED_CHAR, MPI_UNSIGNED_SHORT, MPI_UNSIGNED, MPI_UNSIGNED_LONG,
                  MPI_UNSIGNED_LONG_LONG, MPI_UINT8_T, MPI_UINT16_T, MPI_UINT32_T, MPI_UINT64_T});
}

/// Whether MPI finds the larger of two unsigned numbers. Open MPI 4.1 takes MPI_UNSIGNED_LONG, and
/// MPICH 4.0 takes all unsigned types for signed ones in MPI_MAX and MPI_MIN: with the highest bit
/// a number counts as negative.
bool comparesUnsigned(MPI_Datatype datatype) {
  int size = 0;
  std::array<unsigned char, sizeof(unsigned long long)> none{}, all{};
  all.fill(0xff);
  if (PMPI_Type_size(datatype, &size) != MPI_SUCCESS ||
      PMPI_Reduce_local(none.data(), all.data(), 1, datatype, MPI_MAX) != MPI_SUCCESS)
    return false;
  return std::all_of(all.begin(), all.begin() + size,
                     [](unsigned char byte) { return byte == 0xff; });
}

/// Whether their order may change was the user's decision when the program was compiled.
bool isFloatingPoint(MPI_Datatype datatype) {
  return isOneOf(datatype, {MPI_FLOAT, MPI_DOUBLE, MPI_LONG_DOUBLE});
}

} // namespace

MPI_Op reductionOf(const CollectiveCall &call) {
  const sendwright_blocks &blocks = call.send.type ? call.send : call.receive;
  if (!blocks.type)
    return MPI_OP_NULL;
  const MPI_Datatype datatype = *static_cast<const MPI_Datatype *>(blocks.type);
  const bool arithmetic = call.reduction <= SENDWRIGHT_MAXIMUM;
  if (!isInteger(datatype) && !(arithmetic && isFloatingPoint(datatype)))
    return MPI_OP_NULL;
  if ((call.reduction == SENDWRIGHT_MINIMUM || call.reduction == SENDWRIGHT_MAXIMUM) &&
      isUnsigned(datatype) && !comparesUnsigned(datatype))
    return MPI_OP_NULL; // the loop compares as its language does
  switch (call.reduction) {
  case SENDWRIGHT_SUM:
    return MPI_SUM;
  case SENDWRIGHT_PRODUCT:
    return MPI_PROD;
  case SENDWRIGHT_MINIMUM:
    return MPI_MIN;
  case SENDWRIGHT_MAXIMUM:
    return MPI_MAX;
  case SENDWRIGHT_BITWISE_AND:
    return MPI_BAND;
  case SENDWRIGHT_BITWISE_OR:
    return MPI_BOR;
  case SENDWRIGHT_BITWISE_XOR:
    return MPI_BXOR;
  default:
    return MPI_OP_NULL;
  }
}

std::unique_ptr<Contents> reductionContents(const OperationFacts &facts) {
  return std::make_unique<ReductionContents>(facts);
}

} // namespace sendwright::collectives
