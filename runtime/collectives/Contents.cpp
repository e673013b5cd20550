// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/collectives/Contents.h"

#include "runtime/base/MpiDifferences.h"

#include <algorithm>
#include <climits>

namespace sendwright::collectives {

ProgramBlocks::ProgramBlocks(const sendwright_blocks &blocks) {
  if (!blocks.type || *static_cast<const MPI_Datatype *>(blocks.type) == MPI_DATATYPE_NULL)
    return;
  exist = true;
  first = const_cast<std::byte *>(static_cast<const std::byte *>(blocks.buffer));
  stride = blocks.stride;
  count = blocks.count;
  datatype = *static_cast<const MPI_Datatype *>(blocks.type);
  const exchange::DatatypeShape shape = exchange::shapeOf(datatype);
  bytes = static_cast<std::uint64_t>(shape.size) * static_cast<std::uint64_t>(count);
  plain = shape.plain || bytes == 0;
}

ProgramBlocks::Span ProgramBlocks::span() const {
  if (!exist || bytes == 0)
    return {};
  MPI_Aint lower = 0, extent = 0, trueLower = 0, trueExtent = 0;
  PMPI_Type_get_extent(datatype, &lower, &extent);
  PMPI_Type_get_true_extent(datatype, &trueLower, &trueExtent);
  const long long last = static_cast<long long>(extent) * (count - 1);
  return {trueLower + std::min(0LL, last), trueLower + trueExtent + std::max(0LL, last)};
}

void Contents::pack(const ProgramBlocks &blocks, const std::byte *from, std::byte *to,
                    MPI_Comm self) {
  if (blocks.bytes > INT_MAX)
    return note(MPI_ERR_COUNT);
  const int size = static_cast<int>(blocks.bytes);
  if (packsFromNull || from) {
    int position = 0;
    note(PMPI_Pack(from, blocks.count, blocks.datatype, to, size, &position, self));
    return;
  }
  MPI_Request received = MPI_REQUEST_NULL;
  PMPI_Irecv(to, size, MPI_PACKED, 0, 0, self, &received);
  note(PMPI_Send(from, blocks.count, blocks.datatype, 0, 0, self));
  note(PMPI_Wait(&received, MPI_STATUS_IGNORE));
}

exchange::PostedReceive Contents::unpack(const ProgramBlocks &blocks, std::byte *to,
                                         std::span<const std::byte> bytes, MPI_Comm self) {
  exchange::PostedReceive receive;
  receive.buffer = to;
  receive.count = blocks.count;
  receive.datatype = blocks.datatype;
  if (blocks.plain && to == bytes.data() && bytes.size() <= blocks.bytes)
    receive.bytes = static_cast<MPI_Count>(bytes.size()); // the data are there already
  else
    exchange::place(receive, bytes, self);
  note(receive.error);
  return receive;
}

} // namespace sendwright::collectives
