// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slots that are blocks of the program: scatter, gather, allgather, all-to-all. Blocks in transit
// stay where their message is.

#include "runtime/collectives/Contents.h"

#include <algorithm>
#include <cstdlib>
#include <functional>

namespace sendwright::collectives {

namespace {

class BlockContents final : public Contents {
public:
  explicit BlockContents(const OperationFacts &facts)
      : facts(facts), send(facts.call.send), receive(facts.call.receive),
        held(facts.schedule.slots.size()) {
    if ((facts.call.own & SENDWRIGHT_IN_STEPS) && (sendsWhatItReceives() || receivesTwice())) {
      refused = true; // a step sends what another step received, or the order of steps shows
      receive.exist = receive.plain = false;
    }
    if (!refused && send.plain && sendsWhatItReceives())
      send.plain = false; // copied before anything arrives
    if (!send.plain)
      for (std::uint32_t slot = 0; slot < held.size(); ++slot)
        if (facts.schedule.slots[slot].use == SlotUse::Own)
          this->slot(slot);
    if (withOwn() && receive.exist)
      takeOwn();
  }

  bool refuses() const override { return refused; }
  std::span<std::byte> slot(std::uint32_t slot) override;
  std::uint64_t whole() const override { return 0; }
  void sizesOf(const LocalStep &, std::uint64_t, std::vector<std::uint64_t> &) override {}
  std::uint64_t expected(const LocalStep &step) const override {
    return step.slots.size() * std::max(send.bytes, receive.bytes);
  }
  std::span<std::byte> early(const LocalStep &step, std::uint64_t room) override;
  std::byte *place(const LocalStep &step, std::span<const std::uint64_t> sizes) override;
  void arrived(const LocalStep &step, std::span<const std::uint64_t> sizes,
               std::byte *data) override;
  exchange::PostedReceive finish() override;

private:
  bool withOwn() const { return (facts.call.own & SENDWRIGHT_WITH_OWN) != 0; }
  bool sendsWhatItReceives() const;
  bool receivesTwice() const;
  void takeOwn();
  std::byte *memoryFor(std::uint32_t slot, std::uint64_t bytes) const;

  struct Held {
    std::span<std::byte> bytes;
    bool is = false;
  };
  const OperationFacts facts;
  ProgramBlocks send, receive;
  std::vector<Held> held;   ///< indexed by slot
  std::span<std::byte> own; ///< the block that this rank sends to itself
  exchange::PostedReceive last;
  bool refused = false;
};

/// Whether this rank's blocks lie where other ranks' blocks will arrive. The program then reads one
/// before it writes another; a schedule might do so in reverse order.
bool BlockContents::sendsWhatItReceives() const {
  if (send.bytes == 0 || receive.bytes == 0) // or there are no blocks
    return false;
  const std::less<const std::byte *> before;
  const ProgramBlocks::Span sent = send.span(), received = receive.span();
  const auto meet = [&](int own, int other) {
    const std::byte *const one = send.address(own), *const two = receive.address(other);
    return before(one + sent.begin, two + received.end) &&
           before(two + received.begin, one + sent.end);
  };
  const auto ranks = static_cast<int>(facts.collective.communicator.members.size());
  const auto self = static_cast<int>(facts.rank);
  if (facts.collective.operation == Collective::Allgather) {
    for (int other = 0; other < ranks; ++other)
      if ((other != self || (withOwn() && send.address(self) != receive.address(self))) &&
          meet(self, other))
        return true;
    return false;
  }
  const auto range = [&](const ProgramBlocks &blocks) {
    return std::minmax({blocks.address(0), blocks.address(ranks - 1)}, before);
  };
  const auto [firstSent, lastSent] = range(send);
  const auto [firstReceived, lastReceived] = range(receive);
  return before(firstSent + sent.begin, lastReceived + received.end) &&
         before(firstReceived + received.begin, lastSent + sent.end);
}

/// Whether received blocks overlap, so that the last to arrive is the one that stays.
bool BlockContents::receivesTwice() const {
  const ProgramBlocks::Span received = receive.span();
  return std::abs(receive.stride) < received.end - received.begin;
}

/// Called before anything arrives: if blocks are copied, so is this rank's own.
void BlockContents::takeOwn() {
  std::byte *const memory = send.address(static_cast<int>(facts.rank));
  own = {memory, static_cast<std::size_t>(send.bytes)};
  if (send.plain)
    return;
  own = {facts.scratch.allocate(send.bytes), static_cast<std::size_t>(send.bytes)};
  pack(send, memory, own.data(), facts.self);
}

std::span<std::byte> BlockContents::slot(std::uint32_t slot) {
  Held &block = held[slot];
  if (!block.is && facts.schedule.slots[slot].use == SlotUse::Own) {
    block.is = true;
    std::byte *const memory = send.address(facts.schedule.slots[slot].block);
    if (send.plain)
      block.bytes = {memory, send.bytes};
    else {
      block.bytes = {facts.scratch.allocate(send.bytes), send.bytes};
      pack(send, memory, block.bytes.data(), facts.self);
    }
  }
  return block.bytes;
}

/// The program's memory, if this many bytes can be received there directly; else null.
std::byte *BlockContents::memoryFor(std::uint32_t slot, std::uint64_t bytes) const {
  const LocalSlot &described = facts.schedule.slots[slot];
  return described.use == SlotUse::Destined && receive.plain && bytes <= receive.bytes &&
                 !held[slot].is
             ? receive.address(described.block)
             : nullptr;
}

std::span<std::byte> BlockContents::early(const LocalStep &step, std::uint64_t room) {
  if (step.slots.size() == 1)
    if (std::byte *memory = memoryFor(step.slots.front(), room))
      return {memory, room};
  const auto destined =
      std::count_if(step.slots.begin(), step.slots.end(), [&](std::uint32_t slot) {
        return facts.schedule.slots[slot].use == SlotUse::Destined;
      });
  if (destined > 1)
    return {}; // their place depends on their sizes
  return {facts.scratch.allocate(room), room};
}

std::byte *BlockContents::place(const LocalStep &step, std::span<const std::uint64_t> sizes) {
  std::byte *const first = memoryFor(step.slots.front(), sizes.front());
  std::byte *end = first;
  for (std::size_t index = 0; first && index < sizes.size(); ++index) {
    if (memoryFor(step.slots[index], sizes[index]) != end)
      return nullptr;
    end += sizes[index];
  }
  return first;
}

void BlockContents::arrived(const LocalStep &step, std::span<const std::uint64_t> sizes,
                            std::byte *data) {
  for (std::size_t index = 0; index < sizes.size(); data += sizes[index++]) {
    const std::uint32_t slot = step.slots[index];
    const LocalSlot &described = facts.schedule.slots[slot];
    if (held[slot].is)
      continue;
    held[slot].is = true;
    held[slot].bytes = {data, sizes[index]}; // even if it is passed on: whole and unchanged
    if (described.use != SlotUse::Destined || !receive.exist)
      continue;
    const exchange::PostedReceive came =
        unpack(receive, receive.address(described.block), held[slot].bytes, facts.self);
    if (facts.collective.operation != Collective::Gather || described.block >= last.source) {
      last = came; // among the ranks that the loop goes over, it is the last
      last.source = described.block;
    }
  }
}

exchange::PostedReceive BlockContents::finish() {
  if (withOwn() && receive.exist)
    unpack(receive, receive.address(static_cast<int>(facts.rank)), own, facts.self);
  return last;
}

} // namespace

std::unique_ptr<Contents> blockContents(const OperationFacts &facts) {
  return std::make_unique<BlockContents>(facts);
}

} // namespace sendwright::collectives
