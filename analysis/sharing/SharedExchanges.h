// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges whose messages are shared, as a plan holds them. The messages of an exchange are
// streams: everything that one rank sends to another on one communicator with one tag, or with any
// tag if the tags change from one execution to the next. For each exchange a rank holds its own
// part: the messages that it sends, receives or passes on, and its sends and receives in each
// stage.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_SHAREDEXCHANGES_H
#define SENDWRIGHT_ANALYSIS_SHARING_SHAREDEXCHANGES_H

#include "analysis/file/Bytes.h"
#include "analysis/sharing/ExchangeTurns.h"
#include "analysis/sharing/RecordedSteps.h"
#include "analysis/sharing/routes/RouteTable.h"
#include "analysis/sharing/routes/SharingCosts.h"
#include "analysis/trace/Profile.h"
#include "analysis/transformation/PlanParts.h"
#include "analysis/transformation/RefusalText.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sendwright {

/// Bytes of a record's header in a combined message: which message it is, its tag and its size.
inline constexpr std::uint64_t sharedRecordHeader = 24;
/// Receivers expect this many bytes of a combined message. The rest is a message of its own, whose
/// receive is posted when the first part has come.
inline constexpr std::uint64_t sharedFirstPart = 8192;

/// What all ranks know of an exchange.
struct SharedExchange {
  std::uint32_t site = 0;     ///< of the sends: an index into the plan's sites
  Communicator communicator;  ///< of the sends; an intracommunicator
  std::string method;         ///< the way of sharing, for a person
  std::uint32_t stages = 0;   ///< of its route table
  std::uint64_t messages = 0; ///< of its pattern
  /// Ranks that receive messages of the exchange and that, in the profile, also received or probed
  /// from any source on the communicator. World ranks, ascending.
  std::vector<std::int32_t> anySource = {};
  bool operator==(const SharedExchange &) const = default;
};

/// A message of an exchange at a rank that sends it, receives it or passes it on. A rank that only
/// passes it on does not know its tags.
struct SharedMessage {
  std::int32_t source = 0, destination = 0; ///< world ranks
  std::vector<std::int32_t> tags; ///< ascending, or anyTag alone; only at source and destination
  bool operator==(const SharedMessage &) const = default;
};

/// One rank's part of an exchange.
struct RankExchange {
  std::uint32_t exchange = 0;          ///< index into SharedExchanges::exchanges
  std::vector<SharedMessage> messages; ///< by source, then destination
  RankStages stages; ///< `messages` of a Transfer are indices into `messages` above; peers are
                     ///< world ranks
};

/// What the fastest routes of a complete exchange are predicted to gain, for one instance.
struct SharingPrediction {
  std::string method; ///< "direct", "store-and-forward in 3 dimensions", ...
  SharingFigures direct, shared;
  double directSeconds = 0, seconds = 0;
  /// Time lost in collective calls, for one instance: before some of them ranks meet, as one that
  /// is inside MPI's own call passes nothing on (CollectiveMeetings.h).
  double collectiveSeconds = 0;
  double routesGain() const { return directSeconds - seconds; } ///< without collective calls
  double gain() const { return routesGain() - collectiveSeconds; }
  double gainPercent() const { return directSeconds > 0 ? 100 * gain() / directSeconds : 0; }
};

/// What a plan for one number of ranks holds of message sharing.
struct SharedExchanges : PlanPartOf<SharedExchanges> {
  static constexpr std::string_view partName = "exchanges";
  std::vector<SharedExchange> exchanges;                ///< those whose messages are shared
  std::vector<std::vector<RankExchange>> rankExchanges; ///< one list for each rank; empty without
                                                        ///< exchanges
  std::vector<LoopTurns> turns; ///< by site: loops whose executions belong to several exchanges, or
                                ///< only in part to one
  RecordedSteps steps;          ///< between collective calls; empty if they are not known
};

/// What a site's plan says about sharing its messages.
struct SiteSharing : PlanPartOf<SiteSharing> {
  static constexpr std::string_view partName = "sharing of a site";
  std::optional<SharingPrediction> prediction; ///< for a complete exchange, shared or not
  /// Why its messages go directly, from a SharingRefusal; nothing if they are
  /// shared, or if the site is not a send loop to several destinations.
  std::optional<RefusalText> refusal;
};

/// Every rank's part of exchange `exchange`; `messages` is empty for ranks without a part.
/// `pattern` uses world ranks. `tags` holds the tags of each of its messages (as
/// SharedMessage::tags, at least one). `table` must satisfy keepsRouteRules(), and no message may
/// come to a rank twice. O(hops log hops).
std::vector<RankExchange> partsOfRanks(std::uint32_t exchange, const ExchangePattern &pattern,
                                       const std::vector<std::vector<std::int32_t>> &tags,
                                       const RouteTable &table);

/// The exchanges of a plan for `rankCount` ranks with `sites` sites, as bytes. Reading throws
/// FormatError for anything that no plan holds.
void encodeExchanges(ByteWriter &out, const std::vector<SharedExchange> &exchanges);
std::vector<SharedExchange> decodeExchanges(ByteReader &in, int rankCount, std::size_t sites);

/// One rank's parts, likewise. What is read is consistent: indices exist; a message is sent once,
/// where it starts or after it was received, and never where it ends.
void encodeParts(ByteWriter &out, const std::vector<RankExchange> &parts);
std::vector<RankExchange> decodeParts(ByteReader &in, int rankCount, int rank,
                                      const std::vector<SharedExchange> &exchanges);

/// What a site's plan says, likewise.
void encodeSharing(ByteWriter &out, const SiteSharing &sharing);
void decodeSharing(ByteReader &in, SiteSharing &sharing);

} // namespace sendwright

#endif
