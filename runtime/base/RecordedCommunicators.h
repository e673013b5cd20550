// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Communicators as the profile knows them: the world ranks of their members, and which of the live
// communicators with the same members it is. All members know both alike, because creating and
// freeing communicators is collective; so two ranks agree on which communicator they mean.
//
// Ranks may begin nonblocking duplications of different communicators in different orders. So such
// copies are counted separately for each original, with numbers that no others get.

#ifndef SENDWRIGHT_RUNTIME_BASE_RECORDEDCOMMUNICATORS_H
#define SENDWRIGHT_RUNTIME_BASE_RECORDEDCOMMUNICATORS_H

#include "analysis/trace/Profile.h"
#include "runtime/base/HandleTable.h"

#include <mpi.h>

#include <deque>
#include <map>
#include <tuple>
#include <vector>

namespace sendwright {

/// Not thread-safe. May throw std::bad_alloc.
class RecordedCommunicators {
public:
  /// Starts with MPI_COMM_WORLD (index 0) and MPI_COMM_SELF.
  RecordedCommunicators();

  /// Gives the communicator its instance number, unless it has one.
  void note(MPI_Comm communicator);
  /// The same for a copy of `original` that MPI has begun to create; the copy itself is not
  /// queried.
  void noteDuplicate(MPI_Comm original, MPI_Comm copy);
  /// The communicator is freed; its instance number becomes free.
  void drop(MPI_Comm communicator);
  /// Its index in the profile, assigned on the first call.
  int index(MPI_Comm communicator) {
    return communicator == lastHandle ? lastIndex : lookUp(communicator);
  }

  /// How the profile names `rank` of the communicator with that index: a world rank, anySource, or
  /// nullRank for MPI_PROC_NULL and for processes of another job.
  int peer(int index, int rank) const;

  bool isInter(int index) const { return table[index].intercommunicator; }
  const std::deque<Communicator> &communicators() const { return table; }

private:
  struct Living {
    Communicator communicator;
    std::vector<int> remote; ///< for an intercommunicator: the world ranks that messages go to
    int index = -1;
  };
  using Key = std::tuple<std::vector<int>, bool, unsigned>;

  int lookUp(MPI_Comm communicator);
  void add(MPI_Comm communicator, Living entry);

  HandleTable<CommunicatorHandle, Living> living;
  std::deque<Communicator> table;
  std::deque<std::vector<int>> peers; ///< indexed by communicator; empty: rank r is world rank r
  std::map<Key, int> indexOf;
  MPI_Comm lastHandle = MPI_COMM_NULL;
  int lastIndex = 0;
};

} // namespace sendwright

#endif
