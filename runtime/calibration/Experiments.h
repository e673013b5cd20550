// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is measured: a few small programs of two or more ranks. Rank 0 directs: it sends every rank
// that takes part an order, does its own part and takes all times, so that no two clocks are
// compared. The others follow orders. Who takes no part sleeps, and looks for an order now and
// then, so that its waiting takes no processor from those that are measured.

#ifndef SENDWRIGHT_RUNTIME_CALIBRATION_EXPERIMENTS_H
#define SENDWRIGHT_RUNTIME_CALIBRATION_EXPERIMENTS_H

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace sendwright {

/// Times of round trips, in seconds, one of each for every repetition.
struct RoundTrips {
  std::vector<double> send; ///< MPI_Isend alone: MPI_Send may wait for the receiver's processor
  std::vector<double> roundTrip;
};

/// Rank 0's side. Every call returns times in seconds, one for each repetition. Partners are ranks
/// of the communicator; they stay attentive until rest(). Not thread-safe; errors are MPI's.
class Director {
public:
  explicit Director(MPI_Comm communicator);
  /// Ends follow() on all other ranks.
  ~Director();
  Director(const Director &) = delete;
  Director &operator=(const Director &) = delete;

  /// Messages of `bytes` there and back.
  RoundTrips roundTrips(int partner, int bytes, int repetitions);
  /// How long it takes to receive a message that came while this rank computed for `pause` seconds.
  std::vector<double> receivesOfEarly(int partner, int bytes, int repetitions, double pause);
  /// How long `count` messages without a pause, whose receives are posted, take with an answer of 1
  /// byte.
  std::vector<double> streams(int partner, int bytes, int count, int repetitions);
  /// Whether a send is still incomplete after `patience` seconds without its receive.
  bool waitsForReceive(int partner, int bytes, double patience);
  /// How long it takes to ask each of the senders for one message, by one byte each, and to have
  /// them all.
  std::vector<double> manySenders(const std::vector<int> &senders, int bytes, int repetitions);
  /// Lets a partner sleep until its next order.
  void rest(int partner);

private:
  char *room(std::size_t bytes); // of which the contents do not matter

  MPI_Comm communicator;
  std::vector<char> buffer;
  double clockCost; // of one look at the clock, which every measured time contains
};

/// The side of all other ranks: follows orders until the director is done.
void follow(MPI_Comm communicator);

} // namespace sendwright

#endif
