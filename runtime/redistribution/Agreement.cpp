// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/redistribution/Agreement.h"

#include "runtime/redistribution/Redistribution.h"

#include <algorithm>

namespace sendwright::redistribution {

void Vote::combine(const Vote &other) {
  leastDigest = std::min(leastDigest, other.leastDigest);
  largestDigest = std::max(largestDigest, other.largestDigest);
  largestMessage = std::max(largestMessage, other.largestMessage);
  problemAt = std::min(problemAt, other.problemAt);
}

Agreement::Agreement(const PrivateGroup &group) : group(group) {
  std::size_t rounds = 0;
  for (std::int64_t distance = 1; distance < group.ranks; distance *= 2)
    ++rounds;
  arriving.resize(rounds);
  leaving.resize(rounds);
  arrived.resize(rounds);
}

void Agreement::begin(const Vote &own, ActiveRequests &requests) {
  known = own;
  for (std::size_t j = 0; j < rounds(); ++j) {
    const int source = (group.rank - (1 << j) + group.ranks) % group.ranks;
    MPI_Request request = MPI_REQUEST_NULL;
    PMPI_Irecv(&arriving[j], sizeof(Vote), MPI_BYTE, source, votesTag + static_cast<int>(j),
               group.communicator, &request);
    requests.add(request, {RequestUse::Vote, static_cast<std::uint32_t>(j)});
  }
  send(requests);
}

void Agreement::send(ActiveRequests &requests) {
  if (round == rounds())
    return;
  leaving[round] = known;
  const auto destination =
      static_cast<int>((group.rank + (std::int64_t(1) << round)) % group.ranks);
  MPI_Request request = MPI_REQUEST_NULL;
  PMPI_Isend(&leaving[round], sizeof(Vote), MPI_BYTE, destination,
             votesTag + static_cast<int>(round), group.communicator, &request);
  requests.add(request, {RequestUse::SentVote, static_cast<std::uint32_t>(round)});
}

void Agreement::completed(Purpose purpose, ActiveRequests &requests) {
  if (purpose.use == RequestUse::SentVote)
    return;
  arrived[purpose.index] = true;
  while (round < rounds() && arrived[round]) {
    known.combine(arriving[round]);
    ++round;
    send(requests);
  }
}

} // namespace sendwright::redistribution
