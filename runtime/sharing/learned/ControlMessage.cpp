// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/sharing/learned/ControlMessage.h"

#include "analysis/sharing/CommonPatterns.h"
#include "analysis/sharing/PatternTurns.h"

#include <limits>

namespace sendwright::adaptation {

void encodeMessages(ByteWriter &out, const std::vector<ProposedMessage> &messages) {
  out.number(messages.size());
  for (const ProposedMessage &sent : messages) {
    out.number(static_cast<std::uint64_t>(sent.destination));
    out.real(sent.bytes);
  }
}

void decodeMessages(ByteReader &in, std::vector<ProposedMessage> &messages, int ranks) {
  in.resize(messages, 9);
  for (ProposedMessage &sent : messages) {
    sent.destination =
        static_cast<std::int32_t>(in.number(static_cast<std::uint64_t>(ranks) - 1, "destination"));
    sent.bytes = in.finite("size");
  }
}

std::string encodeControl(const ControlMessage &message) {
  ByteWriter out;
  out.byte(static_cast<std::uint8_t>(message.kind));
  out.fixed64(message.key.loop);
  out.number(message.key.communicator);
  out.number(message.key.turns);
  out.number(message.key.turn);
  out.number(message.attempt);
  out.number(message.plan);
  out.number(message.number);
  out.byte(message.crosses);
  out.byte(static_cast<std::uint8_t>(message.change));
  out.number(message.numbers.size());
  for (const std::uint64_t number : message.numbers)
    out.number(number);
  encodeMessages(out, message.pattern);
  out.real(message.collectives);
  out.fixed64(message.calls);
  out.fixed64(message.otherSum);
  out.real(message.direct);
  out.real(message.shared);
  out.byte(message.atEnd);
  out.text(message.part);
  out.text(message.text);
  return out.take();
}

ControlMessage decodeControl(std::string_view bytes, int ranks) {
  ByteReader in(bytes, "a message of SENDWRIGHT_ADAPT");
  ControlMessage message;
  const std::uint8_t kind = in.byte();
  if (kind > static_cast<std::uint8_t>(ControlMessage::Kind::Say))
    in.fail("kind " + std::to_string(kind) + ", which does not exist");
  message.kind = static_cast<ControlMessage::Kind>(kind);
  message.key.loop = in.fixed64();
  message.key.communicator =
      static_cast<std::uint32_t>(in.number(std::numeric_limits<std::uint32_t>::max(), "index"));
  message.key.turns = static_cast<std::uint32_t>(in.number(PatternTurns::most, "number of turns"));
  if (message.key.turns == 0)
    in.fail("no turns");
  message.key.turn = static_cast<std::uint32_t>(in.number(message.key.turns - 1, "turn"));
  message.attempt = in.number();
  message.plan = in.number();
  message.number = in.number();
  message.crosses = in.byte() != 0;
  const std::uint8_t change = in.byte();
  if (change > static_cast<std::uint8_t>(Change::NoGain))
    in.fail("reason " + std::to_string(change) + ", which does not exist");
  message.change = static_cast<Change>(change);
  in.resize(message.numbers);
  if (message.numbers.size() > mostCommonPatterns)
    in.fail(std::to_string(message.numbers.size()) + " patterns, expected at most " +
            std::to_string(mostCommonPatterns));
  for (std::uint64_t &number : message.numbers)
    number = in.number();
  decodeMessages(in, message.pattern, ranks);
  message.collectives = in.finite("time of calls");
  message.calls = in.fixed64();
  message.otherSum = in.fixed64();
  message.direct = in.finite("seconds");
  message.shared = in.finite("seconds");
  message.atEnd = in.byte() != 0;
  message.part = in.text();
  message.text = in.text();
  in.expectEnd();
  return message;
}

std::string encodeRelayed(const std::vector<RelayedMessage> &messages) {
  ByteWriter out;
  out.number(messages.size());
  for (const RelayedMessage &message : messages) {
    out.number(static_cast<std::uint64_t>(message.rank));
    out.text(message.bytes);
  }
  return out.take();
}

std::vector<RelayedMessage> decodeRelayed(const std::string &bytes, int ranks) {
  ByteReader in(bytes, "messages of SENDWRIGHT_ADAPT for several ranks");
  std::vector<RelayedMessage> messages;
  in.resize(messages, 2);
  for (RelayedMessage &message : messages) {
    message.rank =
        static_cast<std::int32_t>(in.number(static_cast<std::uint64_t>(ranks) - 1, "rank"));
    message.bytes = in.text();
  }
  in.expectEnd();
  return messages;
}

} // namespace sendwright::adaptation
