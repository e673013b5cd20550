// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The communicators on which messages are shared, as the program's handles and as the numbers that
// messages name them by. A plan names them before the program makes them. While routes are learned,
// each communicator of several ranks of this job gets a number when it is made, which its first
// member gives it; messages that come sooner wait.

#ifndef SENDWRIGHT_RUNTIME_SHARING_PLANNED_SHAREDCOMMUNICATORS_H
#define SENDWRIGHT_RUNTIME_SHARING_PLANNED_SHAREDCOMMUNICATORS_H

#include "runtime/base/HandleTable.h"
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
  /// With `everyPair`, all messages between members of the program's intracommunicators travel with
  /// the runtime; else those of the plan's communicators.
  explicit SharedCommunicators(bool everyPair) : everyPair(everyPair) {}

  /// `self` is of this process alone, `world` that of the link. Both outlive this.
  void begin(MPI_Comm self, MPI_Comm world);

  /// The communicator of the plan, made where it is new. All ranks ask in the same order.
  SharedCommunicator &planned(const Communicator &identity);
  /// The communicator behind a handle of the program's where messages are shared on it, else null.
  SharedCommunicator *find(MPI_Comm handle) {
    return handle == lastHandle ? lastFound : lookUp(handle);
  }
  /// What the communicator with that number is, or null where this rank does not know it.
  const Communicator *identityOf(std::uint32_t index) const;
  /// World ranks of the members of a communicator of the program's.
  const std::vector<int> &membersOf(MPI_Comm handle);

  /// The program made a communicator, which all its members say here.
  void note(MPI_Comm handle);
  /// MPI has begun to make a copy.
  void noteDuplicate(MPI_Comm original, MPI_Comm copy);
  /// The program frees it. Returns the communicator, without a handle from now on, where messages
  /// are shared on it, else null.
  SharedCommunicator *drop(MPI_Comm handle);
  /// Forgets communicators without a handle for which isNeeded(communicator) is false, and on which
  /// no receive is posted.
  template <typename IsNeeded> void sweep(IsNeeded isNeeded) {
    std::erase_if(communicators, [&](const auto &entry) {
      const SharedCommunicator &one = entry.second;
      return one.handle == MPI_COMM_NULL && one.idle() && !isNeeded(one);
    });
  }

  /// A message that goes straight came; `source` is a rank of the world.
  void arrived(int source, const Record &record, std::span<std::byte> bytes);

  /// Calls visit(communicator) for each, in the order of their numbers.
  template <typename Visit> void forEach(Visit visit) {
    for (auto &[index, communicator] : communicators)
      visit(communicator);
  }
  /// Whether one must look for messages of MPI's again and again.
  bool probe() const;
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
  MPI_Comm self = MPI_COMM_NULL, world = MPI_COMM_NULL;
  RecordedCommunicators recorded;
  std::map<std::uint32_t, SharedCommunicator> communicators; ///< by number
  std::unordered_map<std::uint32_t, std::vector<EarlyMessage>> early;
  HandleTable<CommunicatorHandle, SharedCommunicator *> known; ///< null: its messages are MPI's
  MPI_Comm lastHandle = MPI_COMM_NULL;
  SharedCommunicator *lastFound = nullptr;
  unsigned numbered = 0; ///< number of communicators that this rank numbered
};

} // namespace sendwright::exchange

#endif
