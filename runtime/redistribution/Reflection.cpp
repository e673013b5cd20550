// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/redistribution/Reflection.h"

#include "analysis/file/Hashing.h"
#include "analysis/redistribution/PairDigest.h"
#include "runtime/base/Waiting.h"
#include "runtime/redistribution/Redistribution.h"
#include "runtime/redistribution/SpanCursor.h"

#include <algorithm>
#include <cstring>

namespace sendwright::redistribution {

namespace {

constexpr std::uint64_t mostReflectedBytes = std::uint64_t(1) << 30; ///< of one MPI message

char *firstByte(const sendwright_array &array) {
  if (array.storage)
    return static_cast<char *>(array.storage->data(array.variable));
  return static_cast<char *>(array.indices == SENDWRIGHT_GLOBAL_INDICES
                                 ? array.variable
                                 : *static_cast<void **>(array.variable));
}

/// What all ranks must have in common.
std::uint64_t digestOf(const Distribution &distribution, std::span<const HaloDimension> halo,
                       bool corners, std::uint64_t elementSize) {
  std::vector<std::uint64_t> facts{pairDigest(distribution, distribution), corners, elementSize};
  for (const HaloDimension &dimension : halo)
    for (const std::int64_t fact :
         {dimension.lower, dimension.upper, std::int64_t(dimension.periodic)})
      facts.push_back(static_cast<std::uint64_t>(fact));
  return XXH64(facts.data(), facts.size() * sizeof facts.front(), 0);
}

} // namespace

Reflection::Reflection(const PrivateGroup &group, unsigned number, const sendwright_array &array,
                       const ArrayState &state, bool corners, std::span<const long long> periodic)
    : group(group), tag(reflectTag + static_cast<int>(number % reflectTags)),
      elementSize(array.element_size) {
  const Distribution &distribution = *state.distribution;
  std::vector<HaloDimension> halo = state.halo;
  halo.resize(state.extents.size());
  memory.first = firstByte(array);
  memory.global = array.indices == SENDWRIGHT_GLOBAL_INDICES;
  const bool owns = distribution.placeOf(group.rank) >= 0;
  for (std::size_t at = 0; at < halo.size(); ++at) {
    halo[at].periodic = at < periodic.size() && periodic[at] != 0;
    if (memory.global)
      memory.shape.push_back({state.extents[at], 0});
    else if (owns)
      memory.shape.push_back(
          {distribution.localSize(group.rank, at) + halo[at].lower + halo[at].upper,
           halo[at].lower});
  }
  digest = digestOf(distribution, halo, corners, elementSize);
  sends = byPeer(haloFrom(group.rank, distribution, halo, corners), true);
  receives = byPeer(haloInto(group.rank, distribution, halo, corners), false);
  std::size_t count = 0;
  for (const auto *peers : {&sends, &receives})
    for (const Peer &peer : *peers)
      count += peer.bytes.size() / mostReflectedBytes + 1;
  requests.reserve(count);
  start(receives, false);
  for (Peer &peer : sends) {
    char *at = peer.bytes.data();
    for (const HaloBox &box : peer.boxes)
      pack(box, at);
    std::memcpy(at, &digest, sizeof digest);
  }
  start(sends, true);
}

/// The boxes for each other rank, with room for their bytes. What stays on the rank is copied last,
/// in finish(), by its own message.
std::vector<Reflection::Peer> Reflection::byPeer(std::vector<HaloBox> boxes, bool sending) {
  const auto peerOf = [sending](const HaloBox &box) {
    return sending ? box.destination : box.source;
  };
  if (memory.global) // they are where they belong
    std::erase_if(boxes, [](const HaloBox &box) { return box.source == box.destination; });
  std::stable_sort(boxes.begin(), boxes.end(),
                   [&](const HaloBox &a, const HaloBox &b) { return peerOf(a) < peerOf(b); });
  std::vector<Peer> peers;
  for (HaloBox &box : boxes) {
    if (peers.empty() || peers.back().rank != peerOf(box)) {
      peers.emplace_back();
      peers.back().rank = peerOf(box);
    }
    Peer &peer = peers.back();
    peer.bytes.resize(peer.bytes.size() + static_cast<std::size_t>(box.elements()) * elementSize);
    peer.boxes.push_back(std::move(box));
  }
  for (Peer &peer : peers)
    peer.bytes.resize(peer.bytes.size() + sizeof digest);
  return peers;
}

void Reflection::start(std::vector<Peer> &peers, bool sending) {
  for (Peer &peer : peers)
    for (std::size_t begin = 0; begin < peer.bytes.size(); begin += mostReflectedBytes) {
      const auto count =
          static_cast<int>(std::min<std::uint64_t>(mostReflectedBytes, peer.bytes.size() - begin));
      requests.push_back(MPI_REQUEST_NULL);
      char *const at = peer.bytes.data() + begin;
      const int result = sending ? MPI_Isend(at, count, MPI_BYTE, peer.rank, tag,
                                             group.communicator, &requests.back())
                                 : MPI_Irecv(at, count, MPI_BYTE, peer.rank, tag,
                                             group.communicator, &requests.back());
      noteError(result);
    }
}

void Reflection::noteError(int result) {
  int kind = MPI_SUCCESS;
  if (result != MPI_SUCCESS && PMPI_Error_class(result, &kind) == MPI_SUCCESS &&
      kind == MPI_ERR_TRUNCATE)
    truncated = true;
  else if (error == MPI_SUCCESS)
    error = result;
}

/// Calls copy(address, bytes) for every row of a box: what is contiguous in the last dimension.
template <typename Copy>
void Reflection::forEachRow(const HaloBox &box, bool sending, Copy copy) const {
  const std::size_t dimensions = box.intervals.size();
  std::vector<std::int64_t> index(dimensions);
  const auto begin = [&](std::size_t at) {
    const HaloInterval &interval = box.intervals[at];
    return memory.global
               ? interval.global
               : memory.shape[at].before + (sending ? interval.sender : interval.receiver);
  };
  const std::uint64_t bytes = static_cast<std::uint64_t>(box.intervals.back().length) * elementSize;
  while (true) {
    std::int64_t element = 0;
    for (std::size_t at = 0; at < dimensions; ++at)
      element = element * memory.shape[at].indices + begin(at) + index[at];
    copy(memory.first + static_cast<std::uint64_t>(element) * elementSize, bytes);
    std::size_t at = dimensions - 1;
    while (at > 0 && ++index[at - 1] == box.intervals[at - 1].length)
      index[--at] = 0;
    if (at == 0)
      return;
  }
}

void Reflection::pack(const HaloBox &box, char *&at) const {
  forEachRow(box, true, [&](const char *row, std::uint64_t bytes) {
    std::memcpy(at, row, bytes);
    at += bytes;
  });
}

void Reflection::unpack(const HaloBox &box, const char *&at) const {
  forEachRow(box, false, [&](char *row, std::uint64_t bytes) {
    std::memcpy(row, at, bytes);
    at += bytes;
  });
}

void Reflection::wait(const sendwright_site *site) {
  const auto awaited = [site] {
    return "in reflect at " + std::string(site && site->file ? site->file : "?") + ":" +
           std::to_string(site ? site->line : 0) + " for halo cells from or to other ranks";
  };
  for (MPI_Request &request : requests) {
    const int result = isSimulated || sendwright_interception
                           ? MPI_Wait(&request, MPI_STATUS_IGNORE)
                           : serveUntilComplete(&request, MPI_STATUS_IGNORE, awaited);
    noteError(result);
  }
  requests.clear();
}

/// Compares the digests. Of a message that was too long, or too short, there is none.
void Reflection::findOther() {
  for (const Peer &peer : receives)
    if (!other && std::memcmp(peer.bytes.data() + peer.bytes.size() - sizeof digest, &digest,
                              sizeof digest) != 0)
      other = peer.rank;
  if (truncated && !other) // of which rank, MPI does not say here
    other = receives.front().rank;
}

Reflection::~Reflection() {
  int finalized = 0;
  PMPI_Finalized(&finalized);
  if (!finalized)
    wait(nullptr);
}

int Reflection::finish(const sendwright_site *site) {
  wait(site);
  if (error == MPI_SUCCESS)
    findOther();
  if (other)
    return error;
  for (const Peer &peer : receives) {
    const char *at = peer.bytes.data();
    for (const HaloBox &box : peer.boxes)
      unpack(box, at);
  }
  return error;
}

} // namespace sendwright::redistribution
