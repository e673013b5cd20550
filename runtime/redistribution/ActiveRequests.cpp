// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/redistribution/ActiveRequests.h"

#include "runtime/base/MpiDifferences.h"
#include "runtime/base/ServingOthers.h"

#include <algorithm>
#include <functional>

namespace sendwright::redistribution {

void ActiveRequests::reserve(std::size_t most) {
  requests.reserve(most);
  purposes.reserve(most);
  done.resize(most);
  indices.resize(most);
  statuses.resize(most);
}

void ActiveRequests::add(MPI_Request request, Purpose purpose) {
  requests.push_back(request);
  purposes.push_back(purpose);
}

MPI_Request *ActiveRequests::find(Purpose purpose) {
  for (std::size_t i = 0; i < requests.size(); ++i)
    if (purposes[i] == purpose)
      return &requests[i];
  return nullptr;
}

bool ActiveRequests::awaits(RequestUse use, std::uint32_t index) const {
  return std::any_of(purposes.begin(), purposes.end(), [&](const Purpose &purpose) {
    return purpose.use == use && purpose.index == index;
  });
}

void ActiveRequests::abandon() {
  for (std::size_t i = 0; i < requests.size(); ++i)
    if (purposes[i].use == RequestUse::Receive) {
      PMPI_Cancel(&requests[i]);
      PMPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    } else {
      PMPI_Request_free(&requests[i]);
    }
  requests.clear();
  purposes.clear();
}

int ActiveRequests::askMpi(bool wait, int &count) {
  const int many = static_cast<int>(requests.size());
  if (!wait)
    return PMPI_Testsome(many, requests.data(), &count, indices.data(), statuses.data());
  if (!isSimulated)
    return PMPI_Waitsome(many, requests.data(), &count, indices.data(), statuses.data());
  // SMPI charges MPI_Waitsome the time of an MPI_Test for each request.
  const int result = waitAnyAndServe(many, requests.data(), indices.data(), statuses.data());
  count = indices[0] == MPI_UNDEFINED ? 0 : 1;
  return result;
}

int ActiveRequests::findComplete(bool wait) {
  if (requests.empty())
    return 0;
  int count = 0;
  const int result = askMpi(wait, count);
  if (result != MPI_SUCCESS && result != MPI_ERR_IN_STATUS && error == MPI_SUCCESS)
    error = result;
  if (count == MPI_UNDEFINED || count < 0)
    return 0;
  for (int i = 0; i < count; ++i) {
    done[static_cast<std::size_t>(i)] =
        purposes[static_cast<std::size_t>(indices[static_cast<std::size_t>(i)])];
    if (result == MPI_ERR_IN_STATUS && error == MPI_SUCCESS)
      error = statuses[static_cast<std::size_t>(i)].MPI_ERROR;
  }
  std::sort(indices.begin(), indices.begin() + count, std::greater<>());
  for (int i = 0; i < count; ++i) { // from the end, so that the entry moved into the gap stays
    const auto at = static_cast<std::size_t>(indices[static_cast<std::size_t>(i)]);
    requests[at] = requests.back();
    purposes[at] = purposes.back();
    requests.pop_back();
    purposes.pop_back();
  }
  return count;
}

} // namespace sendwright::redistribution
