// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A receive of the program that the runtime serves, and the contents of its status.

#ifndef SENDWRIGHT_RUNTIME_SHARING_PLANNED_POSTEDRECEIVE_H
#define SENDWRIGHT_RUNTIME_SHARING_PLANNED_POSTEDRECEIVE_H

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace sendwright::exchange {

class SharedCommunicator;

struct PostedReceive {
  // As the program gave it:
  void *buffer = nullptr;
  int count = 0;
  MPI_Datatype datatype = MPI_DATATYPE_NULL;
  int source = 0, tag = 0; ///< possibly MPI_ANY_SOURCE, MPI_ANY_TAG
  MPI_Comm handle = MPI_COMM_NULL;
  SharedCommunicator *communicator = nullptr;

  MPI_Request request = MPI_REQUEST_NULL; ///< what the program waits for; null in a blocking call
  bool ownsDatatype = false;              ///< a duplicate, because the program may free its own
  bool persistent = false;                ///< `request` stays, and is never active at MPI
  bool active = false;                    ///< started, and not yet seen complete by the program
  bool detached = false;                  ///< the program freed the request
  std::uint64_t serial = 0;               ///< receives are served in this order
  MPI_Request payload = MPI_REQUEST_NULL; ///< MPI's request by which its message comes
  bool atMpi = false;                     ///< `payload` is a receive like this one, posted at MPI

  // Its outcome, once it is done:
  bool done = false, cancelled = false;
  int statusSource = MPI_ANY_SOURCE, statusTag = MPI_ANY_TAG, error = MPI_SUCCESS;
  MPI_Count bytes = 0;

  /// Whether a message of this rank with this tag can be its message.
  bool accepts(int from, int ofTag) const {
    return (source == MPI_ANY_SOURCE || source == from) && (tag == MPI_ANY_TAG || tag == ofTag);
  }
};

/// Stores the message's bytes, as MPI_Pack() gives them, where the receive wants them, and notes
/// size and error; does not complete it. `self` is a communicator of this process alone.
void place(PostedReceive &receive, std::span<const std::byte> bytes, MPI_Comm self);

/// Completes the receive: the program's wait or test will find it done.
void complete(PostedReceive &receive);

/// Fills what the program sees. Does nothing if it ignores statuses.
void fillStatus(const PostedReceive &receive, MPI_Status *status);

/// Frees what the receive owns, and the receive itself.
void release(PostedReceive *receive);

/// Whether `count` elements are their bytes one after another, without gaps; and their size.
struct DatatypeShape {
  bool plain = false;
  MPI_Count size = 0;
};
DatatypeShape shapeOf(MPI_Datatype datatype);

} // namespace sendwright::exchange

#endif
