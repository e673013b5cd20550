// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Communicators of the program, named so that all members name one alike: by their members and how
// many of the same members were created before, since creation is collective. A record outlives its
// communicator as long as messages do.

#ifndef SENDWRIGHT_RUNTIME_STRICT_COMMUNICATORRECORDS_H
#define SENDWRIGHT_RUNTIME_STRICT_COMMUNICATORRECORDS_H

#include "runtime/base/HandleTable.h"

#include <mpi.h>

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace sendwright::strict {

struct CommunicatorRecord {
  std::int64_t id = 0;      ///< the same at all members; 0 where that cannot be said
  std::vector<int> peers;   ///< world ranks of those that messages go to; -1: of another job
  std::vector<int> members; ///< world ranks of all
  bool world = false;       ///< MPI_COMM_WORLD itself
  bool intercommunicator = false;
  bool alive = true; ///< not freed yet

  /// MPI_PROC_NULL, MPI_ANY_SOURCE and what is out of range stay what they are.
  int worldRank(int rank) const {
    return rank >= 0 && std::size_t(rank) < peers.size() ? peers[rank] : rank;
  }
};

class CommunicatorRecords {
public:
  using Record = std::shared_ptr<CommunicatorRecord>;
  CommunicatorRecords();

  /// Looked up where it is not known, then without an id.
  Record of(MPI_Comm communicator);
  void note(MPI_Comm communicator);
  void drop(MPI_Comm communicator);

  /// This rank begins a collective on it: the how manieth that is.
  std::int64_t beginCollective(const CommunicatorRecord &record) { return ++begun[record.id]; }
  /// The same for what is no communicator (id: unlike those of communicators).
  void setBegun(std::int64_t id, std::int64_t count) { begun[id] = count; }
  /// By id, for the communicators that are not freed.
  const std::map<std::int64_t, std::int64_t> &collectives() const { return begun; }

private:
  HandleTable<CommunicatorHandle, Record> known;
  std::map<std::int64_t, std::int64_t> created; ///< by members
  std::map<std::int64_t, std::int64_t> begun;
};

} // namespace sendwright::strict

#endif
