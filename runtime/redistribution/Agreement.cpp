// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/redistribution/Agreement.h"

#include "analysis/redistribution/MovementProtocol.h"
#include "runtime/redistribution/Redistribution.h"

#include <algorithm>

namespace sendwright::redistribution {

static_assert(sizeof(Vote) == voteBytes);

void Vote::combine(const Vote &other) {
  leastDigest = std::min(leastDigest, other.leastDigest);
  largestDigest = std::max(largestDigest, other.largestDigest);
  largestMessage = std::max(largestMessage, other.largestMessage);
  problemAt = std::min(problemAt, other.problemAt);
}

Agreement::Agreement(const PrivateGroup &group)
    : group(group), distances(voteDistances(group.ranks)) {
  arriving.resize(distances.size());
  leaving.resize(distances.size());
  arrived.resize(distances.size());
}

void Agreement::begin(const Vote &own, ActiveRequests &requests) {
  known = own;
  for (std::size_t message = 0; message < distances.size(); ++message) {
    const int source = (group.rank - distances[message] + group.ranks) % group.ranks;
    MPI_Request request = MPI_REQUEST_NULL;
    PMPI_Irecv(&arriving[message], sizeof(Vote), MPI_BYTE, source,
               votesTag + static_cast<int>(message), group.communicator, &request);
    requests.add(request, {RequestUse::Vote, static_cast<std::uint32_t>(message)});
  }
  sendWhatIsDue(requests);
}

void Agreement::sendWhatIsDue(ActiveRequests &requests) {
  for (; sent < distances.size() && sent <= heard + unansweredVotes; ++sent) {
    leaving[sent] = known;
    const auto destination =
        static_cast<int>((std::int64_t(group.rank) + distances[sent]) % group.ranks);
    MPI_Request request = MPI_REQUEST_NULL;
    PMPI_Isend(&leaving[sent], sizeof(Vote), MPI_BYTE, destination,
               votesTag + static_cast<int>(sent), group.communicator, &request);
    requests.add(request, {RequestUse::SentVote, static_cast<std::uint32_t>(sent)});
  }
}

void Agreement::completed(Purpose purpose, ActiveRequests &requests) {
  if (purpose.use == RequestUse::SentVote)
    return;
  arrived[purpose.index] = true;
  while (heard < distances.size() && arrived[heard]) {
    known.combine(arriving[heard++]);
    sendWhatIsDue(requests);
  }
}

} // namespace sendwright::redistribution
