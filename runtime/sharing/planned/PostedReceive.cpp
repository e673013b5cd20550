// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/sharing/planned/PostedReceive.h"

#include "runtime/base/MpiDifferences.h"
#include "runtime/batch/Batch.h"

#include <algorithm>
#include <climits>
#include <cstring>

namespace sendwright::exchange {

DatatypeShape shapeOf(MPI_Datatype datatype) {
  DatatypeShape shape;
  int integers = 0, addresses = 0, datatypes = 0, combiner = 0;
  MPI_Count lowerBound = 0, extent = 0;
  PMPI_Type_size_x(datatype, &shape.size);
  PMPI_Type_get_envelope(datatype, &integers, &addresses, &datatypes, &combiner);
  PMPI_Type_get_extent_x(datatype, &lowerBound, &extent);
  shape.plain = combiner == MPI_COMBINER_NAMED && lowerBound == 0 && extent == shape.size &&
                !currentBatch()->deviceMemory;
  return shape;
}

namespace {

/// MPI itself delivers the message: it handles half an element, and too many elements.
void sendToItself(PostedReceive &receive, std::span<const std::byte> bytes, MPI_Comm self) {
  MPI_Request request = MPI_REQUEST_NULL;
  PMPI_Irecv(receive.buffer, receive.count, receive.datatype, 0, 0, self, &request);
  PMPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_PACKED, 0, 0, self);
  receive.error = PMPI_Wait(&request, MPI_STATUS_IGNORE);
}

} // namespace

void place(PostedReceive &receive, std::span<const std::byte> bytes, MPI_Comm self) {
  const DatatypeShape shape = shapeOf(receive.datatype);
  const MPI_Count room = shape.size * receive.count;
  receive.bytes = static_cast<MPI_Count>(bytes.size());
  if (receive.bytes > room) {
    receive.bytes = room;
    receive.error = MPI_ERR_TRUNCATE;
    if (!shape.plain)
      return;
  }
  if (receive.bytes == 0)
    return;
  if (shape.plain) {
    std::memcpy(receive.buffer, bytes.data(), static_cast<std::size_t>(receive.bytes));
    return;
  }
  if (receive.bytes % shape.size != 0 || receive.bytes > INT_MAX ||
      (!packsFromNull && !receive.buffer)) {
    sendToItself(receive, bytes, self);
    return;
  }
  int position = 0;
  receive.error = PMPI_Unpack(bytes.data(), static_cast<int>(receive.bytes), &position,
                              receive.buffer, static_cast<int>(receive.bytes / shape.size),
                              receive.datatype, self); // the program may free its datatype
}

void complete(PostedReceive &receive) {
  receive.done = true;
  if (!receive.persistent && receive.request != MPI_REQUEST_NULL)
    PMPI_Grequest_complete(receive.request);
  if (receive.detached)
    release(&receive);
}

void fillStatus(const PostedReceive &receive, MPI_Status *status) {
  if (status == MPI_STATUS_IGNORE)
    return;
  status->MPI_SOURCE = receive.statusSource;
  status->MPI_TAG = receive.statusTag;
  PMPI_Status_set_elements_x(status, MPI_BYTE, receive.bytes);
  if (!isSimulated)
    PMPI_Status_set_cancelled(status, receive.cancelled);
}

void release(PostedReceive *receive) {
  if (receive->ownsDatatype)
    PMPI_Type_free(&receive->datatype);
  delete receive;
}

} // namespace sendwright::exchange
