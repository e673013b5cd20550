// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One rank's part in one operation: the steps of its schedule, one after the other. Sends are begun
// without waiting; only sends directly from the program's data are waited for, at the end.

#ifndef SENDWRIGHT_RUNTIME_COLLECTIVES_OPERATION_H
#define SENDWRIGHT_RUNTIME_COLLECTIVES_OPERATION_H

#include "runtime/collectives/Contents.h"
#include "runtime/collectives/PlannedOperations.h"

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sendwright::collectives {

class Operation {
public:
  /// `call`, whose counts are not negative, is a call of `planned`, which has its schedule; both
  /// must outlive this. Throws std::bad_alloc, as run() does.
  Operation(PlannedOperations &operations, PlannedOperation &planned, const CollectiveCall &call);

  /// Carries it out, by its schedule or by MPI's function. The result has MPI's first error, and
  /// what the last receive got.
  exchange::PostedReceive run();

  /// After run() of an operation in which each rank gets something from each other: whether some
  /// rank could not carry it out. All ranks know, because heads pass the information on, and all
  /// run the loop as written.
  bool isRefused() const { return refused != 0; }
  std::string place() const; ///< "the broadcast at app.c:42"

private:
  /// A receive whose head is posted.
  struct Posted {
    const LocalStep *step = nullptr;
    std::byte *head = nullptr;
    std::span<std::byte> data; ///< where the first data are received; null: not posted
    MPI_Request headRequest = MPI_REQUEST_NULL, dataRequest = MPI_REQUEST_NULL;
  };
  /// A send directly from the program's data.
  struct InPlace {
    MPI_Request request = MPI_REQUEST_NULL;
    int peer = 0;
    std::uint32_t step = 0; ///< whose slots it sends
  };

  void followSchedule();
  void callLibrary();
  void reduceByLibrary();
  void fillFrame(std::uint32_t step, std::byte *frame, std::uint64_t room);
  void takeFrame(std::uint32_t step, std::byte *frame, std::uint64_t room);
  int pass(std::byte *out, std::byte *in, int bytes);
  void postAhead();
  void send(std::uint32_t step);
  void sendSmall(const LocalStep &step, const MessageHead &head, std::uint64_t total);
  void sendLarge(std::uint32_t index, const MessageHead &head, std::uint64_t total);
  void sendInPlace(std::uint32_t index, std::byte *data, int count, MessagePart part);
  void receive();
  std::byte *receiveApart(Posted &posted, const MessageHead &head);
  void receivePart(const LocalStep &step, std::byte *to, std::uint64_t bytes);
  void checkHead(const LocalStep &step, const MessageHead &head);
  MessageHead headOf(const LocalStep &step, std::uint64_t &total);
  void beforeChange(const LocalStep &step);
  void wait(MPI_Request &request, [[maybe_unused]] int peer);
  void note(int mpiError);
  std::byte *contiguous(const LocalStep &step, std::uint64_t total);

  PlannedOperations &operations;
  PlannedOperation &planned;
  const CollectiveCall &call;
  const std::uint64_t instance;
  Scratch scratch;
  std::unique_ptr<Contents> contents;
  std::uint16_t refused = 0;     ///< by this rank, or by a rank that it heard of
  std::deque<Posted> posted;     ///< in the order of the steps
  std::size_t nextToPost = 0;    ///< index among the schedule's receives
  std::uint64_t postedBytes = 0; ///< of posted receives, as in the profile
  std::vector<InPlace> sends;
  std::vector<std::uint64_t> sizes; ///< of the slots in the current message
  int error = MPI_SUCCESS;
};

} // namespace sendwright::collectives

#endif
