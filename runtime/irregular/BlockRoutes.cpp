// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/irregular/BlockRoutes.h"

#include <algorithm>
#include <cstring>

namespace sendwright::irregular {

namespace {

/// What precedes a block in a combined message.
struct BlockHead {
  std::uint32_t place = 0, bytes = 0;
};
static_assert(sizeof(BlockHead) == blockHeader);

} // namespace

BlockRoutes::BlockRoutes(const RankExchange &part, int rank, MpiFunctionId function,
                         std::uint64_t largest, int firstTag)
    : part(part), function(function), areCopies(sendsOneBlock(function)), largest(largest),
      onward(part.messages.size()) {
  for (std::size_t stage = 0; stage < part.stages.size(); ++stage)
    for (const Transfer &transfer : part.stages[stage].sends)
      addOutgoing(transfer, firstTag + static_cast<int>(stage), rank);
  for (std::size_t stage = 0; stage < part.stages.size(); ++stage)
    for (const Transfer &transfer : part.stages[stage].receives)
      addIncoming(transfer, firstTag + static_cast<int>(stage), rank);
  for (const std::size_t transfer : ownFeeds)
    ++outgoing[transfer].feeders;
  receiving.assign(incoming.size(), MPI_REQUEST_NULL);
}

void BlockRoutes::addOutgoing(const Transfer &transfer, int tag, int rank) {
  Outgoing &made = outgoing.emplace_back();
  made.peer = transfer.peer;
  made.tag = tag;
  const std::vector<std::uint32_t> blocks = blocksIn(part, transfer, function);
  made.bytes.reserve(blocks.size() * (blockHeader + largest));
  made.hasBlock.resize(blocks.size());
  std::unordered_map<int, std::uint32_t> places; // of copies, by source
  for (std::uint32_t place = 0; place < blocks.size(); ++place)
    places[part.messages[blocks[place]].source] = place;
  std::uint32_t next = 0;
  for (const std::uint32_t message : transfer.messages) {
    const SharedMessage &known = part.messages[message];
    const Place place{outgoing.size() - 1, areCopies ? places[known.source] : next++};
    onward[message] = place;
    if (known.source == rank) {
      own[known.destination] = place;
      ownFeeds.insert(outgoing.size() - 1);
    }
  }
}

void BlockRoutes::addIncoming(const Transfer &transfer, int tag, int rank) {
  Incoming &made = incoming.emplace_back();
  made.peer = transfer.peer;
  made.tag = tag;
  std::unordered_map<int, std::size_t> places; // of copies, by source
  for (const std::uint32_t message : blocksIn(part, transfer, function)) {
    places[part.messages[message].source] = made.blocks.size();
    made.blocks.push_back({part.messages[message].source, false, {}});
  }
  made.bytes.resize(made.blocks.size() * (blockHeader + largest));
  std::size_t next = 0;
  for (const std::uint32_t message : transfer.messages) {
    const SharedMessage &known = part.messages[message];
    Fate &fate = made.blocks[areCopies ? places[known.source] : next++];
    if (known.destination == rank) {
      sources.insert(known.source);
      fate.isDelivered = true;
    } else if (const std::optional<Place> &to = onward[message]; to) {
      if (std::ranges::find(fate.onward, *to) == fate.onward.end())
        fate.onward.push_back(*to);
      if (made.feeds.insert(to->transfer).second)
        ++outgoing[to->transfer].feeders;
    }
  }
}

int BlockRoutes::begin(MPI_Comm communicator) {
  world = communicator;
  left = incoming.size();
  for (Outgoing &out : outgoing) {
    out.bytes.clear();
    out.missing = out.feeders;
    out.hasBlock.assign(out.hasBlock.size(), false);
  }
  for (std::size_t index = 0; index < incoming.size(); ++index) {
    Incoming &in = incoming[index];
    if (const int error = PMPI_Irecv(in.bytes.data(), static_cast<int>(in.bytes.size()), MPI_BYTE,
                                     in.peer, in.tag, world, &receiving[index]))
      return error;
  }
  return MPI_SUCCESS;
}

std::byte *BlockRoutes::append(const Place &place, std::uint64_t bytes) {
  Outgoing &out = outgoing[place.transfer];
  if (out.hasBlock[place.place])
    return nullptr;
  out.hasBlock[place.place] = true;
  std::vector<std::byte> &message = out.bytes;
  const std::size_t at = message.size();
  message.resize(at + blockHeader + bytes);
  const BlockHead head{place.place, static_cast<std::uint32_t>(bytes)};
  std::memcpy(message.data() + at, &head, blockHeader);
  return message.data() + at + blockHeader;
}

std::byte *BlockRoutes::add(int destination, std::uint64_t bytes) {
  return append(own.at(destination), bytes);
}

int BlockRoutes::leave(std::vector<MPI_Request> &sends) {
  int error = MPI_SUCCESS;
  for (std::size_t transfer = 0; transfer < outgoing.size() && error == MPI_SUCCESS; ++transfer)
    if (ownFeeds.contains(transfer))
      error = oneLess(transfer, sends);
  return error;
}

int BlockRoutes::oneLess(std::size_t transfer, std::vector<MPI_Request> &sends) {
  Outgoing &out = outgoing[transfer];
  if (--out.missing > 0)
    return MPI_SUCCESS;
  return PMPI_Isend(out.bytes.data(), static_cast<int>(out.bytes.size()), MPI_BYTE, out.peer,
                    out.tag, world, &sends.emplace_back(MPI_REQUEST_NULL));
}

int BlockRoutes::arrive(std::size_t index, const MPI_Status &status, const Delivery &deliver,
                        std::vector<MPI_Request> &sends) {
  const Incoming &in = incoming[index];
  --left;
  int count = 0;
  PMPI_Get_count(&status, MPI_BYTE, &count);
  const auto end = static_cast<std::size_t>(count);
  for (std::size_t at = 0; at + blockHeader <= end;) {
    BlockHead head;
    std::memcpy(&head, in.bytes.data() + at, blockHeader);
    const std::byte *block = in.bytes.data() + at + blockHeader;
    const Fate &fate = in.blocks[head.place];
    if (fate.isDelivered)
      deliver(fate.source, {block, head.bytes});
    for (const Place &place : fate.onward)
      if (std::byte *room = append(place, head.bytes))
        std::memcpy(room, block, head.bytes);
    at += blockHeader + head.bytes;
  }
  for (const std::size_t transfer : in.feeds)
    if (const int error = oneLess(transfer, sends))
      return error;
  return MPI_SUCCESS;
}

} // namespace sendwright::irregular
