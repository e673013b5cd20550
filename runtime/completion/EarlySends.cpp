// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/completion/EarlySends.h"

#include "runtime/base/Communicators.h"
#include "runtime/base/Interception.h"
#include "runtime/base/MpiDifferences.h"
#include "runtime/base/Waiting.h"
#include "runtime/interception/Wrappers.h"
#include "runtime/strict/StrictBuffers.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

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

void *EarlySends::allocate(std::size_t size) {
  makeRoom(size);
  next.memory = std::make_unique_for_overwrite<std::byte[]>(size);
  next.bytes = size;
  return next.memory.get();
}

int EarlySends::send(const SendArguments &copied) {
  sent.push_back(std::exchange(next, {}));
  Copy &copy = sent.back();
  copy.communicator = copied.communicator;
  copy.destination = copied.destination;
  copy.tag = copied.tag;
  bytes += copy.bytes;
  return sendwright_next_MPI_Isend(copied.buffer, copied.count, copied.datatype, copied.destination,
                                   copied.tag, copied.communicator, &copy.request);
}

void EarlySends::makeRoom(std::size_t size) {
  if (bytes + size <= most)
    return;
  if (!isSimulated) // there a test costs simulated time
    dropLeft();
  while (!sent.empty() && bytes + size > most)
    complete(0);
}

/// Forgets the copies that have left, in whichever order.
void EarlySends::dropLeft() {
  std::erase_if(sent, [this](Copy &copy) {
    int done = 0;
    if (PMPI_Test(&copy.request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || !done)
      return false;
    bytes -= copy.bytes;
    return true;
  });
}

void EarlySends::complete(std::size_t index) {
  Copy copy = std::move(sent[index]);
  sent.erase(sent.begin() + static_cast<std::ptrdiff_t>(index));
  bytes -= copy.bytes;
  if (isSimulated)
    PMPI_Wait(&copy.request, MPI_STATUS_IGNORE);
  else
    serveUntilComplete(&copy.request, MPI_STATUS_IGNORE, [&] {
      return "for rank " + std::to_string(copy.destination) + " (tag " + std::to_string(copy.tag) +
             ") to receive what it sent before";
    });
}

void EarlySends::completeOn(MPI_Comm communicator) {
  for (std::size_t index = 0; index < sent.size();)
    if (sent[index].communicator == communicator)
      complete(index);
    else
      ++index;
}

void EarlySends::finish() {
  while (!sent.empty())
    complete(0);
}

} // namespace sendwright
