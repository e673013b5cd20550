// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges whose messages are shared, as a plan holds them. An exchange is the sends of one loop,
// wherever their receives stand. Its messages are streams: all that one rank sends another on one
// communicator with the same tag. Of each exchange a rank holds what it does itself: the messages
// that it sends, receives or passes on, and what it sends and receives in each stage.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_SHAREDEXCHANGES_H
#define SENDWRIGHT_ANALYSIS_SHARING_SHAREDEXCHANGES_H

#include "analysis/file/Bytes.h"
#include "analysis/sharing/routes/RouteTable.h"
#include "analysis/sharing/routes/SharingCosts.h"
#include "analysis/trace/Profile.h"
#include "analysis/transformation/PlanParts.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sendwright {

/// Bytes that a message brings along in a combined one: whose it is, its tag and its size.
inline constexpr std::uint64_t sharedRecordHeader = 24;
/// So many bytes of a combined message its receiver awaits. What is beyond them is a message of its
/// own, whose receive is posted when these have come.
inline constexpr std::uint64_t sharedFirstPart = 8192;

/// What all ranks know of an exchange.
struct SharedExchange {
  std::uint32_t site = 0;     ///< of the sends: an index into the plan's sites
  Communicator communicator;  ///< on which they are; an intracommunicator
  std::string method;         ///< which way of sharing, for a person
  std::uint32_t stages = 0;   ///< of its route table
  std::uint64_t messages = 0; ///< of its pattern
  /// Ranks that get its messages, and in the profile received or probed from any source on the
  /// communicator, too. World ranks, ascending.
  std::vector<std::int32_t> anySource = {};
  bool operator==(const SharedExchange &) const = default;
};

/// A message of an exchange at a rank that has to do with it. Tags of messages that only pass
/// through are not known there.
struct SharedMessage {
  std::int32_t source = 0, destination = 0; ///< world ranks
  std::vector<std::int32_t> tags;           ///< ascending; at source and destination, else none
  bool operator==(const SharedMessage &) const = default;
};

/// One rank's part of an exchange.
struct RankExchange {
  std::uint32_t exchange = 0;          ///< index into SharedExchanges::exchanges
  std::vector<SharedMessage> messages; ///< by source, then destination
  RankStages stages; ///< Transfer::messages are indices into `messages`, peers world ranks
};

/// What the fastest routes of a complete exchange are predicted to bring, for one instance.
struct SharingPrediction {
  std::string method; ///< "direct", "store-and-forward in 3 dimensions", ...
  SharingFigures direct, shared;
  double directSeconds = 0, seconds = 0;
  /// Lost at collective calls, for one instance: while messages are shared, ranks wait there for
  /// all others and pass messages on before they enter MPI's.
  double collectiveSeconds = 0;
  double gain() const { return directSeconds - seconds - collectiveSeconds; }
  double gainPercent() const { return directSeconds > 0 ? 100 * gain() / directSeconds : 0; }
};

/// What a plan for one number of ranks holds of message sharing.
struct SharedExchanges : PlanPartOf<SharedExchanges> {
  static constexpr std::string_view partName = "exchanges";
  std::vector<SharedExchange> exchanges;                ///< those whose messages are shared
  std::vector<std::vector<RankExchange>> rankExchanges; ///< one list per rank; none without any
};

/// What a site's plan says of sharing its messages.
struct SiteSharing : PlanPartOf<SiteSharing> {
  static constexpr std::string_view partName = "sharing of a site";
  std::optional<SharingPrediction> prediction; ///< of a complete exchange, shared or not
  /// Why its messages go directly, part of a sentence; "" where they are shared, and for what is no
  /// send loop to several destinations.
  std::string refusal;
};

/// Every rank's part of exchange `exchange`; of ranks that have none, `messages` is empty. Ranks of
/// `pattern` are world ranks, `tags` are those of each of its messages (ascending, at least one),
/// and `table` is one that keepsRouteRules() accepts and in which no message comes to
/// a rank twice. O(hops log hops).
std::vector<RankExchange> partsOfRanks(std::uint32_t exchange, const ExchangePattern &pattern,
                                       const std::vector<std::vector<std::int32_t>> &tags,
                                       const RouteTable &table);

/// The exchanges of a plan for `rankCount` ranks with `sites` sites, as bytes. Reading throws
/// FormatError for what no plan holds.
void encodeExchanges(ByteWriter &out, const std::vector<SharedExchange> &exchanges);
std::vector<SharedExchange> decodeExchanges(ByteReader &in, int rankCount, std::size_t sites);

/// One rank's parts, likewise. What is read is consistent: indices exist, a message is sent where
/// it starts or after it was received, once, and not where it ends.
void encodeParts(ByteWriter &out, const std::vector<RankExchange> &parts);
std::vector<RankExchange> decodeParts(ByteReader &in, int rankCount, int rank,
                                      const std::vector<SharedExchange> &exchanges);

/// A prediction as bytes, likewise.
void encodePrediction(ByteWriter &out, const SharingPrediction &prediction);
SharingPrediction decodeSharingPrediction(ByteReader &in);

} // namespace sendwright

#endif
