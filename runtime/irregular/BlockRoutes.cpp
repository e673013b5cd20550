// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/irregular/BlockRoutes.h"

#include <cstring>

namespace sendwright::irregular {

namespace {

/// What precedes a block in a combined message.
struct BlockHead {
  std::uint32_t place = 0, bytes = 0;
};
static_assert(sizeof(BlockHead) == blockHeader);

} // namespace

BlockRoutes::BlockRoutes(const RankExchange &part, int rank, std::uint64_t largest, int firstTag)
    : part(part), rank(rank), largest(largest), onward(part.messages.size()) {
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
  made.bytes.reserve(transfer.messages.size() * (blockHeader + largest));
  for (std::uint32_t place = 0; place < transfer.messages.size(); ++place) {
    const std::uint32_t message = transfer.messages[place];
    onward[message] = Place{outgoing.size() - 1, place};
    if (part.messages[message].source == rank) {
      own[part.messages[message].destination] = *onward[message];
      ownFeeds.insert(outgoing.size() - 1);
    }
  }
}

void BlockRoutes::addIncoming(const Transfer &transfer, int tag, int rank) {
  Incoming &made = incoming.emplace_back();
  made.peer = transfer.peer;
  made.tag = tag;
  made.messages = transfer.messages;
  made.bytes.resize(transfer.messages.size() * (blockHeader + largest));
  for (const std::uint32_t message : transfer.messages)
    if (part.messages[message].destination == rank)
      sources.insert(part.messages[message].source);
    else if (onward[message] && made.feeds.insert(onward[message]->transfer).second)
      ++outgoing[onward[message]->transfer].feeders;
}

int BlockRoutes::begin(MPI_Comm communicator) {
  world = communicator;
  left = incoming.size();
  for (Outgoing &out : outgoing) {
    out.bytes.clear();
    out.missing = out.feeders;
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
  std::vector<std::byte> &message = outgoing[place.transfer].bytes;
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
    const std::uint32_t message = in.messages[head.place];
    if (part.messages[message].destination == rank)
      deliver(part.messages[message].source, {block, head.bytes});
    else
      std::memcpy(append(*onward[message], head.bytes), block, head.bytes);
    at += blockHeader + head.bytes;
  }
  for (const std::size_t transfer : in.feeds)
    if (const int error = oneLess(transfer, sends))
      return error;
  return MPI_SUCCESS;
}

} // namespace sendwright::irregular
