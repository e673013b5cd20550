// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slots that are pieces of one message, which all ranks but the root get. The first head tells its
// length.

#include "analysis/schedules/CollectiveSteps.h"
#include "runtime/collectives/Contents.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace sendwright::collectives {

namespace {

class BroadcastContents final : public Contents {
public:
  explicit BroadcastContents(const OperationFacts &facts)
      : facts(facts), isRoot(facts.rank == facts.collective.root),
        memory(isRoot ? facts.call.send : facts.call.receive),
        held(facts.schedule.slots.size(), isRoot) {
    if (!isRoot)
      return;
    known = true;
    bytes = memory.bytes;
    base = memory.first;
    if (!memory.plain) {
      base = facts.scratch.allocate(bytes);
      pack(memory, memory.first, base, facts.self);
    }
  }

  std::span<std::byte> slot(std::uint32_t slot) override {
    const std::uint32_t number = facts.schedule.slots[slot].number, pieces = facts.collective.slots;
    const std::uint64_t begin = bytesBefore(bytes, number, pieces);
    return {base + begin, static_cast<std::size_t>(bytesBefore(bytes, number + 1, pieces) - begin)};
  }
  std::uint64_t whole() const override { return bytes; }
  void sizesOf(const LocalStep &step, std::uint64_t whole,
               std::vector<std::uint64_t> &sizes) override {
    learn(whole);
    for (const std::uint32_t slot : step.slots)
      sizes.push_back(this->slot(slot).size());
  }
  std::uint64_t expected(const LocalStep &) const override { return memory.bytes; }
  std::span<std::byte> early(const LocalStep &step, std::uint64_t room) override;
  std::byte *place(const LocalStep &step, std::span<const std::uint64_t> sizes) override;
  void arrived(const LocalStep &step, std::span<const std::uint64_t> sizes,
               std::byte *data) override;
  exchange::PostedReceive finish() override {
    return isRoot
               ? exchange::PostedReceive{}
               : unpack(memory, memory.first, {base, static_cast<std::size_t>(bytes)}, facts.self);
  }

private:
  bool fits(std::uint64_t whole) const { return memory.plain && whole <= memory.bytes; }
  void learn(std::uint64_t whole);

  const OperationFacts facts;
  const bool isRoot;
  const ProgramBlocks memory;
  std::vector<bool> held; ///< indexed by slot
  bool known = false;     ///< whether the size is
  std::uint64_t bytes = 0;
  std::byte *base = nullptr;
};

void BroadcastContents::learn(std::uint64_t whole) {
  if (known)
    return; // all heads say the same
  known = true;
  bytes = whole;
  base = fits(whole) ? memory.first : facts.scratch.allocate(whole);
}

std::span<std::byte> BroadcastContents::early(const LocalStep &step, std::uint64_t room) {
  if (!known) // a contiguous message begins where its first piece does
    return facts.collective.slots > 1
               ? std::span<std::byte>()
               : std::span(fits(room) ? memory.first : facts.scratch.allocate(room), room);
  std::vector<std::uint64_t> sizes;
  sizesOf(step, bytes, sizes);
  room = std::min(room, std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0}));
  std::byte *const at = place(step, sizes);
  return {at ? at : facts.scratch.allocate(room), room};
}

std::byte *BroadcastContents::place(const LocalStep &step, std::span<const std::uint64_t> sizes) {
  std::byte *const first = slot(step.slots.front()).data();
  std::byte *next = first;
  for (std::size_t index = 0; index < sizes.size(); next += sizes[index++])
    if (held[step.slots[index]] || slot(step.slots[index]).data() != next)
      return nullptr;
  return first;
}

void BroadcastContents::arrived(const LocalStep &step, std::span<const std::uint64_t> sizes,
                                std::byte *data) {
  for (std::size_t index = 0; index < sizes.size(); data += sizes[index++]) {
    const std::uint32_t slot = step.slots[index];
    const std::span<std::byte> piece = this->slot(slot);
    if (!held[slot] && piece.data() != data && piece.size() > 0)
      std::memcpy(piece.data(), data, piece.size());
    held[slot] = true; // pieces already here are not written: at the root they may be constant
  }
}

} // namespace

std::unique_ptr<Contents> broadcastContents(const OperationFacts &facts) {
  return std::make_unique<BroadcastContents>(facts);
}

} // namespace sendwright::collectives
