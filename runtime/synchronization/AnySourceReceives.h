// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Non-blocking receives from any source while the program is synchronised.
//
// Such a receive may take another rank's message than in the profile. A later receive from that
// rank then waits for a message which its sender, as planned, sends only when this rank has come
// further: nobody would go on. So whose messages they take is looked at also while the rank is
// blocked in another receive, a probe or a wait: these become loops as long as such a receive is
// under way. (A rank that is blocked elsewhere is not the one that holds up the others: it waits
// for what belongs to the same super epoch or an earlier one.) With strict buffers they are loops
// already.

#ifndef SENDWRIGHT_RUNTIME_SYNCHRONIZATION_ANYSOURCERECEIVES_H
#define SENDWRIGHT_RUNTIME_SYNCHRONIZATION_ANYSOURCERECEIVES_H

#include <mpi.h>

#include <vector>

namespace sendwright::synchronization {

/// A receive that was posted and not seen to be complete.
struct PendingReceive {
  MPI_Request request;
  int communicator; ///< index into the state's communicators
  int expected;     ///< world rank whose message it took in the profile
};

/// True while the program's blocking calls are to be made in the ways below.
bool watching();

/// Looks whether pending receives took the messages that they took in the profile; leaves the plan
/// where one did not.
void watch();

/// What MPI_Recv, MPI_Sendrecv and MPI_Sendrecv_replace do, while watching.
int receive(void *buffer, int count, MPI_Datatype datatype, int source, int tag,
            MPI_Comm communicator, MPI_Status *status);
int sendAndReceive(const void *sent, int sentCount, MPI_Datatype sentType, int destination,
                   int sentTag, void *buffer, int count, MPI_Datatype datatype, int source, int tag,
                   MPI_Comm communicator, MPI_Status *status);
int sendAndReceiveReplacing(void *buffer, int count, MPI_Datatype datatype, int destination,
                            int sentTag, int source, int tag, MPI_Comm communicator,
                            MPI_Status *status);

/// What MPI_Waitany and MPI_Waitsome do, while watching.
int waitAny(int count, MPI_Request *requests, int *index, MPI_Status *status);
int waitSome(int count, MPI_Request *requests, int *completed, int *indices, MPI_Status *statuses);

/// Returns when a message can be probed, or nothing is watched any more.
void awaitMessage(int source, int tag, MPI_Comm communicator);

/// One call that completes requests. Does nothing where no pending receive is known when it begins.
class Completion {
public:
  /// `requests` as passed to MPI. `statuses` becomes room of its own where the program wants none:
  /// they say whose messages were received.
  Completion(int count, const MPI_Request *requests, MPI_Status *&statuses);
  /// Returns when all requests can be completed without waiting, or nothing is watched any more.
  void awaitAll() const;
  /// After the call, which completed `count` requests: those at `indices`, null for all.
  void finish(int count, const int *indices);

private:
  std::vector<MPI_Request> requests; // as they were before the call
  std::vector<MPI_Status> own;
  MPI_Status *statuses = nullptr;
};

} // namespace sendwright::synchronization

#endif
