// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Issues what is held: in the plan's order, through the window, in the mode of the original, and
// waits for the sends that the program believes to be complete.
//
// All sends leave nonblocking before any is waited for, so the waits of the original order
// disappear and no wait is added: a program that ended before still ends.

#include "runtime/base/Interception.h"
#include "runtime/base/Waiting.h"
#include "runtime/batch/Batch.h"
#include "runtime/batch/Flush.h"
#include "runtime/interception/Wrappers.h"
#include "runtime/strict/StrictBuffers.h"

#include <new>

namespace sendwright {

namespace {

/// A little faster than the loop has ever been: the network may not have been busy all the time.
constexpr double paceToBest = 0.95;

/// Counts the calls of flush() on the stack, even when an error handler throws.
class Entered {
public:
  explicit Entered(int &depth) : depth(depth) { ++depth; }
  ~Entered() { --depth; }
  Entered(const Entered &) = delete;
  Entered &operator=(const Entered &) = delete;

private:
  int &depth;
};

} // namespace

void flushBatches() {
  Batch *batch = currentBatch();
  if (!batch)
    return;
  batch->endTime();
  batch->flush();
  batch->endAbandoned(__builtin_frame_address(0));
}

void Batch::flush() {
  forgetFacts(); // the next call may free or change what they describe
  closeShared();
  if (held.empty())
    return;
  PlannedSite &site = *scopes.back().plan;
  {
    Entered entered(issuers);
    if (issuers > 1) {
      std::vector<MPI_Request> none;
      WindowHistory unused;
      Window unlimited(0, none, unused);
      issueRest(unlimited);
      return;
    }
    if (issued == 0) { // else an error handler threw out of an earlier flush, continued by this one
      selectOrder(site);
      beginTime(site.window);
    }
    Window window(order.window, blocking, site.window);
    if (window.limited() && site.window.trial.way() == WayOfIssue::Paced)
      window.pace(paceToBest * site.window.trial.leastSecondsPerByte());
    issueRest(window);
    waitForBlocking();
    noteWait();
  }
  clearHeld();
}

/// What an exchange has captured leaves now, if there is anything; later sends go directly.
void Batch::closeShared() {
  if (MessageTaker *taking = taker(); taking && taking->holdsAny())
    taking->close();
}

void Batch::selectOrder(PlannedSite &site) {
  order = {};
  if (held.size() == 1 || site.orders.empty())
    return;
  try {
    order = site.orders.select(destinations);
  } catch (const std::bad_alloc &) {
    order = {}; // in the order of capture, then
  }
}

void Batch::issueRest(Window &window) {
  while (issued < held.size()) {
    if (window.limited())
      window.makeRoom();
    if (issued == held.size())
      return; // an error handler called MPI from within makeRoom()
    const std::size_t next = order.indices ? (*order.indices)[issued] : issued;
    ++issued;
    issue(held[next], window);
  }
}

void Batch::issue(const HeldSend &send, Window &window) {
  const SendArguments &a = send.arguments;
  const bool nonblocking = send.request != MPI_REQUEST_NULL;
  const strict::CallFrom from(nonblocking ? "batched MPI_Isend" : "batched MPI_Send",
                              scopes.back().plan->name.c_str());
  double bytes = 0;
  if (window.limited())
    bytes = bytesOf(a);
  if (nonblocking) {
    startCaptured(send.request, a.communicator, send.mode,
                  communicator(a.communicator).defaultErrorHandler);
    window.addCaptured(send.request, bytes);
    return;
  }
  if (send.mode == SendMode::Buffered) { // local: MPI copies into the attached buffer
    sendwright_next_MPI_Bsend(a.buffer, a.count, a.datatype, a.destination, a.tag, a.communicator);
    return;
  }
  auto *start =
      send.mode == SendMode::Ready ? sendwright_next_MPI_Irsend : sendwright_next_MPI_Isend;
  const std::size_t index = blocking.size();
  blocking.push_back(MPI_REQUEST_NULL);
  blockingSends.push_back(static_cast<std::uint32_t>(&send - held.data()));
  const auto startIt = [&](const SendArguments &sent) {
    return start(sent.buffer, sent.count, sent.datatype, sent.destination, sent.tag,
                 sent.communicator, &blocking[index]);
  };
  if (LeadingPart *part =
          window.limited() && send.mode == SendMode::Standard ? addPart(a) : nullptr)
    part->pass(startIt);
  else
    startIt(a);
  window.addOwn(index, bytes);
}

double Batch::bytesHeld() {
  double bytes = 0;
  for (const HeldSend &send : held)
    bytes += bytesOf(send.arguments);
  return bytes;
}

double Batch::bytesOf(const SendArguments &send) {
  return static_cast<double>(datatype(send.datatype).size) * send.count;
}

/// Null if the send leaves as it is.
LeadingPart *Batch::addPart(const SendArguments &send) {
  try {
    std::unique_ptr<LeadingPart> part = leadingPartOf(send);
    if (!part)
      return nullptr;
    parts.push_back(std::move(part));
    return parts.back().get();
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}

bool Batch::blockingDone() {
  int done = 0;
  const int count = static_cast<int>(blocking.size());
  if (sendwright_next_MPI_Testall(count, blocking.data(), &done, MPI_STATUSES_IGNORE) ==
      MPI_SUCCESS)
    return done != 0;
  for (MPI_Request &request : blocking) // one failed; the others still need time
    if (request != MPI_REQUEST_NULL)
      sendwright_next_MPI_Wait(&request, MPI_STATUS_IGNORE);
  return true;
}

void Batch::waitForBlocking() {
  if (blocking.empty())
    return;
  if (isSimulated || strict::on()) { // both find out themselves whether this ends
    const strict::CallFrom from("batched MPI_Send", scopes.back().plan->name.c_str());
    sendwright_next_MPI_Waitall(static_cast<int>(blocking.size()), blocking.data(),
                                MPI_STATUSES_IGNORE);
    return;
  }
  serveUntil([this] { return blockingDone(); }, [this] { return whoIsAwaited(); });
}

/// Continues "rank R has waited N s".
std::string Batch::whoIsAwaited() const {
  constexpr int most = 8;
  std::string text = "at " + scopes.back().plan->name + " for";
  int named = 0;
  for (std::size_t index = 0; index < blocking.size(); ++index) {
    int done = 0; // the requests that Testall found complete are still there
    PMPI_Request_get_status(blocking[index], &done, MPI_STATUS_IGNORE);
    if (done)
      continue;
    if (++named > most)
      return text + " and others to receive";
    const std::uint32_t send = blockingSends[index];
    text += (named == 1 ? " rank " : ", rank ") + std::to_string(destinations[send]) + " (tag " +
            std::to_string(held[send].arguments.tag) + ")";
  }
  return text + " to receive";
}

} // namespace sendwright
