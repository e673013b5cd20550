// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a leader hears the proposals of many ranks, and tells all ranks its plan, without a message
// from or to each. Ranks are the nodes of a tree whose root is the leader: each passes on what
// concerns those below it. With P ranks, no rank receives or sends more than 2 sqrt(P) messages.
//
//     rank                        parent                         leader
//     GATHERED  its proposal -->  keeps it until all below
//                                 it have told theirs, or for
//                                 a few executions
//                                 GATHERED  proposals   -->
//
//                                                       <--      SPREAD  answers
//                            <--  SPREAD  answers
//
// Nobody waits for what is gathered. Ranks wait for what is spread, so all must serve others
// meanwhile: it is used where all wait at one collective call.

#ifndef SENDWRIGHT_RUNTIME_SHARING_LEARNED_CONTROLTREE_H
#define SENDWRIGHT_RUNTIME_SHARING_LEARNED_CONTROLTREE_H

#include "runtime/sharing/learned/ControlMessage.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace sendwright::adaptation {

struct Learning;

class ControlTree {
public:
  /// `learning` must outlive it.
  explicit ControlTree(Learning &learning) : learning(learning) {}

  /// At the end of so many executions of a loop since something of it came, a rank passes on what
  /// it has.
  static constexpr unsigned patience = 3;

  /// Tells the leader. It hears this as from this rank, maybe some executions later.
  void gather(int leader, const ControlMessage &message);
  /// Tells each rank of the world its message.
  void spread(const std::vector<ControlMessage> &messages);
  /// Gathered or Spread has come. Throws FormatError if its bytes are no such message.
  void hear(const ControlMessage &message);

  /// This rank has executed the loop. Passes on what it has kept for long, unless ranks may still
  /// be about to propose: `isEarly`.
  void noteExecution(const ExchangeKey &key, bool isEarly);
  /// Whether something is kept for ranks that have told nothing yet.
  bool awaits(const ExchangeKey &key) const { return gathered.contains({key, proposals}); }
  /// The program frees the communicator.
  void drop(std::uint32_t communicator);

private:
  /// What ranks below this one, and this one, have told.
  struct Gathered {
    int leader = 0;
    unsigned executions = 0; ///< of the loop since the first of it came
    std::vector<RelayedMessage> messages;
  };
  /// What is gathered separately: an exchange's proposals, or what its ranks say in an attempt to
  /// cross (ControlMessage::attempt).
  using Key = std::pair<ExchangeKey, std::uint64_t>;
  static constexpr std::uint64_t proposals = 0;

  void keep(const Key &key, int leader, std::vector<RelayedMessage> messages);
  void passOn(Key key);
  std::size_t placeFrom(int leader) const;
  void spreadBelow(int leader, const std::vector<RelayedMessage> &messages);

  Learning &learning;
  std::map<Key, Gathered> gathered;
};

} // namespace sendwright::adaptation

#endif
