// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The communicators on which messages are shared, found by the program's handles and by the numbers
// with which messages name them. A plan names them before the program creates them. While routes
// are learned, each communicator of several ranks of this job gets a number from its first member
// when it is created; messages that arrive earlier wait. The world has number 0.

#ifndef SENDWRIGHT_RUNTIME_SHARING_PLANNED_SHAREDCOMMUNICATORS_H
#define SENDWRIGHT_RUNTIME_SHARING_PLANNED_SHAREDCOMMUNICATORS_H

#include "runtime/base/HandleTable.h"
#include "runtime/base/PrivateCommunicator.h"
#include "runtime/base/RecordedCommunicators.h"
#include "runtime/sharing/planned/Record.h"
#include "runtime/sharing/planned/SharedCommunicator.h"

#include <mpi.h>

#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

namespace sendwright::exchange {

class SharedCommunicators {
public:
  /// With `everyPair`, the runtime carries all messages between members of the program's
  /// intracommunicators; otherwise those of the plan's communicators.
  explicit SharedCommunicators(bool everyPair) : everyPair(everyPair) {}

  /// `self` belongs to this process alone, `link` carries messages. All must outlive this.
  void begin(MPI_Comm self, PrivateCommunicator &link, ReceiptNotices &notices);

  /// The communicator of the plan, created if it is new. All ranks ask in the same order.
  SharedCommunicator &planned(const Communicator &identity);
  /// The communicator behind one of the program's handles if messages are shared on it, else null.
  SharedCommunicator *find(MPI_Comm handle) {
    return handle == lastHandle ? lastFound : lookUp(handle);
  }
  /// The communicator with that number; null if this rank does not know it.
  const Communicator *identityOf(std::uint32_t index) const;
  /// World ranks of the members of a communicator of the program.
  const std::vector<int> &membersOf(MPI_Comm handle);

  /// The program created a communicator. All its members must call this.
  void note(MPI_Comm handle);
  /// MPI has begun to create a copy.
  void noteDuplicate(MPI_Comm original, MPI_Comm copy);
  /// The program frees the communicator. Returns it, from now on without a handle, if messages are
  /// shared on it, else null.
  SharedCommunicator *drop(MPI_Comm handle);
  /// Forgets communicators without a handle for which isNeeded(communicator) is false, and on which
  /// no receive is posted.
  template <typename IsNeeded> void sweep(IsNeeded isNeeded) {
    std::erase_if(communicators, [&](const auto &entry) {
      const SharedCommunicator &one = entry.second;
      return one.handle == MPI_COMM_NULL && one.idle() && !isNeeded(one);
    });
  }

  /// A message that goes directly arrived; `source` is a rank of the world.
  void arrived(int source, const Record &record, std::span<std::byte> bytes);

  /// Calls visit(communicator) for each communicator, in the order of their numbers.
  template <typename Visit> void forEach(Visit visit) {
    for (auto &[index, communicator] : communicators)
      visit(communicator);
  }
  /// Whether the caller must keep looking for messages of MPI.
  bool probe() const;
  /// Whether MPI carries the messages of a pair of ranks.
  bool haveLeft() const;
  /// Whether no receive is posted and no message waits for its receive.
  bool areIdle() const;

private:
  /// A message that arrived before this rank knew its communicator.
  struct EarlyMessage {
    int source = 0;
    Record record;
    std::vector<std::byte> bytes;
  };

  SharedCommunicator &add(MPI_Comm handle, const Communicator &identity, std::uint32_t index);
  SharedCommunicator *lookUp(MPI_Comm handle);
  void know(MPI_Comm handle, SharedCommunicator *communicator);
  void bind(MPI_Comm handle);
  void number(MPI_Comm handle);

  const bool everyPair;
  MPI_Comm self = MPI_COMM_NULL;
  PrivateCommunicator *link = nullptr;
  ReceiptNotices *notices = nullptr;
  RecordedCommunicators recorded;
  std::map<std::uint32_t, SharedCommunicator> communicators; ///< by number
  std::unordered_map<std::uint32_t, std::vector<EarlyMessage>> early;
  HandleTable<CommunicatorHandle, SharedCommunicator *> known; ///< null: MPI carries its messages
  MPI_Comm lastHandle = MPI_COMM_NULL;
  SharedCommunicator *lastFound = nullptr;
  unsigned numbered = 0; ///< number of communicators that this rank numbered
};

} // namespace sendwright::exchange

#endif
