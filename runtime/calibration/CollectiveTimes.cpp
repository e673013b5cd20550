// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/calibration/CollectiveTimes.h"

#include <algorithm>

namespace sendwright {

namespace {

// MPI chooses different algorithms for different sizes, so interpolating between distant sizes says
// little.
constexpr int blockSizes[] = {8, 64, 512, 2048, 8192, 16384, 32768, 131072};
constexpr std::size_t leastTimes = 5, mostTimes = 15;
constexpr std::size_t mostBytes = 4 << 20; // of one buffer of a rank

struct CollectiveBuffers {
  std::vector<char> sent, received;
};

void call(Collective operation, int bytes, CollectiveBuffers &buffers, MPI_Comm communicator) {
  char *const sent = buffers.sent.data(), *const received = buffers.received.data();
  switch (operation) {
  case Collective::Broadcast:
    MPI_Bcast(sent, bytes, MPI_BYTE, 0, communicator);
    break;
  case Collective::Scatter:
    MPI_Scatter(sent, bytes, MPI_BYTE, received, bytes, MPI_BYTE, 0, communicator);
    break;
  case Collective::Gather:
    MPI_Gather(sent, bytes, MPI_BYTE, received, bytes, MPI_BYTE, 0, communicator);
    break;
  case Collective::Allgather:
    MPI_Allgather(sent, bytes, MPI_BYTE, received, bytes, MPI_BYTE, communicator);
    break;
  case Collective::AllToAll:
    MPI_Alltoall(sent, bytes, MPI_BYTE, received, bytes, MPI_BYTE, communicator);
    break;
  default:
    MPI_Reduce(sent, received, bytes / static_cast<int>(sizeof(int)), MPI_INT, MPI_SUM, 0,
               communicator);
  }
}

/// Whether more samples would give the same, as on a simulated network.
bool areSteady(const std::vector<double> &samples) {
  const auto [least, most] = std::minmax_element(samples.begin(), samples.end());
  return *most <= 1.001 * *least;
}

/// Seconds of the slowest rank; all ranks get the result.
double timeOnce(Collective operation, int bytes, CollectiveBuffers &buffers,
                MPI_Comm communicator) {
  MPI_Barrier(communicator);
  const double start = MPI_Wtime();
  call(operation, bytes, buffers, communicator);
  double own = MPI_Wtime() - start, longest = 0;
  MPI_Allreduce(&own, &longest, 1, MPI_DOUBLE, MPI_MAX, communicator);
  return longest;
}

} // namespace

std::vector<CalibratedCollective> measureCollectives(MPI_Comm communicator, double seconds) {
  constexpr Collective operations[] = {Collective::Broadcast, Collective::Scatter,
                                       Collective::Gather,    Collective::Allgather,
                                       Collective::AllToAll,  Collective::Reduce};
  int ranks = 1;
  MPI_Comm_size(communicator, &ranks);
  const double share = seconds / static_cast<double>(std::size(operations) * std::size(blockSizes));
  double spent = 0; // the same on all ranks
  std::vector<CalibratedCollective> rows;
  for (const int bytes : blockSizes) {
    const std::size_t all = static_cast<std::size_t>(bytes) * static_cast<std::size_t>(ranks);
    if (all > mostBytes)
      break;
    CollectiveBuffers buffers{std::vector<char>(all), std::vector<char>(all)};
    for (const Collective operation : operations) {
      if (spent > seconds)
        return rows;
      spent += timeOnce(operation, bytes, buffers, communicator); // sets up connections
      const double once = timeOnce(operation, bytes, buffers, communicator);
      const std::size_t times = once * mostTimes <= share
                                    ? mostTimes
                                    : std::max(leastTimes, static_cast<std::size_t>(share / once));
      std::vector<double> samples;
      while (samples.size() < times && (samples.size() < leastTimes || !areSteady(samples)))
        samples.push_back(timeOnce(operation, bytes, buffers, communicator));
      for (const double sample : samples)
        spent += sample;
      rows.push_back({operation, static_cast<double>(bytes), figureOf(std::move(samples))});
    }
  }
  return rows;
}

} // namespace sendwright
