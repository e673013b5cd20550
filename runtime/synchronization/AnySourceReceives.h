// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nonblocking receives from any source while the program is synchronised.
//
// Such a receive may take another rank's message than in the profile. A later receive from that
// rank then waits for a message that, as planned, its sender sends only after this rank has gone
// further: a deadlock. Therefore, even while the rank is blocked in another receive, a probe or a
// wait, it watches whose messages such receives take: these calls become loops while such a receive
// is under way. (A rank blocked elsewhere does not hold up the others: it waits for something in
// the same super epoch or an earlier one.) With strict buffers the calls are loops anyway.

#ifndef SENDWRIGHT_RUNTIME_SYNCHRONIZATION_ANYSOURCERECEIVES_H
#define SENDWRIGHT_RUNTIME_SYNCHRONIZATION_ANYSOURCERECEIVES_H

#include <mpi.h>

#include <vector>

namespace sendwright::synchronization {

/// A receive that was posted and is not known to be complete.
struct PendingReceive {
  MPI_Request request;
  int communicator; ///< index into the state's communicators
  int expected;     ///< world rank whose message it received in the profile
};

/// True while the program's blocking calls must be made in the ways below.
bool watching();

/// Checks whether pending receives took the same messages as in the profile; leaves the plan if one
/// did not.
void watch();

/// What MPI_Recv, MPI_Sendrecv and MPI_Sendrecv_replace do while watching.
int receive(void *buffer, int count, MPI_Datatype datatype, int source, int tag,
            MPI_Comm communicator, MPI_Status *status);
int sendAndReceive(const void *sent, int sentCount, MPI_Datatype sentType, int destination,
                   int sentTag, void *buffer, int count, MPI_Datatype datatype, int source, int tag,
                   MPI_Comm communicator, MPI_Status *status);
int sendAndReceiveReplacing(void *buffer, int count, MPI_Datatype datatype, int destination,
                            int sentTag, int source, int tag, MPI_Comm communicator,
                            MPI_Status *status);

/// What MPI_Waitany and MPI_Waitsome do while watching.
int waitAny(int count, MPI_Request *requests, int *index, MPI_Status *status);
int waitSome(int count, MPI_Request *requests, int *completed, int *indices, MPI_Status *statuses);

/// Returns when a message can be probed, or nothing is watched any more.
void awaitMessage(int source, int tag, MPI_Comm communicator);

/// One call that completes requests. Does nothing if no pending receive is known when it begins.
class Completion {
public:
  /// `requests` as passed to MPI. If the program wants no statuses, `statuses` becomes memory of
  /// its own, because statuses tell whose messages were received.
  Completion(int count, const MPI_Request *requests, MPI_Status *&statuses);
  /// Returns when all requests can complete without waiting, or nothing is watched any more.
  void awaitAll() const;
  /// To be called after the call, which completed `count` requests: those at `indices`; null: all.
  void finish(int count, const int *indices);

private:
  std::vector<MPI_Request> requests; // as they were before the call
  std::vector<MPI_Status> own;
  MPI_Status *statuses = nullptr;
};

} // namespace sendwright::synchronization

#endif
