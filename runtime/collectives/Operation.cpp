// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/collectives/Operation.h"

#include "runtime/sharing/planned/WaitingWhileSharing.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <numeric>
#include <string>

namespace sendwright::collectives {

namespace {

/// The most receives posted before it is their turn, by number and by bytes.
constexpr std::size_t mostPosted = 32;
constexpr std::uint64_t mostPostedBytes = 4 << 20;

std::unique_ptr<Contents> contentsOf(const OperationFacts &facts) {
  switch (facts.collective.operation) {
  case Collective::Broadcast:
    return broadcastContents(facts);
  case Collective::Reduce:
    return reductionContents(facts);
  default:
    return blockContents(facts);
  }
}

std::uint64_t sum(std::span<const std::uint64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
}

/// The part of a large message that travels as its data; the rest travels as its rest.
std::uint64_t dataPart(const LocalStep &step, std::uint64_t total) {
  return isSmall(step) ? 0 : std::min({total, step.bytes, std::uint64_t{exchange::mostOfPart}});
}

} // namespace

Operation::Operation(PlannedOperations &operations, PlannedOperation &planned,
                     const CollectiveCall &call)
    : operations(operations), planned(planned), call(call), instance(planned.instances++),
      contents(contentsOf(
          {*planned.collective, planned.schedule, call, planned.rank, operations.self, scratch})),
      refused(contents->refuses()) {}

exchange::PostedReceive Operation::run() {
  if (callsLibrary(*planned.collective))
    callLibrary();
  else
    followSchedule();
  for (InPlace &sent : sends)
    wait(sent.request, sent.peer);
  exchange::PostedReceive result = contents->finish();
  note(contents->error);
  result.error = error;
  return result;
}

void Operation::followSchedule() {
  const std::vector<LocalStep> &steps = planned.schedule.steps;
  for (std::uint32_t step = 0; step < steps.size(); ++step) {
    postAhead();
    if (steps[step].isSend)
      send(step);
    else
      receive();
  }
}

void Operation::note(int mpiError) {
  if (error == MPI_SUCCESS)
    error = mpiError;
}

void Operation::wait(MPI_Request &request, int peer) {
  if (request == MPI_REQUEST_NULL)
    return;
  note(exchange::waitForRequest(&request, MPI_STATUS_IGNORE, [&] {
    return "in " + place() + " for rank " + std::to_string(peer);
  }));
}

std::string Operation::place() const {
  return "the " + std::string(nameOf(planned.collective->operation)) + " at " +
         planned.site->display();
}

/// Posts receives before it is their turn, so that no sender waits for them.
void Operation::postAhead() {
  const LocalSchedule &schedule = planned.schedule;
  while (nextToPost < schedule.receives.size()) {
    const LocalStep &step = schedule.steps[schedule.receives[nextToPost]];
    if (posted.size() == mostPosted ||
        (!posted.empty() && postedBytes + step.bytes > mostPostedBytes))
      break;
    ++nextToPost;
    postedBytes += step.bytes;
    Posted &post = posted.emplace_back();
    post.step = &step;
    const std::uint64_t room = sizeof(MessageHead) + (isSmall(step) ? smallData : 0);
    post.head = scratch.allocate(room);
    note(PMPI_Irecv(post.head, static_cast<int>(room), MPI_BYTE, step.peer,
                    operations.tagOf(planned.part->collective, firstPart(step)), operations.world,
                    &post.headRequest));
  }
  for (Posted &post : posted) {
    if (isSmall(*post.step) || post.data.data())
      continue;
    const std::uint64_t room = dataPart(*post.step, post.step->bytes);
    if (room > std::max(mostPostedBytes, contents->expected(*post.step)))
      break; // the plan has far more than the program: memory is allocated when messages arrive
    post.data = contents->early(*post.step, room);
    if (!post.data.data())
      break; // nor later receives, whose data would be mistaken for this one's
    note(PMPI_Irecv(post.data.data(), static_cast<int>(post.data.size()), MPI_BYTE, post.step->peer,
                    operations.tagOf(planned.part->collective, MessagePart::Data), operations.world,
                    &post.dataRequest));
  }
}

MessageHead Operation::headOf(const LocalStep &step, std::uint64_t &total) {
  sizes.clear();
  for (const std::uint32_t slot : step.slots)
    sizes.push_back(contents->slot(slot).size());
  total = sum(sizes);
  MessageHead head{planned.part->collective, 0, refused, instance, contents->whole()};
  if (planned.collective->operation == Collective::Broadcast ||
      planned.collective->operation == Collective::Reduce)
    return head;
  head.sizesFollow =
      std::adjacent_find(sizes.begin(), sizes.end(), std::not_equal_to<>()) != sizes.end();
  head.bytes = head.sizesFollow ? total : sizes.front();
  return head;
}

void Operation::send(std::uint32_t index) {
  const LocalStep &step = planned.schedule.steps[index];
  std::uint64_t total = 0;
  const MessageHead head = headOf(step, total);
  const std::uint64_t behindHead =
      total + (head.sizesFollow ? sizes.size() * sizeof(std::uint64_t) : 0);
  if (isSmall(step) && behindHead <= smallData)
    sendSmall(step, head, total);
  else
    sendLarge(index, head, total);
}

namespace {

void appendTo(std::vector<std::byte> &message, const void *data, std::size_t bytes) {
  const auto *const from = static_cast<const std::byte *>(data);
  message.insert(message.end(), from, from + bytes);
}

} // namespace

void Operation::sendSmall(const LocalStep &step, const MessageHead &head, std::uint64_t total) {
  const std::uint64_t sizesBytes = head.sizesFollow ? sizes.size() * sizeof(std::uint64_t) : 0;
  std::vector<std::byte> message = operations.copied.buffer();
  message.reserve(sizeof head + sizesBytes + total);
  appendTo(message, &head, sizeof head);
  appendTo(message, sizes.data(), sizesBytes);
  for (const std::uint32_t slot : step.slots) {
    const std::span<std::byte> bytes = contents->slot(slot);
    appendTo(message, bytes.data(), bytes.size());
  }
  note(operations.copied.send(std::move(message), step.peer,
                              operations.tagOf(planned.part->collective, firstPart(step)),
                              operations.world));
}

void Operation::sendInPlace(std::uint32_t index, std::byte *data, int count, MessagePart part) {
  const LocalStep &step = planned.schedule.steps[index];
  InPlace &sent = sends.emplace_back();
  sent.peer = step.peer;
  sent.step = index;
  note(PMPI_Isend(data, count, MPI_BYTE, step.peer,
                  operations.tagOf(planned.part->collective, part), operations.world,
                  &sent.request));
}

/// The slots contiguously: in place, or copied.
std::byte *Operation::contiguous(const LocalStep &step, std::uint64_t total) {
  std::byte *first = nullptr, *next = nullptr;
  bool inOrder = true;
  for (const std::uint32_t slot : step.slots) {
    const std::span<std::byte> bytes = contents->slot(slot);
    if (bytes.empty())
      continue; // wherever it is
    if (!first)
      first = next = bytes.data();
    inOrder &= bytes.data() == next;
    next = bytes.data() + bytes.size();
  }
  if (inOrder)
    return first;
  std::byte *const copy = scratch.allocate(total);
  std::byte *to = copy;
  for (const std::uint32_t slot : step.slots) {
    const std::span<std::byte> bytes = contents->slot(slot);
    to = std::copy(bytes.begin(), bytes.end(), to);
  }
  return copy;
}

void Operation::sendLarge(std::uint32_t index, const MessageHead &head, std::uint64_t total) {
  const LocalStep &step = planned.schedule.steps[index];
  std::vector<std::byte> message = operations.copied.buffer();
  appendTo(message, &head, sizeof head);
  note(operations.copied.send(std::move(message), step.peer,
                              operations.tagOf(planned.part->collective, firstPart(step)),
                              operations.world));
  std::byte *const data = contiguous(step, total);
  const std::uint64_t first = dataPart(step, total);
  if (!isSmall(step))
    sendInPlace(index, data, static_cast<int>(first), MessagePart::Data);
  if (head.sizesFollow) {
    message = operations.copied.buffer();
    appendTo(message, sizes.data(), sizes.size() * sizeof(std::uint64_t));
    note(operations.copied.send(std::move(message), step.peer,
                                operations.tagOf(planned.part->collective, MessagePart::Rest),
                                operations.world));
  }
  exchange::inParts(first, total, [&](std::size_t offset, int count) {
    sendInPlace(index, data + offset, count, MessagePart::Rest);
  });
}

/// Ranks that disagree on the operation would mistake each other's messages.
void Operation::checkHead(const LocalStep &step, const MessageHead &head) {
  refused |= head.refused;
  if (head.collective == planned.part->collective && head.instance == instance)
    return;
  std::fprintf(stderr, "sendwright: %s: rank %d is in instance %llu, this rank in instance %llu\n",
               place().c_str(), step.peer, static_cast<unsigned long long>(head.instance),
               static_cast<unsigned long long>(instance));
  note(MPI_ERR_OTHER);
}

void Operation::receivePart(const LocalStep &step, std::byte *to, std::uint64_t bytes) {
  exchange::inParts(0, bytes, [&](std::size_t offset, int count) {
    MPI_Request request = MPI_REQUEST_NULL;
    note(PMPI_Irecv(to + offset, count, MPI_BYTE, step.peer,
                    operations.tagOf(planned.part->collective, MessagePart::Rest), operations.world,
                    &request));
    wait(request, step.peer);
  });
}

/// Receives what does not come with the head: the sizes of the slots, if missing, and the data.
/// Returns where the data are.
std::byte *Operation::receiveApart(Posted &post, const MessageHead &head) {
  const LocalStep &step = *post.step;
  if (head.sizesFollow) {
    sizes.resize(step.slots.size());
    receivePart(step, reinterpret_cast<std::byte *>(sizes.data()),
                sizes.size() * sizeof(std::uint64_t));
  }
  const std::uint64_t total = sum(sizes), first = dataPart(step, total);
  std::byte *data = post.data.data();
  if (!data || first < total) { // a posted receive may have no room for the rest
    data = contents->place(step, sizes);
    if (!data)
      data = scratch.allocate(total);
  }
  if (!isSmall(step)) {
    if (!post.data.data()) {
      post.data = {data, static_cast<std::size_t>(first)};
      note(PMPI_Irecv(data, static_cast<int>(first), MPI_BYTE, step.peer,
                      operations.tagOf(planned.part->collective, MessagePart::Data),
                      operations.world, &post.dataRequest));
    }
    wait(post.dataRequest, step.peer);
    if (data != post.data.data())
      std::memcpy(data, post.data.data(), first);
  }
  receivePart(step, data + first, total - first);
  return data;
}

/// Waits for sends from memory that the step changes.
void Operation::beforeChange(const LocalStep &step) {
  if (planned.collective->operation != Collective::Reduce)
    return; // nothing is written twice
  for (InPlace &sent : sends) {
    const std::vector<std::uint32_t> &slots = planned.schedule.steps[sent.step].slots;
    if (std::find_first_of(slots.begin(), slots.end(), step.slots.begin(), step.slots.end()) !=
        slots.end())
      wait(sent.request, sent.peer);
  }
}

void Operation::receive() {
  Posted post = posted.front();
  const LocalStep &step = *post.step;
  wait(post.headRequest, step.peer);
  MessageHead head;
  std::memcpy(&head, post.head, sizeof head);
  checkHead(step, head);
  std::byte *data = post.head + sizeof head;
  sizes.clear();
  contents->sizesOf(step, head.bytes, sizes);
  if (sizes.empty() && !head.sizesFollow)
    sizes.assign(step.slots.size(), head.bytes);
  const std::uint64_t sizesBytes = head.sizesFollow ? step.slots.size() * sizeof(std::uint64_t) : 0;
  const std::uint64_t total = head.sizesFollow ? head.bytes : sum(sizes);
  if (!isSmall(step) || sizesBytes + total > smallData) {
    data = receiveApart(post, head);
  } else if (head.sizesFollow) {
    sizes.resize(step.slots.size());
    std::memcpy(sizes.data(), data, sizesBytes);
    data += sizesBytes;
  }
  beforeChange(step);
  contents->arrived(step, sizes, data);
  postedBytes -= step.bytes;
  posted.pop_front();
}

} // namespace sendwright::collectives
