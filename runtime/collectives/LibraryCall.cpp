// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations carried out by MPI's own function. It needs blocks of one size at all ranks, which the
// loop does not have: so a block travels in a frame, behind a head that tells its size, and frames
// are as large as the plan's blocks. What does not fit into a frame follows from rank to rank.

#include "runtime/base/MpiDifferences.h"
#include "runtime/collectives/Operation.h"
#include "runtime/sharing/planned/Exchange.h"
#include "runtime/sharing/planned/MessageSharing.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace sendwright::collectives {

namespace {

/// The position among the members of the k-th of all others.
std::size_t otherMember(std::size_t number, std::uint32_t self) {
  return number < self ? number : number + 1;
}

} // namespace

void Operation::callLibrary() {
  if (exchange::on())
    exchange::meet(planned.library); // from here on no rank waits for what this rank passes on
  const Collective operation = planned.collective->operation;
  if (operation == Collective::Reduce)
    return reduceByLibrary();
  const std::vector<LocalStep> &steps = planned.schedule.steps;
  const std::uint64_t room = planned.collective->bytes;
  const std::uint64_t frame = sizeof(MessageHead) + room;
  const std::size_t members = planned.collective->communicator.members.size();
  const bool differ = operation == Collective::Scatter || operation == Collective::AllToAll;
  const bool many = operation != Collective::Broadcast && operation != Collective::Scatter;
  std::byte *const out = scratch.allocate(frame * (differ ? members : 1));
  std::byte *const in = scratch.allocate(frame * (many ? members : 1));
  std::fill_n(out, frame * (differ ? members : 1), std::byte{});
  std::size_t sent = 0, received = 0;
  for (std::uint32_t step = 0; step < steps.size(); ++step) {
    if (!steps[step].isSend)
      continue;
    const std::size_t place = differ ? otherMember(sent, planned.rank) : 0;
    if (differ || sent == 0)
      fillFrame(step, out + place * frame, room);
    ++sent;
  }
  note(pass(out, in, static_cast<int>(frame)));
  for (std::uint32_t step = 0; step < steps.size(); ++step) {
    std::uint64_t total = 0;
    if (!steps[step].isSend) {
      const std::size_t place = many ? otherMember(received++, planned.rank) : 0;
      takeFrame(step, (operation == Collective::Broadcast ? out : in) + place * frame, room);
    } else if (headOf(steps[step], total); total > room) {
      std::byte *const data = contiguous(steps[step], total);
      exchange::inParts(room, total, [&](std::size_t offset, int count) {
        sendInPlace(step, data + offset, count, MessagePart::Rest);
      });
    }
  }
}

/// Passes the frames to MPI.
int Operation::pass(std::byte *out, std::byte *in, int bytes) {
  const auto root = static_cast<int>(planned.collective->root);
  const MPI_Comm communicator = planned.library;
  switch (planned.collective->operation) {
  case Collective::Broadcast:
    return PMPI_Bcast(out, bytes, MPI_BYTE, root, communicator);
  case Collective::Scatter:
    return PMPI_Scatter(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, root, communicator);
  case Collective::Gather:
    return PMPI_Gather(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, root, communicator);
  case Collective::Allgather:
    return PMPI_Allgather(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, communicator);
  default:
    return PMPI_Alltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, communicator);
  }
}

void Operation::fillFrame(std::uint32_t step, std::byte *frame, std::uint64_t room) {
  std::uint64_t total = 0;
  const LocalStep &sent = planned.schedule.steps[step];
  const MessageHead head = headOf(sent, total);
  std::memcpy(frame, &head, sizeof head);
  const std::span<std::byte> bytes = contents->slot(sent.slots.front());
  if (const std::size_t fitting = std::min<std::size_t>(bytes.size(), room); fitting > 0)
    std::memcpy(frame + sizeof head, bytes.data(), fitting);
}

void Operation::takeFrame(std::uint32_t step, std::byte *frame, std::uint64_t room) {
  const LocalStep &received = planned.schedule.steps[step];
  MessageHead head;
  std::memcpy(&head, frame, sizeof head);
  checkHead(received, head);
  sizes.clear();
  contents->sizesOf(received, head.bytes, sizes);
  if (sizes.empty())
    sizes.push_back(head.bytes);
  std::byte *data = frame + sizeof head;
  if (sizes.front() > room) {
    std::byte *const whole = scratch.allocate(sizes.front());
    std::memcpy(whole, data, room);
    receivePart(received, whole + room, sizes.front() - room);
    data = whole;
  }
  contents->arrived(received, sizes, data);
}

/// Reduces as many elements as the plan has, on all ranks. If a rank contributes another number, it
/// uses a copy. The root combines further elements rank by rank.
void Operation::reduceByLibrary() {
  const sendwright_blocks &blocks = call.send.type ? call.send : call.receive;
  const MPI_Datatype datatype = *static_cast<const MPI_Datatype *>(blocks.type);
  int size = 1;
  PMPI_Type_size(datatype, &size);
  const auto element = static_cast<std::uint64_t>(size);
  const std::uint64_t room = planned.collective->bytes / element * element;
  const bool isRoot = planned.rank == planned.collective->root;
  const std::span<std::byte> own = contents->slot(0);
  std::byte *data = own.data();
  if (own.size() < room) {
    data = scratch.allocate(room);
    std::fill_n(data, room, std::byte{});
    std::copy(own.begin(), own.end(), data);
  }
  const void *given = data;
  if (isRoot && reducesInPlace) {
    given = MPI_IN_PLACE;
  } else if (isRoot) {
    std::byte *const copy = scratch.allocate(room);
    std::copy_n(data, room, copy);
    given = copy;
  }
  const MPI_Op operation = reductionOf(call);
  note(PMPI_Reduce(given, isRoot ? data : nullptr, static_cast<int>(room / element), datatype,
                   operation, static_cast<int>(planned.collective->root), planned.library));
  if (isRoot && data != own.data())
    std::copy_n(data, own.size(), own.data());
  if (own.size() <= room)
    return;
  std::byte *const came = isRoot ? scratch.allocate(own.size() - room) : nullptr;
  for (std::uint32_t step = 0; step < planned.schedule.steps.size(); ++step) {
    if (!isRoot) {
      exchange::inParts(room, own.size(), [&](std::size_t offset, int count) {
        sendInPlace(step, own.data() + offset, count, MessagePart::Rest);
      });
      continue;
    }
    receivePart(planned.schedule.steps[step], came, own.size() - room);
    note(PMPI_Reduce_local(came, own.data() + room, static_cast<int>((own.size() - room) / element),
                           datatype, operation));
  }
}

} // namespace sendwright::collectives
