// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One MPI call while a profile is recorded. It is constructed before the call, and told afterwards
// what the call was. Both the generated and the hand-written recording functions use it.
//
//     RecordedCall call(caller, MpiFunctionId::Isend);      // notes the time
//     const int result = sendwright_inner_MPI_Isend(...);
//     if (result == MPI_SUCCESS)
//       call.message(...);                                  // notes the time and records
//
// A call that fails, or that no member function describes, is not recorded. Nothing here throws: if
// memory runs out, recording ends and the program goes on.

#ifndef SENDWRIGHT_RUNTIME_RECORDING_RECORDEDCALL_H
#define SENDWRIGHT_RUNTIME_RECORDING_RECORDEDCALL_H

#include "analysis/mpi/MpiFunctions.h"
#include "runtime/base/BlockSide.h"
#include "runtime/base/Interception.h"
#include "runtime/recording/Recorder.h"

#include <mpi.h>

#include <cstdint>

namespace sendwright {

/// Lives in the wrapper's frame.
class RecordedCall {
public:
  RecordedCall(Caller caller, MpiFunctionId function);
  RecordedCall(const RecordedCall &) = delete;
  RecordedCall &operator=(const RecordedCall &) = delete;

  /// A message sent or a receive posted: `peer` and `tag` as the program passed them. `request` is
  /// null for a blocking call, else the request created by the call.
  void message(int peer, int tag, MPI_Comm communicator, int count, MPI_Datatype datatype,
               const MPI_Request *request) noexcept;

  /// A finished receive or a successful probe: `status` says what matched if `peer` or `tag` is a
  /// wildcard. `request` as above (Imrecv).
  void received(int peer, int tag, MPI_Comm communicator, std::uint64_t room,
                const MPI_Status &status) noexcept;

  struct Half {
    int peer, tag, count;
    MPI_Datatype datatype;
  };
  /// Both halves of an Isendrecv that has begun: recorded as an Isend and an Irecv.
  void exchanging(const Half &sent, const Half &received, MPI_Comm communicator,
                  MPI_Request request) noexcept;

  /// A persistent request was created; each start is recorded as a call of `startedAs`.
  void persistent(MpiFunctionId startedAs, int peer, int tag, MPI_Comm communicator, int count,
                  MPI_Datatype datatype, const MPI_Request *request) noexcept;

  /// `root` is null if the function has none; for `bytes` see contribution().
  void collective(MPI_Comm communicator, const int *root, std::uint64_t bytes,
                  const MPI_Request *request) noexcept;

  /// MPI_Alltoallv and its kin, and collectives of neighbours. Records who gets how much, if that
  /// is little: most ranks get nothing, or neighbours are named (Event::moved). `bytes` as above;
  /// in place, the blocks sent are those received.
  void irregular(MPI_Comm communicator, const BlockSide &sent, const BlockSide &received,
                 std::uint64_t bytes, const MPI_Request *request) noexcept;

  /// A test or probe that found nothing.
  void fruitless() noexcept;

  /// Both halves of a Sendrecv that is finished.
  void exchanged(const Half &sent, const Half &received, MPI_Comm communicator,
                 const MPI_Status &status) noexcept;

  CallTimes times; ///< the end is set by the function that records the call
  const MpiFunctionId function;
};

/// The bytes that this rank contributes to a collective; 0 if `buffer` is MPI_IN_PLACE or the
/// communicator is an intercommunicator, because the other arguments may mean nothing then.
std::uint64_t contribution(MPI_Comm communicator, const void *buffer, int count,
                           MPI_Datatype datatype);
/// The same with one count for each of `partners`.
std::uint64_t contribution(MPI_Comm communicator, const void *buffer, const int counts[],
                           MPI_Datatype datatype, int partners);
std::uint64_t contribution(MPI_Comm communicator, const void *buffer, const int counts[],
                           const MPI_Datatype datatypes[], int partners);
/// The number of ranks to which one rank sends in a collective on the communicator, and in a
/// neighbourhood collective.
int rankCount(MPI_Comm communicator);
int neighborCount(MPI_Comm communicator);

/// A communicator was created. It gets its number now, because ranks that number communicators at
/// first use would number them differently.
void noteCommunicator(MPI_Comm communicator) noexcept;
/// MPI has begun to make a copy of a communicator.
void noteDuplicate(MPI_Comm original, MPI_Comm copy) noexcept;
/// A communicator is about to be freed.
void dropCommunicator(MPI_Comm communicator) noexcept;

} // namespace sendwright

#endif
