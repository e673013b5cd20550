// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/redistribution/Agreement.h"

#include "runtime/redistribution/Redistribution.h"

#include <algorithm>

namespace sendwright::redistribution {

namespace {

/// Messages that are sent before the one that should tell more has come.
constexpr std::size_t unanswered = 1;

} // namespace

void Vote::combine(const Vote &other) {
  leastDigest = std::min(leastDigest, other.leastDigest);
  largestDigest = std::max(largestDigest, other.largestDigest);
  largestMessage = std::max(largestMessage, other.largestMessage);
  problemAt = std::min(problemAt, other.problemAt);
}

Agreement::Agreement(const PrivateGroup &group) : group(group) {
  // Of how many ranks the votes are known when so many messages have come, this one's among them.
  std::vector<std::int64_t> known{1};
  for (std::size_t message = 0; known[message] < group.ranks; ++message) {
    distances.push_back(static_cast<int>(known[message]));
    known.push_back(known[message] + known[message - std::min(message, unanswered)]);
  }
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
  for (; sent < distances.size() && sent <= heard + unanswered; ++sent) {
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
