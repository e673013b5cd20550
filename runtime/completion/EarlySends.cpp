// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/completion/EarlySends.h"

#include "runtime/base/Communicators.h"
#include "runtime/base/Interception.h"
#include "runtime/base/MpiDifferences.h"
#include "runtime/base/ServingOthers.h"
#include "runtime/base/Waiting.h"
#include "runtime/interception/Wrappers.h"
#include "runtime/strict/StrictBuffers.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace sendwright {

namespace {

/// What the user allows for copies; `planned` without a setting.
std::uint64_t allowedBytes(std::uint64_t planned) {
  const char *text = std::getenv("SENDWRIGHT_EARLY_BYTES");
  if (!text || !*text)
    return planned;
  char *end = nullptr;
  const unsigned long long bytes = std::strtoull(text, &end, 10);
  if (*end == '\0' && *text != '-')
    return bytes;
  sayOnce("SENDWRIGHT_EARLY_BYTES=%s is ignored, expected a number of bytes", text);
  return planned;
}

int queryNothing(void * /*state*/, MPI_Status *status) {
  PMPI_Status_set_elements(status, MPI_BYTE, 0);
  PMPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = MPI_PROC_NULL;
  status->MPI_TAG = MPI_ANY_TAG;
  return MPI_SUCCESS;
}
int freeNothingOf(void * /*state*/) { return MPI_SUCCESS; }
int cancelNothingOf(void * /*state*/, int /*complete*/) { return MPI_SUCCESS; }

/// A request that is complete, of a send to nobody. SMPI waits for such a request only once, even
/// if the program asks for all its requests again.
int makeCompleteRequest(MPI_Request *request) {
  if (!isSimulated)
    return PMPI_Isend(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, request);
  const int error =
      PMPI_Grequest_start(queryNothing, freeNothingOf, cancelNothingOf, nullptr, request);
  return error == MPI_SUCCESS ? PMPI_Grequest_complete(*request) : error;
}

void completeBefore(MPI_Comm communicator) {
  if (EarlySends *early = process.find<EarlySends>())
    early->completeOn(communicator);
}

} // namespace

EarlySends &earlySends(std::uint64_t least, std::uint64_t most) {
  if (EarlySends *known = process.find<EarlySends>())
    return *known;
  beforeForgetting = completeBefore;
  return process.begin(std::make_unique<EarlySends>(least, allowedBytes(most)));
}

/// Limited buffers are counted where the program sends, so there nothing is copied.
bool EarlySends::takes(MPI_Count size) const {
  return !strict::on() && size >= 0 && static_cast<std::uint64_t>(size) >= least &&
         static_cast<std::uint64_t>(size) <= most;
}

void *EarlySends::allocate(std::size_t size, bool blocking) {
  if (!hasRoom(size))
    dropLeft();
  if (!hasRoom(size) && blocking)
    makeRoom(size);
  if (!hasRoom(size))
    return nullptr;
  next.memory = std::make_unique_for_overwrite<std::byte[]>(size);
  next.bytes = size;
  next.blocking = blocking;
  return next.memory.get();
}

int EarlySends::send(const SendArguments &copied, MPI_Request *request) {
  sent.push_back(std::exchange(next, {}));
  Copy &copy = sent.back();
  copy.communicator = copied.communicator;
  copy.destination = copied.destination;
  copy.tag = copied.tag;
  bytes += copy.bytes;
  const int error =
      sendwright_next_MPI_Isend(copied.buffer, copied.count, copied.datatype, copied.destination,
                                copied.tag, copied.communicator, &copy.request);
  if (error != MPI_SUCCESS) {
    bytes -= copy.bytes;
    sent.pop_back();
    return error;
  }
  return request ? makeCompleteRequest(request) : error;
}

/// The oldest first, and no more than needed: a rank that waits for all would lose what it gained.
void EarlySends::makeRoom(std::size_t size) {
  completeIf([&](const Copy &copy) { return copy.blocking && !hasRoom(size); });
}

/// Forgets the copies that have left, in whichever order: with one call, because each test costs
/// simulated time under SMPI.
void EarlySends::dropLeft() {
  std::vector<MPI_Request> requests;
  requests.reserve(sent.size());
  for (const Copy &copy : sent)
    requests.push_back(copy.request);
  std::vector<int> left(sent.size());
  int count = 0;
  const int error = PMPI_Testsome(static_cast<int>(sent.size()), requests.data(), &count,
                                  left.data(), MPI_STATUSES_IGNORE);
  if (error == MPI_SUCCESS && count != MPI_UNDEFINED)
    for (int index = 0; index < count; ++index)
      requests[static_cast<std::size_t>(left[static_cast<std::size_t>(index)])] = MPI_REQUEST_NULL;
  // After an error, too, MPI has freed those that are null now.
  for (std::size_t index = 0; index < sent.size(); ++index) {
    sent[index].request = requests[index];
    if (requests[index] == MPI_REQUEST_NULL)
      bytes -= sent[index].bytes;
  }
  std::erase_if(sent, [](const Copy &copy) { return copy.request == MPI_REQUEST_NULL; });
}

void EarlySends::complete(std::size_t index) {
  Copy copy = std::move(sent[index]);
  sent.erase(sent.begin() + static_cast<std::ptrdiff_t>(index));
  bytes -= copy.bytes;
  if (isSimulated && !servesOthers()) // to look at a request takes simulated time
    PMPI_Wait(&copy.request, MPI_STATUS_IGNORE);
  else
    serveUntilComplete(&copy.request, MPI_STATUS_IGNORE, [&] {
      return "for rank " + std::to_string(copy.destination) + " (tag " + std::to_string(copy.tag) +
             ") to receive what it sent before";
    });
}

template <typename Condition> void EarlySends::completeIf(Condition condition) {
  for (std::size_t index = 0; index < sent.size();)
    if (condition(sent[index]))
      complete(index);
    else
      ++index;
}

void EarlySends::completeOn(MPI_Comm communicator) {
  completeIf([&](const Copy &copy) { return copy.blocking && copy.communicator == communicator; });
}

void EarlySends::finish() {
  completeIf([](const Copy &) { return true; });
}

} // namespace sendwright
