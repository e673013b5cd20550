// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/SharedExchanges.h"

#include "analysis/trace/ProfileFields.h"

#include <algorithm>
#include <limits>

namespace sendwright {

std::vector<RankExchange> partsOfRanks(std::uint32_t exchange, const ExchangePattern &pattern,
                                       const std::vector<std::vector<std::int32_t>> &tags,
                                       const RouteTable &table) {
  std::vector<RankStages> stages = stagesOfRanks(pattern, table);
  std::vector<RankExchange> parts(stages.size());
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    RankExchange &part = parts[rank];
    part.exchange = exchange;
    part.stages = std::move(stages[rank]);
    std::vector<std::uint32_t> handled;
    const auto forEachTransfer = [&part](auto visit) {
      for (RankStage &stage : part.stages)
        for (std::vector<Transfer> *transfers : {&stage.sends, &stage.receives})
          for (Transfer &transfer : *transfers)
            visit(transfer);
    };
    forEachTransfer([&](const Transfer &transfer) {
      handled.insert(handled.end(), transfer.messages.begin(), transfer.messages.end());
    });
    std::sort(handled.begin(), handled.end());
    handled.erase(std::unique(handled.begin(), handled.end()), handled.end());
    for (const std::uint32_t index : handled) {
      const PatternMessage &message = pattern.messages[index];
      const auto own = static_cast<std::int32_t>(rank);
      SharedMessage &shared = part.messages.emplace_back();
      shared.source = message.source;
      shared.destination = message.destination;
      if (message.source == own || message.destination == own)
        shared.tags = tags[index];
    }
    forEachTransfer([&](Transfer &transfer) {
      for (std::uint32_t &index : transfer.messages)
        index = static_cast<std::uint32_t>(std::lower_bound(handled.begin(), handled.end(), index) -
                                           handled.begin());
    });
  }
  return parts;
}

