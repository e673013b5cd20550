// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The copies of sends that are on their way although the program went on.
//
//     MPI_Send in a scope     batch/Capture.cpp   asks takes(), copies, and calls send()
//     MPI_Isend in a scope    the same            the program's request is complete at once
//     no room for a copy      makeRoom()          waits for the oldest blocking sends
//     MPI_Comm_free, ...      completeOn()        before MPI gives up the communicator
//     MPI_Finalize            finish()            waits for all copies
//
// Every wait here stands for one that the program made before: as written, each of these sends had
// completed by then. (Only in MPI_Finalize it is certain that the program has waited for a
// nonblocking send.) MPI treats a copy as it would have treated the send, so a wait here ends
// wherever the program's own wait ended, and no rank waits that did not wait before.

#ifndef SENDWRIGHT_RUNTIME_COMPLETION_EARLYSENDS_H
#define SENDWRIGHT_RUNTIME_COMPLETION_EARLYSENDS_H

#include "runtime/base/Process.h"
#include "runtime/batch/Batch.h"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>

namespace sendwright {

/// Belongs to the thread that called MPI_Init, like the batch.
class EarlySends final : public Layer, public CopySender {
public:
  static constexpr LayerPlace place = LayerPlace::Completion;

  /// Bytes of the smallest send that is copied, and of all copies on their way. With `most` 0
  /// nothing is copied.
  EarlySends(std::uint64_t least, std::uint64_t most) : least(least), most(most) {}

  bool takes(MPI_Count bytes) const override;
  void *allocate(std::size_t bytes, bool blocking) override;
  int send(const SendArguments &copied, MPI_Request *request) override;
  std::uint64_t limit() const override { return most; }

  /// Waits until the blocking sends on this communicator have left.
  void completeOn(MPI_Comm communicator);
  /// Waits until all copies have left.
  void finish() override;

private:
  struct Copy {
    std::unique_ptr<std::byte[]> memory;
    std::size_t bytes = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    bool blocking = true;
    MPI_Comm communicator = MPI_COMM_NULL;
    int destination = MPI_PROC_NULL; ///< likewise `tag`: for messages
    int tag = 0;
  };

  bool hasRoom(std::size_t size) const { return bytes + size <= most; }
  void makeRoom(std::size_t size);
  void dropLeft();
  template <typename Condition> void completeIf(Condition condition);
  void complete(std::size_t index);

  std::uint64_t least, most;
  Copy next;             ///< allocated, not sent yet
  std::deque<Copy> sent; ///< the oldest first
  std::size_t bytes = 0; ///< of `sent`
};

/// The state of this process; created by the first plan that has sites. Plans of several units with
/// different sizes: those of the first count. Throws std::bad_alloc.
EarlySends &earlySends(std::uint64_t least, std::uint64_t most);

} // namespace sendwright

#endif
