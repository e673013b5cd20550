// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that alternates between patterns has an exchange for each pattern. Each execution of the
// loop is an instance of one of them, or of none. Each rank decides this for itself, when it knows
// what the execution sends: the exchange whose messages it has. If it cannot tell (several
// exchanges have these messages, or it sent nothing), its turns decide: the order of exchanges that
// the rank's executions have in the profile.
//
// Ranks count the instances of each exchange separately. So a rank that is not there on a coarse
// level, or that executes the loop more or less often than others, changes nothing for exchanges
// that it has no messages in. If a rank decides wrongly, its messages go directly, and its part of
// an instance is empty: what it sends is received all the same (message-sharing.md).

#ifndef SENDWRIGHT_ANALYSIS_SHARING_EXCHANGETURNS_H
#define SENDWRIGHT_ANALYSIS_SHARING_EXCHANGETURNS_H

#include "analysis/file/Bytes.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace sendwright {

/// The order in which a rank's executions of a loop belong to exchanges.
struct ExchangeTurns {
  static constexpr std::uint32_t nothing = UINT32_MAX; ///< the rank has no messages in it
  /// Indices of exchanges, or `nothing`. `cycle` follows `first`, and repeats; it is not empty.
  std::vector<std::uint32_t> first, cycle;
  bool operator==(const ExchangeTurns &) const = default;
  /// Whether any execution belongs to the exchange.
  bool hold(std::uint32_t exchange) const;
};

/// The turns of all ranks at one loop of a plan.
struct LoopTurns {
  std::uint32_t site = 0;             ///< an index into the plan's sites
  std::vector<ExchangeTurns> kinds;   ///< all different
  std::vector<std::uint32_t> ofRanks; ///< by rank: an index into `kinds`, or ExchangeTurns::nothing
                                      ///< if it sends nothing in the loop's exchanges
  bool operator==(const LoopTurns &) const = default;

  /// The rank's turns, or null.
  const ExchangeTurns *of(std::size_t rank) const {
    return rank < ofRanks.size() && ofRanks[rank] < kinds.size() ? &kinds[ofRanks[rank]] : nullptr;
  }
  void set(std::size_t rank, const ExchangeTurns &turns);
};

/// The turns in a plan for `rankCount` ranks as bytes. Reading throws FormatError for anything that
/// no plan holds.
void encodeTurns(ByteWriter &out, const std::vector<LoopTurns> &loops);
std::vector<LoopTurns> decodeTurns(ByteReader &in, int rankCount, std::size_t sites,
                                   std::size_t exchanges);

/// Where a message goes, and its tag.
struct SentEnvelope {
  std::int32_t destination = 0; ///< world rank
  std::int32_t tag = 0;
  auto operator<=>(const SentEnvelope &) const = default;
};

/// Decides for one rank's executions of one loop, one after another.
class TurnsOfRank {
public:
  explicit TurnsOfRank(ExchangeTurns turns) : turns(std::move(turns)) {}

  /// The exchange has such messages of this rank. Tags may be {anyTag}.
  void addOwn(std::uint32_t exchange, std::int32_t destination,
              const std::vector<std::int32_t> &tags);
  /// Whether any of the exchanges has the message.
  bool has(const SentEnvelope &message) const;
  /// The exchange to which the next execution belongs, or `nothing`. `sent`: its messages for
  /// which has() is true. O(e m log m) for m messages and e exchanges.
  std::uint32_t take(const std::vector<SentEnvelope> &sent);

private:
  using Messages = std::set<SentEnvelope>; ///< of one exchange

  double likeness(const Messages &own, const std::vector<SentEnvelope> &sent) const;
  std::size_t after(std::size_t at) const;
  std::uint32_t turnAt(std::size_t at) const;
  template <typename Condition> std::uint32_t goTo(Condition condition);

  ExchangeTurns turns;
  std::map<std::uint32_t, Messages> own; ///< by exchange
  std::size_t position = 0;              ///< in `first` and then `cycle`
};

} // namespace sendwright

#endif
