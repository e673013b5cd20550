// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Strict buffers: SENDWRIGHT_BUFFERS makes the program run as if every rank had exactly N message
// buffers, which exposes a program that works only because its MPI has more.
//
//     sender                                 receiver (alone owns its N buffers)
//     MPI_Send: copies the data,
//       PMPI_Issend on the program's communicator, which keeps MPI's order
//       Want --------------------------->    grants buffers, first come first served
//       returns at Grant  <--------------    Grant
//       or when the Issend is matched
//     the granted Issend is matched
//       Done --------------------------->    the buffer is free
//
// The tokens travel on a private communicator. They move only while ranks are in MPI, so every
// blocking call of the program is a loop that calls progress(). Nothing depends on how long
// something takes, only on ranks entering MPI eventually.
//
//     BufferTokens.cpp   the private communicator
//     BufferPool.h       who holds one of this rank's buffers
//     Sends.cpp          messages under way
//     Requests.cpp       what the program's requests stand for
//     calls/             MPI's functions
//     Collectives.cpp    collectives: members meet before them
//     GroupMeetings.cpp  collectives of a group, a window or a file
//     Blocking.cpp       the loop of blocking calls, and what a rank in it waits for
//     Investigation.cpp  rank 0 asks what ranks wait for
//     Deadlock.cpp       judges the answers
//
// Everything here is for one thread at a time: strict buffers are off with MPI_THREAD_MULTIPLE.

#ifndef SENDWRIGHT_RUNTIME_STRICT_STRICTBUFFERS_H
#define SENDWRIGHT_RUNTIME_STRICT_STRICTBUFFERS_H

#include "runtime/base/Interception.h"
#include "runtime/base/Process.h"

#include <mpi.h>

namespace sendwright::strict {

/// True if calls of the program must be limited: not within Fortran entry points, which partly use
/// PMPI (the bit is cleared there).
inline bool on() { return sendwright_interception & interceptStrict; }

/// Where the program called a wrapper; the wrapper passes it on here while buffers are limited.
extern Caller calledFrom __attribute__((visibility("hidden")));

/// The program called `function` (a string literal) from `address`. Makes progress.
void enter(const char *function, const void *address);

/// While this object lives, what the runtime sends or waits for counts as a call of `function` at
/// `place`, "file:line", in reports of deadlocks. Both texts must live forever. For calls that the
/// program made earlier and the runtime makes now.
class CallFrom {
public:
  CallFrom(const char *function, const char *place);
  ~CallFrom();
  CallFrom(const CallFrom &) = delete;
  CallFrom &operator=(const CallFrom &) = delete;

private:
  // The values to restore; unused under SMPI, where buffers are never limited.
  [[maybe_unused]] const char *function = nullptr;
  [[maybe_unused]] const void *address = nullptr;
  [[maybe_unused]] const char *place = nullptr;
};

/// Serves other ranks: receives their tokens, sends grants, notices matched messages. Does not
/// wait. Does nothing while strict buffers are off, or when called within itself. To be called in
/// every loop of the runtime that waits for other ranks.
void progress();

/// Waits for `request`, which belongs to the runtime, while making progress; the same as PMPI_Wait
/// while strict buffers are off. `request` becomes MPI_REQUEST_NULL, or inactive if it is
/// persistent. For messages of the runtime on its own communicators, which need no buffers. A rank
/// that waits here never counts as deadlocked. Returns MPI's error code; the communicator's handler
/// is called.
int progressUntil(MPI_Request *request, MPI_Status *status = MPI_STATUS_IGNORE);

/// The same for a message that `source`, a rank of MPI_COMM_WORLD, announces with noteTold() when
/// it comes to a boundary between super epochs, or to the end (`atEnd`): a rank that waits here is
/// deadlocked with a rank that never comes there.
int awaitBoundary(MPI_Request *request, int source, bool atEnd);
/// This rank told `destination` what it waits for with awaitBoundary().
void noteTold(int destination);

/// Waits until all members of the communicator, or of the group of the window or file, have come to
/// the collective call that the caller is about to make; the call can then run without the
/// runtime's progress. Handles that MPI will refuse are left to MPI.
void meet(MPI_Comm communicator);
void meetGroup(MPI_Group group);
void meetWindow(MPI_Win window);
void meetFile(MPI_File file);
/// The same for both sides of MPI_Intercomm_create, whose arguments these are.
void meetOtherSide(MPI_Comm local, int leader, MPI_Comm peer, int remoteLeader);

/// The program began a nonblocking collective. `synchronizing`: it ends only after all members have
/// begun it.
void noteCollective(MPI_Comm communicator, MPI_Request request, bool synchronizing);

/// A communicator was created by a call that all its members make, or is about to be freed.
void noteCommunicator(MPI_Comm communicator);
void dropCommunicator(MPI_Comm communicator);

/// The program calls MPI from Fortran, which is not limited: prints a line.
void noteFortran();

/// Is told at the end of each progress().
class ProgressListener : public Layer {
public:
  static constexpr LayerPlace place = LayerPlace::StrictProgress;
  virtual void afterProgress() = 0;
};

} // namespace sendwright::strict

namespace sendwright {

/// After PMPI_Init: limits buffers if SENDWRIGHT_BUFFERS is set. `threadLevel` is the level that
/// MPI provides.
void startStrictBuffers(int threadLevel);

} // namespace sendwright

#endif
