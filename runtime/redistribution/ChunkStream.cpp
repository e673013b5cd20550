// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/redistribution/ChunkStream.h"

#include "analysis/redistribution/MovementProtocol.h"
#include "runtime/redistribution/Redistribution.h"

#include <algorithm>

namespace sendwright::redistribution {

ChunkStream::ChunkStream(const PrivateGroup &group, const std::vector<PeerMessage> &messages,
                         bool sending, char *const *blocks, std::uint64_t stagingBytes, int tag)
    : group(group), messages(messages), sending(sending), tag(tag), blocks(blocks),
      ring(stagingBytes), staged(stagingBytes ? mostChunksUnderWay : 0) {
  std::size_t pieces = 0;
  for (const PeerMessage &message : messages)
    pieces = std::max(pieces, message.parts.size());
  lengths.resize(pieces);
  addresses.resize(pieces);
}

std::size_t ChunkStream::mostRequests() { return mostChunksUnderWay; }

ChunkStream::Passage ChunkStream::passageOf(const PeerMessage &message) const {
  if (message.parts.size() == 1 && message.parts.front().spans() == 1)
    return Passage::Contiguous;
  return message.direct ? Passage::Pieces : Passage::Staged;
}

std::uint32_t ChunkStream::chunksOf(const PeerMessage &message) const {
  return static_cast<std::uint32_t>((message.bytes - 1) / message.chunkBytes + 1);
}

std::uint64_t ChunkStream::bytesOf(const PeerMessage &message, std::uint32_t number) const {
  return std::min(message.chunkBytes, message.bytes - number * message.chunkBytes);
}

std::uint32_t ChunkStream::begun(std::size_t message) const {
  if (message < current)
    return chunksOf(messages[message]);
  return message == current ? chunk : 0;
}

void ChunkStream::fill(ActiveRequests &requests, std::uint64_t allowance) {
  for (; current < messages.size(); ++current, chunk = 0) {
    const PeerMessage &message = messages[current];
    if (chunk == 0)
      cursor = SpanCursor(message.parts, blocks);
    for (; chunk < chunksOf(message); ++chunk) {
      const Purpose purpose{sending ? RequestUse::Send : RequestUse::Receive,
                            static_cast<std::uint32_t>(current), chunk};
      const std::uint64_t bytes = bytesOf(message, chunk);
      const bool allowed = bytesBegun == 0 || bytesBegun + bytes <= allowance;
      if (!allowed || !hasRoom(underWay, bytesUnderWay, bytes) ||
          !beginChunk(purpose, cursor, requests))
        return;
      bytesBegun += bytes;
    }
  }
}

bool ChunkStream::beginChunk(Purpose purpose, SpanCursor &at, ActiveRequests &requests) {
  const PeerMessage &message = messages[purpose.index];
  const std::uint64_t bytes = bytesOf(message, purpose.chunk);
  switch (passageOf(message)) {
  case Passage::Contiguous:
    start(at.next(bytes).address, static_cast<int>(bytes), MPI_BYTE, purpose, requests);
    return true;
  case Passage::Pieces:
    startPieces(bytes, at, purpose, requests);
    return true;
  case Passage::Staged:
    break;
  }
  char *const memory = stage(bytes, purpose);
  if (!memory)
    return false;
  if (sending)
    packFrom(at, memory, bytes);
  start(memory, static_cast<int>(bytes), MPI_BYTE, purpose, requests);
  return true;
}

void ChunkStream::start(void *buffer, int count, MPI_Datatype type, Purpose purpose,
                        ActiveRequests &requests) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int peer = messages[purpose.index].peer;
  const int error = sending
                        ? PMPI_Isend(buffer, count, type, peer, tag, group.communicator, &request)
                        : PMPI_Irecv(buffer, count, type, peer, tag, group.communicator, &request);
  if (error != MPI_SUCCESS && requests.error == MPI_SUCCESS)
    requests.error = error;
  requests.add(request, purpose);
  ++underWay;
  bytesUnderWay += bytesOf(messages[purpose.index], purpose.chunk);
}

/// Begins one message made of pieces of several arrays, in place.
void ChunkStream::startPieces(std::uint64_t bytes, SpanCursor &at, Purpose purpose,
                              ActiveRequests &requests) {
  int count = 0;
  while (bytes != 0) {
    const Span span = at.next(bytes);
    const auto place = static_cast<std::size_t>(count++);
    PMPI_Get_address(span.address, &addresses[place]);
    lengths[place] = static_cast<int>(span.bytes);
    bytes -= span.bytes;
  }
  MPI_Datatype type = MPI_DATATYPE_NULL;
  PMPI_Type_create_hindexed(count, lengths.data(), addresses.data(), MPI_BYTE, &type);
  PMPI_Type_commit(&type);
  start(MPI_BOTTOM, 1, type, purpose, requests);
  PMPI_Type_free(&type);
}

char *ChunkStream::stage(std::uint64_t bytes, Purpose purpose) {
  char *const memory = stagedCount < staged.size() ? ring.take(bytes) : nullptr;
  if (memory)
    staged[(stagedFirst + stagedCount++) % staged.size()] = {purpose, memory, bytes, false};
  return memory;
}

void ChunkStream::completed(Purpose purpose) {
  --underWay;
  bytesUnderWay -= bytesOf(messages[purpose.index], purpose.chunk);
  for (std::size_t i = 0; i < stagedCount; ++i) {
    Staged &chunkUnderWay = staged[(stagedFirst + i) % staged.size()];
    if (chunkUnderWay.purpose == purpose)
      chunkUnderWay.complete = true;
  }
  retireStaged();
}

void ChunkStream::retireStaged() {
  while (stagedCount > 0 && staged[stagedFirst].complete) {
    if (!sending)
      unpack(staged[stagedFirst]);
    stagedFirst = (stagedFirst + 1) % staged.size();
    --stagedCount;
    ring.giveBack(stagedCount > 0 ? staged[stagedFirst].memory : nullptr);
  }
}

void ChunkStream::unpack(const Staged &arrived) {
  if (unpacked != arrived.purpose.index) {
    unpacked = arrived.purpose.index;
    unpackCursor = SpanCursor(messages[unpacked].parts, blocks);
  }
  unpackTo(arrived.memory, unpackCursor, arrived.bytes);
}

} // namespace sendwright::redistribution
