// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The receiver's buffers: which messages hold one, and which messages wait for one, first come
// first served.

#ifndef SENDWRIGHT_RUNTIME_STRICT_BUFFERPOOL_H
#define SENDWRIGHT_RUNTIME_STRICT_BUFFERPOOL_H

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace sendwright::strict {

/// A message that needs a buffer: its sender's world rank, and the number that the sender gave it.
struct Ticket {
  std::int64_t rank;
  std::int64_t number;
  bool operator==(const Ticket &) const = default;
};

class BufferPool {
public:
  explicit BufferPool(int buffers) : buffers(buffers) {}

  void want(const Ticket &ticket) { queue.push_back(ticket); }

  /// The message was matched: it needs no buffer any more, whether it had one or not. Ignores
  /// unknown tickets.
  void done(const Ticket &ticket) {
    if (std::erase(granted, ticket) == 0)
      std::erase(queue, ticket);
  }

  /// Grants a free buffer to the first message that waits, and returns its ticket.
  std::optional<Ticket> grantNext() {
    if (queue.empty() || granted.size() >= std::size_t(buffers))
      return std::nullopt;
    granted.push_back(queue.front());
    queue.pop_front();
    return granted.back();
  }

  int size() const { return buffers; }
  const std::vector<Ticket> &holders() const { return granted; }
  const std::deque<Ticket> &waiting() const { return queue; }

private:
  int buffers;
  std::vector<Ticket> granted;
  std::deque<Ticket> queue;
};

} // namespace sendwright::strict

#endif
