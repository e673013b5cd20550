// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The requests of captured non-blocking sends: persistent ones, which the program takes for those
// of its own calls. A set of handles, looked up in every call that may complete one.

#ifndef SENDWRIGHT_RUNTIME_BATCH_REQUESTTABLE_H
#define SENDWRIGHT_RUNTIME_BATCH_REQUESTTABLE_H

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace sendwright {

/// Open addressing with linear probing; deletion moves later entries back, so that a long run
/// leaves no graves. All operations take constant time on average. Not thread-safe.
class RequestTable {
public:
  /// Makes room for one more insertion. Throws std::bad_alloc.
  void reserveOne();
  /// Adds a handle that is not in the table and not MPI_REQUEST_NULL; room was reserved.
  void insert(MPI_Request request) noexcept;
  bool contains(MPI_Request request) const noexcept;
  /// Takes a handle out; false when it was not there.
  bool erase(MPI_Request request) noexcept;
  bool empty() const noexcept { return used == 0; }

private:
  std::size_t home(MPI_Request request) const noexcept;
  std::size_t find(MPI_Request request) const noexcept; ///< its slot, or the free one it would take

  std::vector<MPI_Request> slots; ///< a power of two of them; MPI_REQUEST_NULL is free
  std::size_t used = 0;
};

} // namespace sendwright

#endif
