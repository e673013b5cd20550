// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/strict/Sends.h"

#include "runtime/base/MpiDifferences.h"
#include "runtime/strict/StrictRank.h"

#include <algorithm>
#include <limits>

namespace sendwright::strict {

namespace {

/// How many messages a nonblocking call tests.
constexpr std::size_t testedAtOnce = 32;

struct Copied {
  std::unique_ptr<std::byte[]> bytes;
  int size = 0;
  int error = MPI_SUCCESS;
};

/// A copy of a message's data as MPI_PACKED; without bytes if there are more than MPI can pack.
Copied copyData(const SendArguments &a) {
  Copied copied;
  MPI_Count size = 0;
  PMPI_Type_size_x(a.datatype, &size);
  if (a.count == 0 || size <= 0) {
    copied.bytes = std::make_unique<std::byte[]>(1);
    return copied;
  }
  if (size > std::numeric_limits<int>::max() / a.count)
    return copied;
  int room = 0, position = 0;
  copied.error = PMPI_Pack_size(a.count, a.datatype, a.communicator, &room);
  if (copied.error != MPI_SUCCESS)
    return copied;
  copied.bytes = std::make_unique<std::byte[]>(room + 1);
  if (a.buffer) {
    copied.error = PMPI_Pack(a.buffer, a.count, a.datatype, copied.bytes.get(), room, &position,
                             a.communicator);
    copied.size = position;
    return copied;
  }
  // A datatype with absolute addresses, which not every MPI_Pack accepts.
  MPI_Status status;
  copied.error = PMPI_Sendrecv(a.buffer, a.count, a.datatype, 0, 0, copied.bytes.get(), room,
                               MPI_PACKED, 0, 0, strictRank()->self, &status);
  PMPI_Get_count(&status, MPI_PACKED, &copied.size);
  return copied;
}

/// An uncommitted datatype is an error at the call; packing may not notice it.
int checkDatatype(const SendArguments &a) {
  int integers = 0, addresses = 0, datatypes = 0, combiner = MPI_COMBINER_NAMED;
  PMPI_Type_get_envelope(a.datatype, &integers, &addresses, &datatypes, &combiner);
  if (combiner == MPI_COMBINER_NAMED)
    return MPI_SUCCESS;
  MPI_Request request = MPI_REQUEST_NULL;
  const int error = PMPI_Ssend_init(a.buffer, a.count, a.datatype, a.destination, a.tag,
                                    a.communicator, &request);
  if (error == MPI_SUCCESS)
    PMPI_Request_free(&request);
  return error;
}

} // namespace

int Sends::start(Send &send, const SendArguments &a, MPI_Request *request) {
  if (send.buffering == Buffering::None)
    return PMPI_Issend(a.buffer, a.count, a.datatype, a.destination, a.tag, a.communicator,
                       request);
  if (const int error = checkDatatype(a); error != MPI_SUCCESS)
    return error;
  Copied copied = copyData(a);
  if (copied.error != MPI_SUCCESS)
    return copied.error;
  if (!copied.bytes) { // sent from the program's memory, so complete only when the receiver has it
    send.buffering = Buffering::None;
    return PMPI_Issend(a.buffer, a.count, a.datatype, a.destination, a.tag, a.communicator,
                       request);
  }
  if (send.buffering == Buffering::Attached) {
    send.attachedBytes = std::size_t(copied.size) + MPI_BSEND_OVERHEAD;
    testMatched(true);
    if (attachedUsed + send.attachedBytes > attachedSize) {
      PMPI_Comm_call_errhandler(a.communicator, MPI_ERR_BUFFER);
      return MPI_ERR_BUFFER;
    }
    attachedUsed += send.attachedBytes;
  }
  send.copy = std::move(copied.bytes);
  return PMPI_Issend(send.copy.get(), copied.size, MPI_PACKED, a.destination, a.tag, a.communicator,
                     request);
}

int Sends::issue(const SendArguments &arguments, Buffering buffering, MPI_Request request,
                 int signalTag, std::int64_t &number) {
  auto send = std::make_unique<Send>();
  send->number = number = ++last;
  send->communicator = strictRank()->communicators.of(arguments.communicator);
  send->destination = send->communicator->worldRank(arguments.destination);
  send->tag = arguments.tag;
  send->buffering = buffering;
  send->origin = strictRank()->caller;
  send->request = request;
  send->signalTag = signalTag;
  MPI_Request started = MPI_REQUEST_NULL;
  const int error = start(*send, arguments, &started);
  if (error == MPI_SUCCESS)
    enroll(std::move(send), started);
  return error;
}

int Sends::issuePersistent(MPI_Request &original, const SendArguments &arguments,
                           const CommunicatorRecords::Record &communicator, MPI_Request request,
                           int signalTag, std::int64_t &number) {
  auto send = std::make_unique<Send>();
  send->number = number = ++last;
  send->communicator = communicator;
  send->destination = communicator->worldRank(arguments.destination);
  send->tag = arguments.tag;
  send->buffering = Buffering::None;
  send->origin = strictRank()->caller;
  send->request = request;
  send->signalTag = signalTag;
  const int error = PMPI_Start(&original);
  if (error == MPI_SUCCESS)
    enroll(std::move(send), original);
  return error;
}

void Sends::enroll(std::unique_ptr<Send> owned, MPI_Request request) {
  Send &send = *owned;
  sends.emplace(send.number, std::move(owned));
  if (send.complete())
    signal(send);
  int done = 0;
  MPI_Status status;
  if (PMPI_Test(&request, &done, &status) == MPI_SUCCESS && done) { // its receive was posted
    finish(send, status);
    return;
  }
  started.push_back(request);
  ofStarted.push_back(&send);
  if (send.buffering == Buffering::Limited)
    wantBuffer(send);
}

void Sends::wantBuffer(Send &send) {
  send.wanted = true;
  strictRank()->tell(send.destination, {Token::Want, send.number});
}

void Sends::signal(Send &send, bool cancelled) {
  if (send.signalTag < 0)
    return;
  strictRank()->requests.sendCompleted(send.request);
  if (cancelled)
    PMPI_Cancel(&send.request);
  else
    Requests::complete(send.signalTag);
  send.signalTag = -1;
  if (send.owner == Send::Programs)
    return;
  PMPI_Wait(&send.request, MPI_STATUS_IGNORE);
  if (send.owner == Send::OursPersistent)
    PMPI_Request_free(&send.request);
}

bool Sends::complete(std::int64_t number) const {
  const auto found = sends.find(number);
  return found == sends.end() || found->second->complete();
}

void Sends::grant(std::int64_t number) {
  const auto found = sends.find(number);
  if (found == sends.end())
    return; // it was matched meanwhile, and Done is under way
  found->second->granted = true;
  signal(*found->second);
}

void Sends::finish(Send &send, const MPI_Status &status) {
  int cancelled = 0;
  PMPI_Test_cancelled(&status, &cancelled);
  if (!cancelled)
    ++matched[send.destination];
  attachedUsed -= send.attachedBytes;
  if (send.wanted)
    strictRank()->tell(send.destination, {Token::Done, send.number});
  signal(send, cancelled != 0);
  sends.erase(send.number);
}

void Sends::testMatched(bool all) {
  if (started.empty())
    return;
  if (nextTested >= started.size())
    nextTested = 0;
  const std::size_t first = all ? 0 : nextTested;
  const std::size_t most = all ? started.size() : std::min(testedAtOnce, started.size() - first);
  nextTested = first + most;
  indices.resize(most);
  statuses.resize(most);
  int count = 0;
  PMPI_Testsome(static_cast<int>(most), &started[first], &count, indices.data(), statuses.data());
  if (count == MPI_UNDEFINED || count == 0)
    return;
  std::vector<std::pair<Send *, MPI_Status>> done;
  for (int which = 0; which < count; ++which) {
    Send *&send = ofStarted[first + indices[which]];
    done.emplace_back(send, statuses[which]);
    send = nullptr;
  }
  compact();
  for (const auto &[send, status] : done)
    finish(*send, status);
}

void Sends::compact() {
  std::size_t kept = 0;
  for (std::size_t index = 0; index < started.size(); ++index)
    if (ofStarted[index]) {
      started[kept] = started[index];
      ofStarted[kept++] = ofStarted[index];
    }
  started.resize(kept);
  ofStarted.resize(kept);
}

void Sends::cancel(std::int64_t number) {
  for (std::size_t index = 0; index < started.size(); ++index)
    if (ofStarted[index]->number == number && !ofStarted[index]->complete())
      PMPI_Cancel(&started[index]);
}

bool Sends::adoptRequest(std::int64_t number, bool persistent) {
  const auto found = sends.find(number);
  if (found == sends.end() || found->second->complete())
    return false;
  found->second->owner = persistent ? Send::OursPersistent : Send::Ours;
  return true;
}

void Sends::abandonAll() {
  for (auto &[number, send] : sends)
    signal(*send);
  for (MPI_Request &request : started) {
    if (!finalizesWithSends)
      PMPI_Cancel(&request);
    PMPI_Request_free(&request);
  }
  for (auto &[number, send] : sends)
    static_cast<void>(send->copy.release()); // MPI may still read it
  sends.clear();
  started.clear();
  ofStarted.clear();
}

} // namespace sendwright::strict
