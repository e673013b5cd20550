// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What receivers tell senders: that a message has met its receive, or will. Senders of synchronous
// messages wait for it, whose bytes have left already; and members meet before collective calls
// while a large message that was only announced has not met its receive.
//
// A rank that is about to enter a collective call without meeting looks for no messages there. So
// it tells each rank whose messages it waits for what it has posted: a synchronous send to it may
// come to its sender's call only later (analysis/sharing/PostedReceives.h). Nothing is told by a
// rank without such receives.

#ifndef SENDWRIGHT_RUNTIME_SHARING_PLANNED_RECEIPTNOTICES_H
#define SENDWRIGHT_RUNTIME_SHARING_PLANNED_RECEIPTNOTICES_H

#include "analysis/sharing/PostedReceives.h"
#include "runtime/sharing/planned/Link.h"
#include "runtime/sharing/planned/Record.h"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace sendwright::exchange {

class ProgramRequests;

class ReceiptNotices {
public:
  /// `link`: notices go with the messages of this tag. `self`: a communicator of this process
  /// alone. All must outlive it.
  void begin(Link &link, int tag, MPI_Comm self, ProgramRequests &requests);

  // At the sender. Ranks in the world; `communicator`: its index.

  /// A synchronous message has been sent. Creates a request for it, which completes once the
  /// message is sure to be received. Returns MPI's error code.
  int await(int destination, std::uint32_t communicator, const Record &record,
            MPI_Request *request);
  /// Whether the request is of such a message, which is not yet sure to be received.
  bool owns(MPI_Request request) const;
  /// The program frees the request.
  void forget(MPI_Request request);
  /// A message has been announced.
  void noteAnnounced() { ++announcedMessages; }
  /// Whether an announced message may not have met its receive.
  bool awaitsAnnounced() const { return announcedMessages != 0; }

  // At the receiver.

  /// The message has met its receive.
  void tellMet(int source, std::uint32_t communicator, const Record &record);
  /// These receives are posted, for messages of `source` alone.
  void tellPosted(int source, std::uint32_t communicator, const PostedReceives &posted);

  /// A notice has arrived.
  void arrived(int source, std::span<const std::byte> notice);

private:
  /// The beginning of a notice.
  struct Head {
    std::uint32_t communicator = 0;
    std::uint32_t isPosted = 0; ///< else it says that a message has met its receive
    std::uint32_t number = 0;   ///< of the message; PostedReceives::first
    std::uint32_t rest = 0;     ///< whether the message was announced; PostedReceives::ofAnyTag
  };
  struct Pending {
    int destination;
    std::uint32_t communicator;
    Record record;
    int trigger; ///< tag of the empty message that completes the request
    MPI_Request request;
  };
  void tell(int destination, const Head &head, std::span<const PostedReceives::OfTag> tags);
  bool isSure(const Pending &pending) const;
  void complete(const Pending &pending) const;
  void takePosted(int source, const Head &head, std::span<const std::byte> tags);

  Link *link = nullptr;
  ProgramRequests *requests = nullptr;
  int tag = 0;
  MPI_Comm self = MPI_COMM_NULL;
  std::vector<Pending> waiting;
  std::map<std::pair<int, std::uint32_t>, PostedReceives> lastPosted; ///< by rank and communicator
  std::size_t announcedMessages = 0;
};

} // namespace sendwright::exchange

#endif
