// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a leader hears the proposals of many ranks, and tells all ranks its plan, without a message
// from or to each. Ranks are the nodes of a tree whose root is the leader (GatherTree.h): each
// passes on what concerns those below it.
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
// Nobody waits for proposals. At a cut (Crossing.h) ranks wait for the leader's answer, and come to
// it by the same tree: each rank is at its own cut before it passes on what those below it have
// said. One that does not come to its cut says so directly, and so does one that has waited for
// long; the leader then answers each rank directly. The answer that all cross is spread: all ranks
// wait for it, at their cuts or at one collective call, and serve others meanwhile.

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

  /// Executions of a loop after which a rank passes on what it has gathered, complete or not.
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
  /// The loop has other turns than before: passes on all proposals that are kept.
  void passOnAll(std::uint64_t loop, std::uint32_t communicator);
  /// Whether something is kept for ranks that have told nothing yet.
  bool awaits(const ExchangeKey &key) const;
  /// The program frees the communicator.
  void drop(std::uint32_t communicator);

private:
  /// What this rank and those below it have told.
  struct Gathered {
    int leader = 0;
    std::size_t told = 0;    ///< how many messages there were
    bool isLate = false;     ///< some were passed on: others follow at once
    unsigned executions = 0; ///< of the loop since the first of it came
    std::vector<RelayedMessage> messages;
  };
  /// What is gathered separately: an exchange's proposals, or what its ranks say in an attempt to
  /// cross (ControlMessage::attempt).
  using Key = std::pair<ExchangeKey, std::uint64_t>;
  static constexpr std::uint64_t proposals = 0;
  /// Executions after which gathering starts afresh.
  static constexpr unsigned longestLate = 32;

  void keep(const Key &key, int leader, std::vector<RelayedMessage> messages);
  void passOn(const Key &key, Gathered &of);
  std::size_t placeFrom(int leader) const;
  void spreadBelow(int leader, const std::vector<RelayedMessage> &messages);

  Learning &learning;
  std::map<Key, Gathered> gathered;
};

} // namespace sendwright::adaptation

#endif
