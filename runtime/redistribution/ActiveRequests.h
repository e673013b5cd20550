// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests under way, each with its purpose.

#ifndef SENDWRIGHT_RUNTIME_REDISTRIBUTION_ACTIVEREQUESTS_H
#define SENDWRIGHT_RUNTIME_REDISTRIBUTION_ACTIVEREQUESTS_H

#include <mpi.h>

#include <cstdint>
#include <vector>

namespace sendwright::redistribution {

enum class RequestUse : std::uint8_t { Vote, SentVote, Receive, Send };

struct Purpose {
  bool operator==(const Purpose &) const = default;
  RequestUse use = RequestUse::Vote;
  std::uint32_t index = 0; ///< of the message
  std::uint32_t chunk = 0; ///< of the message
};

class ActiveRequests {
public:
  /// Makes room for `most` requests at once. Throws std::bad_alloc; nothing else here does.
  void reserve(std::size_t most);
  void add(MPI_Request request, Purpose purpose);
  bool empty() const { return requests.empty(); }

  /// Calls completed(purpose) for each complete request. Waits for at least one if `wait` and not
  /// empty(). Keeps the first error.
  template <typename Completed> void complete(bool wait, Completed completed) {
    const int count = findComplete(wait);
    for (int i = 0; i < count; ++i)
      completed(done[static_cast<std::size_t>(i)]);
  }

  /// The incomplete request with this purpose, or null.
  MPI_Request *find(Purpose purpose);
  /// Whether a request of this use and message is incomplete.
  bool awaits(RequestUse use, std::uint32_t index) const;
  /// Nothing is received any more. What is sent goes on without a request.
  void abandon();

  int error = MPI_SUCCESS; ///< of the first failed message

private:
  int findComplete(bool wait);
  /// Returns MPI's error code; `count` of the requests, at `indices`, are complete.
  int askMpi(bool wait, int &count);

  std::vector<MPI_Request> requests;
  std::vector<Purpose> purposes, done;
  std::vector<int> indices;
  std::vector<MPI_Status> statuses;
};

} // namespace sendwright::redistribution

#endif
