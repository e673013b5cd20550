// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/base/PrivateCommunicator.h"

#include "runtime/base/LeastOfRanks.h"
#include "runtime/base/WorldRanks.h"

#include <algorithm>
#include <memory>

namespace sendwright {

bool PrivateCommunicator::begin() {
  if (PMPI_Comm_dup(MPI_COMM_WORLD, &world) != MPI_SUCCESS)
    return false;
  PMPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
  largestTag = tagUpperBound();
  agreementTag = takeTags(1);
  return true;
}

void PrivateCommunicator::finish() {
  if (!kept)
    PMPI_Comm_free(&world);
  process.leave(place);
}

int PrivateCommunicator::takeTags(std::uint64_t count) {
  if (count > static_cast<std::uint64_t>(largestTag - freeTag))
    return -1;
  const int first = freeTag;
  freeTag += static_cast<int>(count);
  return first;
}

void PrivateCommunicator::findLeast(std::vector<unsigned long long> &numbers,
                                    std::span<unsigned long long> sums) {
  findLeastOfRanks(world, agreementTag, numbers, sums);
}

bool PrivateCommunicator::spread(const std::vector<int> &members, unsigned long long &number) {
  const auto size = members.size();
  const auto self =
      static_cast<std::size_t>(std::ranges::find(members, rankIn(world)) - members.begin());
  std::size_t step = 1; // ends as this rank's distance from the member that tells it
  while (step < size && (self & step) == 0)
    step *= 2;
  if (self != 0 && PMPI_Recv(&number, 1, MPI_UNSIGNED_LONG_LONG, members[self - step], agreementTag,
                             world, MPI_STATUS_IGNORE) != MPI_SUCCESS)
    return false;
  for (step /= 2; step > 0; step /= 2)
    if (self + step < size && PMPI_Send(&number, 1, MPI_UNSIGNED_LONG_LONG, members[self + step],
                                        agreementTag, world) != MPI_SUCCESS)
      return false;
  return true;
}

PrivateCommunicator *privateCommunicator() {
  if (auto *made = process.find<PrivateCommunicator>())
    return made;
  auto made = std::make_unique<PrivateCommunicator>();
  return made->begin() ? &process.begin(std::move(made)) : nullptr;
}

} // namespace sendwright
