// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/batch/LeadingPart.h"

#include <cstring>

namespace sendwright {

LeadingPart::LeadingPart(const SendArguments &send, MPI_Count bytesOfElement)
    : lastElement(
          std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytesOfElement))),
      changed(send) {
  const auto *first = static_cast<const std::byte *>(send.buffer);
  const auto rest = static_cast<std::size_t>(bytesOfElement * (send.count - 1));
  std::memcpy(lastElement.get(), first + rest, static_cast<std::size_t>(bytesOfElement));
  const int counts[] = {send.count - 1, 1};
  const MPI_Datatype types[] = {send.datatype, send.datatype};
  MPI_Aint places[2];
  if (PMPI_Get_address(first, &places[0]) != MPI_SUCCESS ||
      PMPI_Get_address(lastElement.get(), &places[1]) != MPI_SUCCESS ||
      PMPI_Type_create_struct(2, counts, places, types, &bothPlaces) != MPI_SUCCESS) {
    bothPlaces = MPI_DATATYPE_NULL;
    return;
  }
  if (PMPI_Type_commit(&bothPlaces) != MPI_SUCCESS)
    return;
  changed.buffer = MPI_BOTTOM;
  changed.count = 1;
  changed.datatype = bothPlaces;
}

/// Sends under way keep what they need of it.
void LeadingPart::freeDatatype() {
  if (bothPlaces != MPI_DATATYPE_NULL)
    PMPI_Type_free(&bothPlaces); // sets the handle to null
}

} // namespace sendwright
