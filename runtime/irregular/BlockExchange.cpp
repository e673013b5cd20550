// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/irregular/BlockExchange.h"

#include "runtime/base/Interception.h"
#include "runtime/sharing/planned/WaitingWhileSharing.h"

#include <algorithm>
#include <climits>

namespace sendwright::irregular {

namespace {

int startSend(const Block &block, int to, int tag, MPI_Comm world, MPI_Request *request) {
#if MPI_VERSION >= 4
  if (block.count > INT_MAX)
    return PMPI_Isend_c(block.at, block.count, block.type, to, tag, world, request);
#endif
  return PMPI_Isend(block.at, static_cast<int>(block.count), block.type, to, tag, world, request);
}

int startReceive(const Block &block, int from, int tag, MPI_Comm world, MPI_Request *request) {
#if MPI_VERSION >= 4
  if (block.count > INT_MAX)
    return PMPI_Irecv_c(block.at, block.count, block.type, from, tag, world, request);
#endif
  return PMPI_Irecv(block.at, static_cast<int>(block.count), block.type, from, tag, world, request);
}

} // namespace

int BlockExchange::run(const Blocks &sent, const Blocks &received, bool inPlace) {
  requests.reserve(sent.blocks.size() + received.blocks.size());
  if (planned.routes)
    note(planned.routes->begin(communicators.world));
  prepare(sent, inPlace); // before a message can arrive in its place
  if (error == MPI_SUCCESS)
    postReceives(received);
  const std::size_t receives = requests.size();
  if (planned.routes && error == MPI_SUCCESS)
    note(planned.routes->leave(requests));
  if (error == MPI_SUCCESS)
    send();
  if (error != MPI_SUCCESS) {
    abandon(receives);
    return error;
  }
  if (!inPlace)
    copyOwn(sent, received);
  if (planned.routes)
    followRoutes(received);
  wait();
  return error;
}

void BlockExchange::note(int mpiError) {
  if (error == MPI_SUCCESS)
    error = mpiError;
}

int BlockExchange::worldRank(const Block &block) const {
  return planned.members()[static_cast<std::size_t>(block.partner)];
}

void BlockExchange::postReceives(const Blocks &received) {
  for (const Block &block : received.blocks)
    if (block.partner != planned.rank && !comesByRoute(block) && error == MPI_SUCCESS)
      note(startReceive(block, worldRank(block), planned.tagOf(block.bytes), communicators.world,
                        &requests.emplace_back(MPI_REQUEST_NULL)));
}

/// Blocks that are messages go to `outgoing`, others into combined messages.
void BlockExchange::prepare(const Blocks &sent, bool inPlace) {
  outgoing.reserve(sent.blocks.size());
  copies.reserve(inPlace ? sent.blocks.size() : 0);
  for (const Block &block : sent.blocks) {
    if (block.partner == planned.rank || error != MPI_SUCCESS)
      continue;
    if (leavesByRoute(block))
      pack(block);
    else
      outgoing.push_back(inPlace ? copyOf(block) : block);
  }
}

void BlockExchange::send() {
  for (const Block &block : outgoing)
    if (error == MPI_SUCCESS)
      note(startSend(block, worldRank(block), planned.tagOf(block.bytes), communicators.world,
                     &requests.emplace_back(MPI_REQUEST_NULL)));
}

/// The elements where no message that arrives can overwrite them.
Block BlockExchange::copyOf(const Block &block) {
  MPI_Aint least = 0, extent = 0, trueLeast = 0, trueExtent = 0;
  PMPI_Type_get_extent(block.type, &least, &extent);
  PMPI_Type_get_true_extent(block.type, &trueLeast, &trueExtent);
  const MPI_Aint apart = static_cast<MPI_Aint>(block.count - 1) * extent;
  const MPI_Aint lowest = trueLeast + (apart < 0 ? apart : 0);
  const MPI_Aint bytes = trueExtent + (apart < 0 ? -apart : apart);
  copies.push_back(std::make_unique<std::byte[]>(static_cast<std::size_t>(bytes)));
  Block copy = block;
  copy.at = copies.back().get() - lowest;
  Block from = block;
  MPI_Request request = MPI_REQUEST_NULL;
  note(startReceive(copy, 0, planned.tag, communicators.self, &request));
  MPI_Request sending = MPI_REQUEST_NULL;
  if (error == MPI_SUCCESS)
    note(startSend(from, 0, planned.tag, communicators.self, &sending));
  for (MPI_Request *one : {&sending, &request})
    if (error == MPI_SUCCESS)
      note(PMPI_Wait(one, MPI_STATUS_IGNORE));
  return copy;
}

/// What this rank has for itself.
void BlockExchange::copyOwn(const Blocks &sent, const Blocks &received) {
  const auto from = std::ranges::find(sent.blocks, planned.rank, &Block::partner);
  const auto to = std::ranges::find(received.blocks, planned.rank, &Block::partner);
  if ((from == sent.blocks.end()) != (to == received.blocks.end()))
    return note(MPI_ERR_TRUNCATE); // the program contradicts itself
  if (from == sent.blocks.end())
    return;
  MPI_Request sending = MPI_REQUEST_NULL, receiving = MPI_REQUEST_NULL;
  note(startReceive(*to, 0, planned.tag, communicators.self, &receiving));
  note(startSend(*from, 0, planned.tag, communicators.self, &sending));
  for (MPI_Request *one : {&receiving, &sending})
    note(PMPI_Wait(one, MPI_STATUS_IGNORE));
}

bool BlockExchange::leavesByRoute(const Block &block) const {
  return planned.routes && planned.routes->leadTo(worldRank(block), block.bytes);
}

bool BlockExchange::comesByRoute(const Block &block) const {
  return planned.routes && planned.routes->comeFrom(worldRank(block), block.bytes);
}

/// Such blocks are small, so MPI can count their bytes.
void BlockExchange::pack(const Block &block) {
  std::byte *room = planned.routes->add(worldRank(block), block.bytes);
  if (!room)
    return;
  int position = 0;
  note(PMPI_Pack(block.at, static_cast<int>(block.count), block.type, room,
                 static_cast<int>(block.bytes), &position, communicators.self));
}

void BlockExchange::unpack(const Blocks &received, int source, std::span<const std::byte> bytes) {
  for (const Block &block : received.blocks) {
    if (worldRank(block) != source)
      continue;
    if (bytes.size() > block.bytes)
      return note(MPI_ERR_TRUNCATE);
    int position = 0;
    return note(PMPI_Unpack(const_cast<std::byte *>(bytes.data()), static_cast<int>(bytes.size()),
                            &position, block.at, static_cast<int>(block.count), block.type,
                            communicators.self));
  }
  if (!sendsOneBlock(planned.calls->function)) // where it is no copy for others
    note(MPI_ERR_TRUNCATE);                    // the program expects nothing
}

/// Passes on what comes for other ranks. Errors here concern this rank's own blocks; others still
/// get theirs.
void BlockExchange::followRoutes(const Blocks &received) {
  const BlockRoutes::Delivery deliver = [&](int source, std::span<const std::byte> bytes) {
    unpack(received, source, bytes);
  };
  while (planned.routes->awaited() > 0) {
    MPI_Status status;
    const std::size_t index = waitForAny(status);
    note(planned.routes->arrive(index, status, deliver, requests));
  }
}

std::size_t BlockExchange::waitForAny(MPI_Status &status) {
  std::vector<MPI_Request> &receives = planned.routes->receives();
  const auto count = static_cast<int>(receives.size());
  int index = MPI_UNDEFINED;
  if (isSimulated && exchange::on()) {
    exchange::Awaited awaited;
    for (MPI_Request &request : receives)
      awaited.requests.push_back(&request);
    while (awaited.ended < 0)
      exchange::messageSharing()->makeProgress(awaited);
    status = awaited.status;
    return static_cast<std::size_t>(awaited.ended);
  }
  if (isSimulated)
    note(PMPI_Waitany(count, receives.data(), &index, &status));
  else
    serveUntil(
        [&] {
          int done = 0;
          PMPI_Testany(count, receives.data(), &index, &done, &status);
          return done != 0;
        },
        [this] { return exchange::waitingIn(place()); });
  return static_cast<std::size_t>(index);
}

void BlockExchange::wait() {
  if (isSimulated) {
    if (exchange::on())
      return waitForEach();
    return note(
        PMPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE));
  }
  // One after another: MPICH would report an error of several at MPI_COMM_WORLD's handler.
  std::size_t done = 0;
  serveUntil(
      [&] {
        for (; done < requests.size(); ++done) {
          int isDone = 0;
          const int failure = PMPI_Test(&requests[done], &isDone, MPI_STATUS_IGNORE);
          note(failure);
          if (!isDone && failure == MPI_SUCCESS)
            return false;
        }
        return true;
      },
      [this] { return exchange::waitingIn(place()); });
}

void BlockExchange::waitForEach() {
  for (MPI_Request &request : requests)
    note(exchange::waitForRequest(&request, MPI_STATUS_IGNORE,
                                  [this] { return exchange::waitingIn(place()); }));
}

/// MPI has refused an argument, as it probably has on other ranks: their messages may never come.
void BlockExchange::abandon(std::size_t receives) {
  if (planned.routes) {
    std::vector<MPI_Request> &coming = planned.routes->receives();
    requests.insert(requests.begin(), coming.begin(), coming.end());
    receives += coming.size();
    coming.assign(coming.size(), MPI_REQUEST_NULL);
  }
  for (std::size_t index = 0; index < requests.size(); ++index) {
    MPI_Request &request = requests[index];
    if (request == MPI_REQUEST_NULL)
      continue;
    if (index >= receives || isSimulated) { // SMPI cannot cancel
      PMPI_Request_free(&request);
      continue;
    }
    PMPI_Cancel(&request);
    PMPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

std::string BlockExchange::place() const {
  return std::string(mpiFunction(planned.calls->function).name);
}

} // namespace sendwright::irregular