namespace {

template <typename Fields>
void describeExchanges(Fields fields, Described<Fields, std::vector<SharedExchange>> &exchanges,
                       std::size_t rankCount, std::size_t sites) {
  fields.length(exchanges, 7);
  for (auto &exchange : exchanges) {
    describeIndex(fields, exchange.site, sites, "site");
    describeGroup(fields, exchange.communicator, rankCount, 0,
                  "an exchange's communicator, expected one within a group");
    fields.text(exchange.method);
    fields.number(exchange.stages, 1 << 20, "number of stages");
    fields.number(exchange.messages);
    fields.length(exchange.anySource);
    for (auto &rank : exchange.anySource)
      fields.number(rank, rankCount - 1, "rank");
  }
}

/// What bounds one rank's part.
struct PartBounds {
  int rankCount = 0, rank = 0;
  const std::vector<SharedExchange> *exchanges = nullptr; ///< null for a writer
};

template <typename Fields>
void describeTransfers(Fields fields, Described<Fields, std::vector<Transfer>> &transfers,
                       const PartBounds &bounds, std::size_t messages) {
  fields.length(transfers, 2);
  std::int32_t lastPeer = 0;
  for (auto &transfer : transfers) {
    const bool isFirst = &transfer == transfers.data();
    fields.relativeNumber(transfer.peer, lastPeer, 0, bounds.rankCount - 1, "peer, relative,");
    fields.expect(transfer.peer != bounds.rank && (isFirst || transfer.peer > lastPeer), [&] {
      return "peer " + std::to_string(transfer.peer) + ", expected other ranks, ascending";
    });
    lastPeer = transfer.peer;
    fields.length(transfer.messages);
    std::int64_t least = 0, previous = 0;
    for (auto &message : transfer.messages) {
      fields.relativeNumber(message, previous, least, static_cast<std::int64_t>(messages) - 1,
                            "message, relative,");
      previous = message;
      least = previous + 1;
    }
  }
}

/// A message comes to this rank at most once and leaves it at most once, and both agree with its
/// source and destination.
template <typename Fields> void checkRoutes(Fields fields, const RankExchange &part, int rank) {
  enum : unsigned char { here = 1, came = 2, left = 4 };
  std::vector<unsigned char> state(part.messages.size(), 0);
  for (std::size_t index = 0; index < state.size(); ++index)
    if (part.messages[index].source == rank)
      state[index] = here;
  const auto expect = [&](std::uint32_t message, bool holds, const char *problem) {
    fields.expect(holds, [&] { return "message " + std::to_string(message) + " " + problem; });
  };
  for (const RankStage &stage : part.stages) {
    for (const Transfer &transfer : stage.sends)
      for (const std::uint32_t message : transfer.messages) {
        expect(message, (state[message] & here) && part.messages[message].destination != rank,
               "leaves a rank that it has not reached, or at which it ends");
        state[message] = left;
      }
    for (const Transfer &transfer : stage.receives)
      for (const std::uint32_t message : transfer.messages) {
        expect(message, state[message] == 0, "comes to a rank twice");
        state[message] = here | came;
      }
  }
  for (std::uint32_t message = 0; message < state.size(); ++message)
    expect(message,
           part.messages[message].destination == rank ? (state[message] & came) != 0
                                                      : state[message] == left,
           "neither ends at a rank nor leaves it");
}

template <typename Fields>
void describeMessage(Fields fields, Described<Fields, SharedMessage> &message,
                     const PartBounds &bounds) {
  fields.number(message.source, static_cast<std::uint64_t>(bounds.rankCount - 1), "source");
  fields.number(message.destination, static_cast<std::uint64_t>(bounds.rankCount - 1),
                "destination");
  fields.length(message.tags);
  const bool isOne = message.tags.size() == 1;
  std::int64_t least = isOne ? anyTag : 0;
  for (auto &tag : message.tags) {
    fields.signedNumber(tag, least, std::numeric_limits<std::int32_t>::max(), "tag");
    least = std::int64_t{tag} + 1;
  }
  const bool isEnd = message.source == bounds.rank || message.destination == bounds.rank;
  fields.expect(message.source != message.destination && isEnd != message.tags.empty(),
                [] { return "ends or tags that no message has"; });
}

/// The number of the exchange, which ascends from part to part.
template <typename Fields, typename Number>
void describeExchangeNumber(Fields fields, Number &number, const RankExchange *before,
                            const PartBounds &bounds) {
  fields.number(number, UINT32_MAX, "exchange");
  if constexpr (Fields::reads)
    fields.expect(number < bounds.exchanges->size() && (!before || number > before->exchange), [&] {
      return "exchange " + std::to_string(number) + ", expected one of " +
             std::to_string(bounds.exchanges->size()) + ", ascending";
    });
}

template <typename Fields>
void describeParts(Fields fields, Described<Fields, std::vector<RankExchange>> &parts,
                   const PartBounds &bounds) {
  fields.length(parts, 3);
  const RankExchange *before = nullptr;
  for (auto &part : parts) {
    describeExchangeNumber(fields, part.exchange, before, bounds);
    before = &part;
    fields.length(part.messages, 3);
    for (auto &message : part.messages)
      describeMessage(fields, message, bounds);
    fields.length(part.stages, 2);
    if constexpr (Fields::reads) {
      const std::uint32_t stages = (*bounds.exchanges)[part.exchange].stages;
      fields.expect(part.stages.size() == stages, [&] {
        return std::to_string(part.stages.size()) + " stages, expected " + std::to_string(stages);
      });
    }
    for (auto &stage : part.stages) {
      describeTransfers(fields, stage.sends, bounds, part.messages.size());
      describeTransfers(fields, stage.receives, bounds, part.messages.size());
    }
    if constexpr (Fields::reads)
      checkRoutes(fields, part, bounds.rank);
  }
}

template <typename Fields>
void describeFiguresOfRoutes(Fields fields, Described<Fields, SharingFigures> &figures) {
  fields.number(figures.stages, INT32_MAX, "number of stages");
  for (auto *value : {&figures.maxSends, &figures.maxReceives, &figures.maxLoad})
    fields.number(*value, INT64_MAX, "number of messages");
  fields.number(figures.maxHops, INT32_MAX, "number of hops");
  fields.finite(figures.averageSends, "a figure");
  fields.finite(figures.volumeFactor, "a figure");
}

template <typename Fields>
void describeSharing(Fields fields, Described<Fields, SiteSharing> &sharing) {
  fields.optional(sharing.prediction, [&](auto &prediction) {
    fields.text(prediction.method);
    describeFiguresOfRoutes(fields, prediction.direct);
    describeFiguresOfRoutes(fields, prediction.shared);
    fields.finite(prediction.directSeconds, "a time");
    fields.finite(prediction.seconds, "a time");
    fields.finite(prediction.collectiveSeconds, "a time");
  });
  describeRefusal(fields, sharing.refusal);
}

} // namespace

void encodeExchanges(ByteWriter &out, const std::vector<SharedExchange> &exchanges) {
  describeExchanges(FieldWriter(out), exchanges, 0, 0);
}

std::vector<SharedExchange> decodeExchanges(ByteReader &in, int rankCount, std::size_t sites) {
  std::vector<SharedExchange> exchanges;
  describeExchanges(FieldReader(in), exchanges, static_cast<std::size_t>(rankCount), sites);
  in.expectEnd();
  return exchanges;
}

void encodeParts(ByteWriter &out, const std::vector<RankExchange> &parts) {
  describeParts(FieldWriter(out), parts, {});
}

std::vector<RankExchange> decodeParts(ByteReader &in, int rankCount, int rank,
                                      const std::vector<SharedExchange> &exchanges) {
  std::vector<RankExchange> parts;
  describeParts(FieldReader(in), parts, {rankCount, rank, &exchanges});
  in.expectEnd();
  return parts;
}

void encodeSharing(ByteWriter &out, const SiteSharing &sharing) {
  describeSharing(FieldWriter(out), sharing);
}

void decodeSharing(ByteReader &in, SiteSharing &sharing) {
  describeSharing(FieldReader(in), sharing);
}

} // namespace sendwright
