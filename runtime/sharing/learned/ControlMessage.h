// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the members of an exchange and its leader tell one another.

#ifndef SENDWRIGHT_RUNTIME_SHARING_LEARNED_CONTROLMESSAGE_H
#define SENDWRIGHT_RUNTIME_SHARING_LEARNED_CONTROLMESSAGE_H

#include "analysis/file/Bytes.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sendwright::adaptation {

/// Identifies an exchange: a marked loop (digest of its identity) on a communicator (its index),
/// and which of its turns (PatternTurns.h).
struct ExchangeKey {
  std::uint64_t loop = 0;
  std::uint32_t communicator = 0;
  std::uint32_t turns = 1, turn = 0;
  auto operator<=>(const ExchangeKey &) const = default;
};

/// All messages that a rank sends another in one execution. World ranks.
struct ProposedMessage {
  std::int32_t destination = 0;
  double bytes = 0; ///< mean
};

/// Why an exchange stops sharing.
enum class Change : std::uint8_t {
  OtherMessages, ///< unlike the executions before
  WaitsInLoop,   ///< a call between its sends may wait
  LateRanks,     ///< a message waited too long for other ranks
  OutOfTurn,     ///< ... of another turn of the loop: ranks may count turns differently
  CommunicatorFreed,
  NoGain, ///< executions take longer than as written
};

/// How many plans a rank may make.
constexpr std::uint64_t mostPlansOfRank = (1 << 16) - 1;
/// The number of a plan, unique among all ranks: who made it, how many patterns it has, and for the
/// routes of one of them which. Its low 16 bits are 0. `number`: at most mostPlansOfRank.
constexpr std::uint64_t planNumber(int owner, std::uint64_t number, std::size_t patterns) {
  return static_cast<std::uint64_t>(owner) << 40 | number << 24 |
         (static_cast<std::uint64_t>(patterns) - 1) << 20;
}
constexpr int ownerOfPlan(std::uint64_t plan) { return static_cast<int>(plan >> 40); }
constexpr std::size_t patternsOfPlan(std::uint64_t plan) { return (plan >> 20 & 15) + 1; }
/// `plan`: without a pattern.
constexpr std::uint64_t planOfPattern(std::uint64_t plan, std::size_t pattern) {
  return plan | static_cast<std::uint64_t>(pattern) << 16;
}

struct ControlMessage {
  enum class Kind : std::uint8_t {
    Ask,
    Propose,
    AskPatterns, ///< as Ask and Propose, where patterns come in any order
    ProposePatterns,
    Plan,
    Ready,
    Switch,
    Changed,
    Measured,
    Stop,
    Move, ///< of Crossing.h, as the next two
    AtCut,
    Answer,
    Gathered, ///< of ControlTree.h, as the next one: Propose or AtCut of several ranks
    Spread,   ///< answers for several ranks
    Arrived,  ///< for a rank that waits: it shall look again (Arrivals.h)
    Say
  };
  Kind kind = Kind::Say;
  ExchangeKey key;
  std::uint64_t attempt = 0; ///< Move, AtCut, Answer, Gathered: the attempt to cross; 0: at a call,
                             ///< or proposals
  std::uint64_t plan = 0;   ///< Plan, Ready, Switch, Measured, Stop: its planNumber(); Answer: that
                            ///< of the plan in it, or 0
  std::uint64_t number = 0; ///< Propose, Changed, Plan, Answer: number of the member's proposal;
                            ///< Move: the execution of the cut; AtCut: whether it waits there
                            ///< (Crossing.cpp); Gathered, Spread: the leader
  std::vector<std::uint64_t> numbers;    ///< for each pattern of a plan: Ready: executions so far;
                                         ///< Switch: the first that shares; Answer: instances
                                         ///< before each of the next calls, if they repeat
  bool crosses = false;                  ///< Answer: all ranks do
  Change change = Change::OtherMessages; ///< Changed, Stop
  std::vector<ProposedMessage> pattern;  ///< Propose
  double collectives = 0;     ///< Propose: seconds of meetings before collective calls in one
                              ///< execution
  std::uint64_t calls = 0;    ///< Ready: blocking collective calls on the world so far; AtCut: sum
                              ///< at the cut
  std::uint64_t otherSum = 0; ///< AtCut: at the beginning of the execution
  double direct = 0;          ///< Measured: seconds of an execution before; 0: not known
  double shared = 0;          ///< Measured: seconds of an execution now
  bool atEnd = false;         ///< Move: whether the cut is at the execution's end
  std::string part;           ///< Plan, Answer: encodePart(); ProposePatterns: encodeProposal();
                              ///< Gathered, Spread: encodeRelayed()
  std::string text;           ///< Say: a line for rank 0
};

/// What a rank sends in one execution.
void encodeMessages(ByteWriter &out, const std::vector<ProposedMessage> &messages);
void decodeMessages(ByteReader &in, std::vector<ProposedMessage> &messages, int ranks);

/// Encodes and decodes. Decoding throws FormatError for bytes that are no such message in a job of
/// `ranks` ranks.
std::string encodeControl(const ControlMessage &message);
ControlMessage decodeControl(std::string_view bytes, int ranks);

/// A message of another rank, or for it, that a third one passes on.
struct RelayedMessage {
  std::int32_t rank = 0;
  std::string bytes; ///< encodeControl()
};
std::string encodeRelayed(const std::vector<RelayedMessage> &messages);
/// Throws FormatError as decodeControl() does; the messages themselves may be wrong.
std::vector<RelayedMessage> decodeRelayed(const std::string &bytes, int ranks);

} // namespace sendwright::adaptation

#endif
