// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/collectives/Messages.h"

#include "runtime/base/MpiDifferences.h"

#include <algorithm>
#include <functional>

namespace sendwright::collectives {

std::vector<std::byte> CopiedMessages::buffer() {
  std::vector<std::byte> bytes;
  if (!spare.empty()) {
    bytes = std::move(spare.back());
    spare.pop_back();
    bytes.clear();
  }
  return bytes;
}

int CopiedMessages::send(std::vector<std::byte> &&message, int peer, int tag, MPI_Comm world) {
  // Testing requests takes time. The limit doubles each time, so that each message is tested only a
  // few times even if some are stuck.
  if (requests.size() >= most) {
    takeBack();
    most = std::max(least, 2 * requests.size());
  }
  requests.reserve(requests.size() + 1); // nothing can fail from here on
  std::vector<std::byte> &sent = buffers.emplace_back(std::move(message));
  requests.push_back(MPI_REQUEST_NULL);
  return PMPI_Isend(sent.data(), static_cast<int>(sent.size()), MPI_BYTE, peer, tag, world,
                    &requests.back());
}

/// Returns how many have left; `indices` says which.
int CopiedMessages::findLeft() {
  int count = 0;
  indices.resize(requests.size());
  if (!isSimulated) {
    PMPI_Testsome(static_cast<int>(requests.size()), requests.data(), &count, indices.data(),
                  MPI_STATUSES_IGNORE);
    return count == MPI_UNDEFINED ? 0 : count; // all are null, because MPI refused them
  }
  // Under SMPI a look at one that has left takes no time, but a test does.
  for (std::size_t index = 0; index < requests.size(); ++index) {
    int left = 0;
    PMPI_Request_get_status(requests[index], &left, MPI_STATUS_IGNORE);
    if (left) {
      PMPI_Wait(&requests[index], MPI_STATUS_IGNORE);
      indices[static_cast<std::size_t>(count++)] = static_cast<int>(index);
    }
  }
  return count;
}

bool CopiedMessages::takeBack() {
  if (requests.empty())
    return true;
  const int count = findLeft();
  std::sort(indices.begin(), indices.begin() + count, std::greater<>());
  for (int which = 0; which < count; ++which) { // from the end: the entry moved into the gap stays
    const auto index = static_cast<std::size_t>(indices[static_cast<std::size_t>(which)]);
    if (spare.size() < least)
      spare.push_back(std::move(buffers[index]));
    requests[index] = requests.back();
    requests.pop_back();
    std::swap(buffers[index], buffers.back());
    buffers.pop_back();
  }
  return std::all_of(requests.begin(), requests.end(),
                     [](MPI_Request request) { return request == MPI_REQUEST_NULL; });
}

} // namespace sendwright::collectives
