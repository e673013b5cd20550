// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/SharedExchanges.h"

#include "analysis/trace/ProfileCodec.h"

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

void encodeExchanges(ByteWriter &out, const std::vector<SharedExchange> &exchanges) {
  out.number(exchanges.size());
  for (const SharedExchange &exchange : exchanges) {
    out.number(exchange.site);
    encodeCommunicators(out, {exchange.communicator});
    out.text(exchange.method);
    out.number(exchange.stages);
    out.number(exchange.messages);
    out.number(exchange.anySource.size());
    for (const std::int32_t rank : exchange.anySource)
      out.number(static_cast<std::uint64_t>(rank));
  }
}

std::vector<SharedExchange> decodeExchanges(ByteReader &in, int rankCount, std::size_t sites) {
  std::vector<SharedExchange> exchanges(in.countOf<SharedExchange>(7));
  for (SharedExchange &exchange : exchanges) {
    exchange.site = static_cast<std::uint32_t>(in.number(UINT32_MAX, "site"));
    if (exchange.site >= sites)
      in.fail("site " + std::to_string(exchange.site) + ", expected one of " +
              std::to_string(sites));
    std::vector<Communicator> communicators;
    decodeCommunicators(in, communicators, static_cast<std::size_t>(rankCount));
    if (communicators.size() != 1 || communicators.front().intercommunicator)
      in.fail("an exchange's communicator, expected one within a group");
    exchange.communicator = std::move(communicators.front());
    exchange.method = in.text();
    exchange.stages = static_cast<std::uint32_t>(in.number(1 << 20, "number of stages"));
    exchange.messages = in.number();
    in.resize(exchange.anySource);
    for (std::int32_t &rank : exchange.anySource)
      rank =
          static_cast<std::int32_t>(in.number(static_cast<std::uint64_t>(rankCount) - 1, "rank"));
  }
  in.expectEnd();
  return exchanges;
}

namespace {

void encodeTransfers(ByteWriter &out, const std::vector<Transfer> &transfers) {
  out.number(transfers.size());
  std::int64_t lastPeer = 0;
  for (const Transfer &transfer : transfers) {
    out.signedNumber(transfer.peer - lastPeer);
    lastPeer = transfer.peer;
    out.number(transfer.messages.size());
    std::int64_t last = 0;
    for (const std::uint32_t message : transfer.messages) {
      out.signedNumber(message - last);
      last = message;
    }
  }
}

std::vector<Transfer> decodeTransfers(ByteReader &in, int rankCount, int rank,
                                      std::size_t messages) {
  std::vector<Transfer> transfers(in.countOf<Transfer>(2));
  std::int64_t peer = 0;
  for (Transfer &transfer : transfers) {
    peer += in.signedNumber(-peer, rankCount - 1 - peer, "peer, relative,");
    transfer.peer = static_cast<std::int32_t>(peer);
    if (transfer.peer == rank || (&transfer != transfers.data() && peer <= (&transfer - 1)->peer))
      in.fail("peer " + std::to_string(peer) + ", expected other ranks, ascending");
    in.resize(transfer.messages);
    std::int64_t previous = 0;
    for (std::uint32_t &message : transfer.messages) {
      previous +=
          in.signedNumber(&message == transfer.messages.data() ? 0 : 1,
                          static_cast<std::int64_t>(messages) - 1 - previous, "message, relative,");
      message = static_cast<std::uint32_t>(previous);
    }
  }
  return transfers;
}

/// A message comes to this rank at most once and leaves it at most once, and both agree with its
/// source and destination.
void checkRoutes(ByteReader &in, const RankExchange &part, int rank) {
  enum : unsigned char { here = 1, came = 2, left = 4 };
  std::vector<unsigned char> state(part.messages.size(), 0);
  for (std::size_t index = 0; index < state.size(); ++index)
    if (part.messages[index].source == rank)
      state[index] = here;
  const auto fail = [&](std::uint32_t message, const char *problem) {
    in.fail("message " + std::to_string(message) + " " + problem);
  };
  for (const RankStage &stage : part.stages) {
    for (const Transfer &transfer : stage.sends)
      for (const std::uint32_t message : transfer.messages) {
        if (!(state[message] & here) || part.messages[message].destination == rank)
          fail(message, "leaves a rank that it has not reached, or at which it ends");
        state[message] = left;
      }
    for (const Transfer &transfer : stage.receives)
      for (const std::uint32_t message : transfer.messages) {
        if (state[message] != 0)
          fail(message, "comes to a rank twice");
        state[message] = here | came;
      }
  }
  for (std::uint32_t message = 0; message < state.size(); ++message)
    if (part.messages[message].destination == rank ? !(state[message] & came)
                                                   : state[message] != left)
      fail(message, "neither ends at a rank nor leaves it");
}

SharedMessage decodeMessage(ByteReader &in, int rankCount, int rank) {
  SharedMessage message;
  message.source = static_cast<std::int32_t>(in.number(rankCount - 1, "source"));
  message.destination = static_cast<std::int32_t>(in.number(rankCount - 1, "destination"));
  in.resize(message.tags);
  const bool isOne = message.tags.size() == 1;
  std::int64_t previous = -1;
  for (std::int32_t &tag : message.tags) {
    previous = in.signedNumber(isOne ? anyTag : previous + 1,
                               std::numeric_limits<std::int32_t>::max(), "tag");
    tag = static_cast<std::int32_t>(previous);
  }
  const bool isEnd = message.source == rank || message.destination == rank;
  if (message.source == message.destination || isEnd == message.tags.empty())
    in.fail("ends or tags that no message has");
  return message;
}

} // namespace

