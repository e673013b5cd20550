// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/sharing/planned/ReceiptNotices.h"

#include "runtime/sharing/planned/ProgramRequests.h"

#include <algorithm>
#include <cstring>

namespace sendwright::exchange {

void ReceiptNotices::begin(Link &ofRuntime, int tagOfNotices, MPI_Comm ofThisProcess,
                           ProgramRequests &ofProgram) {
  link = &ofRuntime;
  tag = tagOfNotices;
  self = ofThisProcess;
  requests = &ofProgram;
}

int ReceiptNotices::await(int destination, std::uint32_t communicator, const Record &record,
                          MPI_Request *request) {
  Pending pending{destination, communicator, record, requests->nextTrigger(), MPI_REQUEST_NULL};
  const int error = PMPI_Irecv(nullptr, 0, MPI_BYTE, 0, pending.trigger, self, &pending.request);
  if (error != MPI_SUCCESS)
    return error;
  *request = pending.request;
  if (isSure(pending))
    complete(pending);
  else
    waiting.push_back(pending);
  return MPI_SUCCESS;
}

bool ReceiptNotices::owns(MPI_Request request) const {
  return request != MPI_REQUEST_NULL && std::ranges::any_of(waiting, [&](const Pending &pending) {
           return pending.request == request;
         });
}

/// Its handle may soon be that of another request.
void ReceiptNotices::forget(MPI_Request request) {
  for (Pending &pending : waiting)
    if (pending.request == request)
      pending.request = MPI_REQUEST_NULL;
}

void ReceiptNotices::tell(int destination, const Head &head,
                          std::span<const PostedReceives::OfTag> tags) {
  Record record;
  record.place = notice;
  record.bytes = sizeof head + tags.size_bytes();
  std::vector<std::byte> message = link->buffer();
  std::byte *room = append(message, record);
  std::memcpy(room, &head, sizeof head);
  if (!tags.empty())
    std::memcpy(room + sizeof head, tags.data(), tags.size_bytes());
  link->send(destination, tag, 0, std::move(message));
}

void ReceiptNotices::tellMet(int source, std::uint32_t communicator, const Record &record) {
  tell(source, {communicator, 0, record.pairNumber, record.place & announced ? 1u : 0u}, {});
}

void ReceiptNotices::tellPosted(int source, std::uint32_t communicator,
                                const PostedReceives &posted) {
  tell(source, {communicator, 1, posted.first, posted.ofAnyTag}, posted.ofTags);
}

bool ReceiptNotices::isSure(const Pending &pending) const {
  const auto posted = lastPosted.find({pending.destination, pending.communicator});
  const Record &record = pending.record;
  return posted != lastPosted.end() &&
         posted->second.areSureToReceive(record.tag, record.pairNumber, record.tagNumber);
}

void ReceiptNotices::complete(const Pending &pending) const {
  PMPI_Send(nullptr, 0, MPI_BYTE, 0, pending.trigger, self);
}

/// The latest notice counts: what an earlier one promised has been received, or is in this one.
void ReceiptNotices::takePosted(int source, const Head &head, std::span<const std::byte> tags) {
  PostedReceives posted{head.number, head.rest, {}};
  posted.ofTags.resize(tags.size() / sizeof(PostedReceives::OfTag));
  if (!tags.empty())
    std::memcpy(posted.ofTags.data(), tags.data(), tags.size());
  lastPosted.insert_or_assign({source, head.communicator}, std::move(posted));
}

void ReceiptNotices::arrived(int source, std::span<const std::byte> bytes) {
  Head head;
  std::memcpy(&head, bytes.data(), sizeof head);
  if (head.isPosted)
    takePosted(source, head, bytes.subspan(sizeof head));
  else if (head.rest)
    --announcedMessages;
  std::erase_if(waiting, [&](const Pending &pending) {
    const bool isOther = pending.destination != source || pending.communicator != head.communicator;
    if (isOther || !(head.isPosted ? isSure(pending) : pending.record.pairNumber == head.number))
      return false;
    complete(pending);
    return true;
  });
}

} // namespace sendwright::exchange
