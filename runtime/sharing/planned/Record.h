// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A message of the program while it travels in messages of the runtime: what its receiver needs to
// know about it, and its bytes as MPI_Pack() gives them.

#ifndef SENDWRIGHT_RUNTIME_SHARING_PLANNED_RECORD_H
#define SENDWRIGHT_RUNTIME_SHARING_PLANNED_RECORD_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace sendwright::exchange {

struct Record {
  std::uint32_t place = 0; ///< index: by route, of the message; else of the communicator
  std::int32_t tag = 0;
  std::uint32_t pairNumber = 0; ///< number among the messages of its sender, receiver and
                                ///< communicator
  std::uint32_t tagNumber = 0;  ///< number among those with its tag
  std::uint64_t bytes = 0;      ///< of the message
};

/// Set in Record::place if only the message's header is here, with the tag (8 bytes) under which
/// the rest comes from the sender's buffer on the private communicator.
inline constexpr std::uint32_t announced = 1u << 31;
/// Set in Record::place if the sender waits until the message has met its receive.
inline constexpr std::uint32_t synchronous = 1u << 30;
/// Record::place of a notice to a sender (ReceiptNotices.h). Indices are below it.
inline constexpr std::uint32_t notice = synchronous - 1;

/// Set in Record::place of a record without a message: MPI carries what its sender sends the
/// receiver on the communicator from the message with that pairNumber on; the answer, that the
/// receiver has posted its receives at MPI; and all of these marks.
inline constexpr std::uint32_t leavesPair = 1u << 29, hasLeftPair = 1u << 28;
inline constexpr std::uint32_t placeMarks = announced | synchronous | leavesPair | hasLeftPair;

/// How many of a record's bytes are stored with it.
inline std::size_t storedBytes(const Record &record) {
  return record.place & announced ? sizeof(std::uint64_t) : record.bytes;
}

/// Bytes with padding, so that what follows is aligned.
inline std::size_t padded(std::size_t bytes) { return (bytes + 7) & ~std::size_t(7); }

/// Appends a record with room for its bytes, and returns where they go.
inline std::byte *append(std::vector<std::byte> &message, const Record &record) {
  const std::size_t at = message.size(), stored = storedBytes(record);
  if (message.capacity() < at + sizeof record + padded(stored))
    message.reserve(2 * (at + sizeof record + padded(stored)));
  message.resize(at + sizeof record + padded(stored));
  std::memcpy(message.data() + at, &record, sizeof record);
  return message.data() + at + sizeof record;
}

/// Calls `visit(record, bytes)` for each record of a message.
template <typename Visit> void forEachRecord(std::span<std::byte> message, Visit visit) {
  while (message.size() >= sizeof(Record)) {
    Record record;
    std::memcpy(&record, message.data(), sizeof record);
    const std::size_t stored = storedBytes(record);
    visit(record, message.subspan(sizeof record, stored));
    message = message.subspan(sizeof record + padded(stored));
  }
}

} // namespace sendwright::exchange

#endif