void encodeParts(ByteWriter &out, const std::vector<RankExchange> &parts) {
  out.number(parts.size());
  for (const RankExchange &part : parts) {
    out.number(part.exchange);
    out.number(part.messages.size());
    for (const SharedMessage &message : part.messages) {
      out.number(static_cast<std::uint64_t>(message.source));
      out.number(static_cast<std::uint64_t>(message.destination));
      out.number(message.tags.size());
      for (const std::int32_t tag : message.tags)
        out.signedNumber(tag);
    }
    out.number(part.stages.size());
    for (const RankStage &stage : part.stages) {
      encodeTransfers(out, stage.sends);
      encodeTransfers(out, stage.receives);
    }
  }
}

std::vector<RankExchange> decodeParts(ByteReader &in, int rankCount, int rank,
                                      const std::vector<SharedExchange> &exchanges) {
  std::vector<RankExchange> parts(in.countOf<RankExchange>(3));
  for (RankExchange &part : parts) {
    part.exchange = static_cast<std::uint32_t>(in.number(UINT32_MAX, "exchange"));
    if (part.exchange >= exchanges.size() ||
        (&part != parts.data() && part.exchange <= (&part - 1)->exchange))
      in.fail("exchange " + std::to_string(part.exchange) + ", expected one of " +
              std::to_string(exchanges.size()) + ", ascending");
    const std::size_t messages = in.count(3, sizeof(part.messages[0]));
    for (std::size_t index = 0; index < messages; ++index)
      part.messages.push_back(decodeMessage(in, rankCount, rank));
    in.resize(part.stages, 2);
    if (part.stages.size() != exchanges[part.exchange].stages)
      in.fail(std::to_string(part.stages.size()) + " stages, expected " +
              std::to_string(exchanges[part.exchange].stages));
    for (RankStage &stage : part.stages) {
      stage.sends = decodeTransfers(in, rankCount, rank, part.messages.size());
      stage.receives = decodeTransfers(in, rankCount, rank, part.messages.size());
    }
    checkRoutes(in, part, rank);
  }
  in.expectEnd();
  return parts;
}

namespace {

void encode(ByteWriter &out, const SharingFigures &figures) {
  for (const std::int64_t value :
       {std::int64_t{figures.stages}, figures.maxSends, figures.maxReceives, figures.maxLoad,
        std::int64_t{figures.maxHops}})
    out.number(static_cast<std::uint64_t>(value));
  out.real(figures.averageSends);
  out.real(figures.volumeFactor);
}

void decode(ByteReader &in, SharingFigures &figures) {
  figures.stages = static_cast<std::int32_t>(in.number(INT32_MAX, "number of stages"));
  for (std::int64_t *value : {&figures.maxSends, &figures.maxReceives, &figures.maxLoad})
    *value = static_cast<std::int64_t>(in.number(INT64_MAX, "number of messages"));
  figures.maxHops = static_cast<std::int32_t>(in.number(INT32_MAX, "number of hops"));
  figures.averageSends = in.finite("a figure");
  figures.volumeFactor = in.finite("a figure");
}

} // namespace

void encodePrediction(ByteWriter &out, const SharingPrediction &prediction) {
  out.text(prediction.method);
  encode(out, prediction.direct);
  encode(out, prediction.shared);
  out.real(prediction.directSeconds);
  out.real(prediction.seconds);
  out.real(prediction.collectiveSeconds);
}

SharingPrediction decodeSharingPrediction(ByteReader &in) {
  SharingPrediction prediction;
  prediction.method = in.text();
  decode(in, prediction.direct);
  decode(in, prediction.shared);
  prediction.directSeconds = in.finite("a time");
  prediction.seconds = in.finite("a time");
  prediction.collectiveSeconds = in.finite("a time");
  return prediction;
}

} // namespace sendwright
