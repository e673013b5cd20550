// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Communicators of the program, with names that all members derive alike: from their members, and
// from how many communicators of the same members were created before, since creation is
// collective. A record outlives its communicator as long as messages do.

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
  std::int64_t id = 0;      ///< the same at all members; 0 if none can be derived
  std::vector<int> peers;   ///< world ranks that messages go to; -1: of another job
  std::vector<int> members; ///< world ranks of all members
  bool world = false;       ///< MPI_COMM_WORLD itself
  bool intercommunicator = false;
  bool alive = true; ///< not freed yet

  /// MPI_PROC_NULL, MPI_ANY_SOURCE and numbers out of range stay unchanged.
  int worldRank(int rank) const {
    return rank >= 0 && std::size_t(rank) < peers.size() ? peers[rank] : rank;
  }
};

class CommunicatorRecords {
public:
  using Record = std::shared_ptr<CommunicatorRecord>;
  CommunicatorRecords();

  /// An unknown communicator is looked up, and gets no id.
  Record of(MPI_Comm communicator);
  void note(MPI_Comm communicator);
  void drop(MPI_Comm communicator);

  /// This rank begins a collective on the communicator; returns its number there, from 1.
  std::int64_t beginCollective(const CommunicatorRecord &record) { return ++begun[record.id]; }
  /// The same for what is not a communicator; its ids differ from those of communicators.
  void setBegun(std::int64_t id, std::int64_t count) { begun[id] = count; }
  /// Keyed by id, for communicators that are not freed.
  const std::map<std::int64_t, std::int64_t> &collectives() const { return begun; }

private:
  HandleTable<CommunicatorHandle, Record> known;
  std::map<std::int64_t, std::int64_t> created; ///< keyed by a hash of the members
  std::map<std::int64_t, std::int64_t> begun;
};

} // namespace sendwright::strict

#endif
