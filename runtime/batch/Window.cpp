// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/batch/Window.h"

#include "runtime/base/ServingOthers.h"

#include "runtime/interception/Wrappers.h"

#include <algorithm>

namespace sendwright {

namespace {
// Without progress for this long, the receivers count as not ready. A busy network must not look
// like an absent receiver: half a microsecond per byte is a sixth of Fast Ethernet's speed. So much
// patience costs little, since a site that stalls repeatedly loses its window. But a program that
// calls MPI_Isend expects to go on, so a quarter of a second is the most.
constexpr double patienceSeconds = 2e-3;
constexpr double patiencePerByte = 5e-7;
constexpr double mostPatienceSeconds = 0.25;
constexpr int stallsToAbandon = 3;
} // namespace

Window::Window(std::uint32_t limit, std::vector<MPI_Request> &own, WindowHistory &history)
    : limit(history.abandoned ? 0 : limit), own(own), history(history) {}

Window::~Window() {
  if (stalled)
    ++history.stalls;
  else if (waited && history.stalls > 0)
    --history.stalls;
  if (history.stalls >= stallsToAbandon)
    history.abandoned = true;
}

bool Window::complete(const InFlight &message) {
  int done = 0;
  if (message.isOwn)
    sendwright_next_MPI_Test(&own[message.index], &done, MPI_STATUS_IGNORE);
  else // a test would make the program's request inactive
    PMPI_Request_get_status(message.captured, &done, MPI_STATUS_IGNORE);
  return done != 0;
}

double Window::patience() const {
  double bytes = 0;
  for (const InFlight &message : inFlight)
    bytes += message.bytes;
  return std::min(patienceSeconds + patiencePerByte * bytes, mostPatienceSeconds);
}

bool Window::isTooEarly() const { return gap > 0 && PMPI_Wtime() < nextAt; }

void Window::makeRoom() {
  if (limit == 0 || stalled || (hasRoom() && !isTooEarly()))
    return;
  waited = true;
  const double begin = PMPI_Wtime();
  while (true) {
    serveOthers();
    std::erase_if(inFlight, [this](const InFlight &message) { return complete(message); });
    if (hasRoom()) {
      if (!isTooEarly())
        return;
      int any = 0; // so that MPI answers other ranks meanwhile
      PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &any, MPI_STATUS_IGNORE);
    } else if (PMPI_Wtime() - begin > patience()) {
      stalled = true;
      return;
    }
  }
}

void Window::add(const InFlight &message) {
  if (limit == 0 || stalled)
    return;
  inFlight.push_back(message);
  if (gap > 0)
    nextAt = (nextAt < 0 ? PMPI_Wtime() : nextAt) + gap * message.bytes;
}

void Window::addCaptured(MPI_Request request, double bytes) { add({false, request, 0, bytes}); }

void Window::addOwn(std::size_t index, double bytes) {
  add({true, MPI_REQUEST_NULL, index, bytes});
}

} // namespace sendwright
