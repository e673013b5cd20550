// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cuts a run into parts that nothing crosses: a message is sent and received in the same part, a
// collective operation is called by all its ranks in one part, and requests are completed in the
// part that posted them. So each part has a communication graph of its own, and nodes of different
// parts only wait for one another as their ranks' programs do. An analysis that needs no more than
// the figures of a run keeps one part in memory instead of the run.
//
// A part takes an equal fraction of each rank's calls, but no receive before its message was sent,
// and no collective operation before all its ranks come to it: a rank with few calls would be far
// ahead of the others. Then ranks go on until nothing is open: the receiver of a message that was
// sent, the sender of a message whose receive was posted, and ranks with requests. In a program
// that repeats itself this closes soon. If it never closes, the part is the rest of the run.

#ifndef SENDWRIGHT_ANALYSIS_EPOCHS_GRAPH_RUNPARTS_H
#define SENDWRIGHT_ANALYSIS_EPOCHS_GRAPH_RUNPARTS_H

#include "analysis/epochs/graph/EventShapes.h"
#include "analysis/epochs/graph/GraphBuilder.h"
#include "analysis/trace/GrammarCursor.h"

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sendwright {

enum class NextPart : std::uint8_t {
  Found,
  End,       ///< there is no further part
  Impossible ///< only the whole run can be analysed: its matching needs more than counting, or it
             ///< is not complete
};

class RunParts {
public:
  /// Both must outlive this object. `events`: of all ranks in a part, as far as it can be chosen.
  RunParts(const Profile &profile, const GraphBuilder &builder, std::uint64_t events);

  /// Goes on to the next part. Linear in the part, the ranks, the channels, and the communicators.
  NextPart next();
  /// Pairs of ranks that exchange messages or take part in a collective together; of each
  /// collective, pairs that connect its ranks. Ascending. Of receives whose source only their
  /// completion tells, pairs may be missing. O(c log c) for c channels and members.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> partners() const;
  /// By rank: the numbers of the events of the current part that have nodes.
  const std::vector<std::vector<std::uint32_t>> &events() const { return taken; }

private:
  static constexpr std::uint32_t none = UINT32_MAX;

  /// What a call of an event opens or closes.
  struct Effect {
    bool hasNodes = false, isPlain = true;       ///< plain: no requests and no collective
    std::uint32_t sends = none, receives = none; ///< channels
    std::uint32_t waitsFor = none;               ///< the channel, for a blocking receive
    std::uint32_t slot = none;                   ///< index into Rank::slots
  };
  /// How often a rank has called collectives of a communicator in this part.
  struct Slot {
    std::uint32_t communicator = 0, calls = 0;
    bool isWaiting = false; ///< in the next call
  };
  struct Rank {
    explicit Rank(const Grammar &sequence) : cursor(sequence), length(sequence.length()) {}
    GrammarCursor cursor;
    std::uint64_t length, left = 0; ///< `left`: of its fraction of the part
    std::uint32_t blockedOn = none; ///< the channel of the receive that it waits in
    bool isQueued = false;
    std::vector<Effect> effects; // by event
    std::vector<Slot> slots;
    std::unordered_map<int, std::uint32_t> open; // by request: the event that posted it, or `none`
                                                 // if its channel was counted since
  };
  struct CollectiveCalls {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> members; ///< rank, index into its slots
    std::uint32_t most = 0;                                       ///< calls of one member
    std::uint32_t waiting = 0; ///< members that wait in the next call
    std::uint64_t calls = 0;
    bool isEven() const { return calls == std::uint64_t{most} * members.size(); }
  };
  /// What must be looked at before the part can end.
  struct Unfinished {
    enum Kind : std::uint8_t { Channel, Requests, Collectives } kind;
    std::uint32_t number; ///< of the channel, rank, or communicator
  };

  void findEffects(std::uint32_t rank, const CollectiveSequences &sequences);
  bool waitsForMatch(const EventShape &shape) const;
  void wake(std::uint32_t rank);
  bool takeFractions();
  bool takeFraction(std::uint32_t rank);
  bool isHeld(std::uint32_t rank, const Effect &effect);
  void take(std::uint32_t rank);
  void takeSpecial(std::uint32_t rank, std::uint32_t number, const Effect &effect);
  void endRequests(std::uint32_t rank, const Event &event);
  void count(std::uint32_t channel, std::int64_t change);
  void collectUnfinished();
  bool close();
  bool advance(std::uint32_t rank);
  bool finish(const Unfinished &each);

  const Profile &profile;
  const EventShapes &shapes;
  const MessageChannels &channels;
  std::vector<Rank> ranks;
  std::vector<std::vector<std::uint32_t>> taken; // by rank
  std::vector<std::int64_t> underWay;            // by channel: messages sent and not received
  std::vector<CollectiveCalls> collectives;      // by communicator
  std::vector<Unfinished> unfinished;
  std::deque<std::uint32_t> turns; // ranks that may take more of their fraction
  std::uint64_t parts = 1;
  bool closing = false, possible = true;
};

} // namespace sendwright

#endif
