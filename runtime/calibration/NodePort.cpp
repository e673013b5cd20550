// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/calibration/NodePort.h"

#include <algorithm>

namespace sendwright {

namespace {

constexpr int streamTag = 4, doneTag = 5;
constexpr int manySmall = 100, manyLarge = 8; // messages of a rank without a pause
constexpr int largeMessages[] = {1 << 16, 1 << 17, 1 << 18};
constexpr std::size_t leastPortRounds = 3, mostPortRounds = 9;

/// This rank's part: it sends to or receives from `partner`, or takes no part.
struct StreamPart {
  MPI_Comm communicator = MPI_COMM_NULL;
  int partner = MPI_PROC_NULL;
  bool sends = false;
  std::vector<char> buffer;
};

void stream(StreamPart &part, int bytes, std::vector<MPI_Request> &requests) {
  char answer = 0;
  if (part.partner == MPI_PROC_NULL)
    return;
  if (part.sends)
    for (MPI_Request &request : requests)
      MPI_Isend(part.buffer.data(), bytes, MPI_BYTE, part.partner, streamTag, part.communicator,
                &request);
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  if (part.sends)
    MPI_Recv(&answer, 1, MPI_BYTE, part.partner, doneTag, part.communicator, MPI_STATUS_IGNORE);
  else
    MPI_Send(&answer, 1, MPI_BYTE, part.partner, doneTag, part.communicator);
}

/// Seconds until all pairs are done with `count` messages each; all ranks get the result.
double timeOfStreams(StreamPart &part, int bytes, int count) {
  const auto room = static_cast<std::size_t>(bytes) * static_cast<std::size_t>(count);
  part.buffer.resize(std::max(part.buffer.size(), room));
  std::vector<MPI_Request> requests(static_cast<std::size_t>(count), MPI_REQUEST_NULL);
  if (part.partner != MPI_PROC_NULL && !part.sends)
    for (std::size_t index = 0; index < requests.size(); ++index)
      MPI_Irecv(part.buffer.data() + index * static_cast<std::size_t>(bytes), bytes, MPI_BYTE,
                part.partner, streamTag, part.communicator, &requests[index]);
  MPI_Barrier(part.communicator);
  const double start = MPI_Wtime();
  stream(part, bytes, requests);
  double own = MPI_Wtime() - start, longest = 0;
  MPI_Allreduce(&own, &longest, 1, MPI_DOUBLE, MPI_MAX, part.communicator);
  return longest;
}

/// The time from message to message at the port that all pairs share.
double portInterval(StreamPart &part, int pairs, int bytes, int count) {
  std::vector<double> one, all;
  for (int repetition = 0; repetition < 5; ++repetition) {
    one.push_back(timeOfStreams(part, bytes, 1));
    all.push_back(timeOfStreams(part, bytes, count));
  }
  return std::max(figureOf(std::move(all)).median - figureOf(std::move(one)).median, 0.0) /
         (pairs * (count - 1));
}

} // namespace

MeasuredNodePort measureNodePort(const Placement &placement, double seconds) {
  MeasuredNodePort measured;
  std::vector<int> senders{0};
  senders.insert(senders.end(), placement.within.begin(), placement.within.end());
  const std::size_t pairs = std::min(senders.size(), placement.otherNode.size());
  measured.pairs = static_cast<int>(pairs);
  if (pairs < 2)
    return measured;
  StreamPart part;
  part.communicator = placement.communicator;
  int place = 0;
  MPI_Comm_rank(part.communicator, &place);
  for (std::size_t pair = 0; pair < pairs; ++pair)
    if (senders[pair] == place || placement.otherNode[pair] == place) {
      part.sends = senders[pair] == place;
      part.partner = part.sends ? placement.otherNode[pair] : senders[pair];
    }
  timeOfStreams(part, 1, manySmall); // sets up connections
  double spent = 0;                  // the same on all ranks
  while (measured.rounds.size() < leastPortRounds ||
         (measured.rounds.size() < mostPortRounds && spent < seconds)) {
    double own = MPI_Wtime();
    NodePortRound &round = measured.rounds.emplace_back();
    round.interval = portInterval(part, measured.pairs, 1, manySmall);
    for (const int bytes : largeMessages)
      round.large.push_back(
          {static_cast<double>(bytes), portInterval(part, measured.pairs, bytes, manyLarge)});
    own = MPI_Wtime() - own;
    double longest = 0;
    MPI_Allreduce(&own, &longest, 1, MPI_DOUBLE, MPI_MAX, part.communicator);
    spent += longest;
  }
  return measured;
}

} // namespace sendwright
