// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The measurements: a few small programs of two or more ranks. Rank 0 directs: it sends an order to
// every rank that takes part, does its own part and takes all times, so that two clocks are never
// compared. The other ranks follow orders. A rank that takes no part sleeps and checks for an order
// now and then, so that its waiting takes no processor from the ranks being measured.

#ifndef SENDWRIGHT_RUNTIME_CALIBRATION_EXPERIMENTS_H
#define SENDWRIGHT_RUNTIME_CALIBRATION_EXPERIMENTS_H

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace sendwright {

/// Times of round trips, in seconds, one entry for each repetition.
struct RoundTrips {
  std::vector<double> send; ///< MPI_Isend only: MPI_Send may wait for the receiver's processor
  std::vector<double> roundTrip;
};

/// Rank 0's side. Every call returns times in seconds, one for each repetition. Partners are ranks
/// of the communicator; they stay awake until rest(). Not thread-safe; errors are left to MPI.
class Director {
public:
  explicit Director(MPI_Comm communicator);
  /// Ends follow() on all other ranks.
  ~Director();
  Director(const Director &) = delete;
  Director &operator=(const Director &) = delete;

  /// Sends messages of `bytes` there and back.
  RoundTrips roundTrips(int partner, int bytes, int repetitions);
  /// The time to receive a message that arrived while this rank computed for `pause` seconds.
  std::vector<double> receivesOfEarly(int partner, int bytes, int repetitions, double pause);
  /// The time of `count` messages without a pause, whose receives are posted, with an answer of 1
  /// byte.
  std::vector<double> streams(int partner, int bytes, int count, int repetitions);
  /// Whether a send without a posted receive is still incomplete after `patience` seconds.
  bool waitsForReceive(int partner, int bytes, double patience);
  /// The time to request one message from each sender, by one byte each, and to receive all of
  /// them.
  std::vector<double> manySenders(const std::vector<int> &senders, int bytes, int repetitions);
  /// Lets a partner sleep until its next order.
  void rest(int partner);

private:
  char *room(std::size_t bytes); // whose contents do not matter

  MPI_Comm communicator;
  std::vector<char> buffer;
  double clockCost; // of one reading of the clock, which every measured time includes
};

/// The other ranks' side: follows orders until the director is done.
void follow(MPI_Comm communicator);

} // namespace sendwright

#endif
