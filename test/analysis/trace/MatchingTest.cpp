// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matching compared with a small MPI that really delivers messages, in random order, to posted
// receives.

#include "analysis/trace/Matching.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <numeric>
#include <random>

using namespace sendwright;

namespace {

RankProfile rankOf(const std::vector<Event> &events, int ranks) {
  RankProfile rank;
  std::vector<int> everyone(static_cast<std::size_t>(ranks));
  std::iota(everyone.begin(), everyone.end(), 0);
  const Communicator world{everyone, 0, false};
  Communicator copy = world;
  copy.instance = 1;
  rank.communicators = {world, copy};
  GrammarBuilder builder;
  for (std::uint32_t i = 0; i < events.size(); ++i)
    builder.append(i);
  rank.events = events;
  rank.sequence = builder.grammar();
  return rank;
}

Profile profileOf(const std::vector<std::vector<Event>> &events) {
  Profile profile;
  for (const std::vector<Event> &rank : events)
    profile.ranks.push_back(rankOf(rank, static_cast<int>(events.size())));
  return profile;
}

Event call(MpiFunctionId function, int peer, int tag, std::vector<int> requests = {}) {
  Event event;
  event.function = function;
  event.peer = peer;
  event.tag = tag;
  event.requests = std::move(requests);
  return event;
}

Event waitFor(std::vector<int> requests) {
  return call(MpiFunctionId::Waitall, noPeer, 0, std::move(requests));
}

/// What identifies a message in the small MPI, and where it ended up.
struct Delivery {
  std::uint32_t sender, sentAt;
  int tag, communicator;
};

/// Random programs, run by delivering messages at random moments.
class SmallMpi {
public:
  SmallMpi(std::mt19937 &random, int ranks) : random(random), ranks(ranks), programs(ranks) {}

  void run() {
    writeSends();
    writeReceives();
    programs.resize(ranks);
    deliver();
  }

  std::vector<std::vector<Event>> events() const { return programs; }
  /// (receiver, posted at) -> message.
  std::map<std::pair<std::uint32_t, std::uint32_t>, Delivery> taken;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> completions;

private:
  void writeSends() {
    for (int rank = 0; rank < ranks; ++rank)
      for (std::size_t count = random() % 8; count > 0; --count) {
        Event event = call(MpiFunctionId::Send, static_cast<int>(random() % ranks),
                           static_cast<int>(random() % 3));
        event.communicator = random() % 4 == 0;
        programs[rank].push_back(event);
      }
  }

  /// For each message, a receive that could take it, in random order; some are wildcards.
  void writeReceives() {
    for (int rank = 0; rank < ranks; ++rank) {
      std::vector<Event> wanted;
      for (int sender = 0; sender < ranks; ++sender)
        for (const Event &send : programs[sender])
          if (send.peer == rank && mpiFunction(send.function).role == MpiRole::Send) {
            Event event = call(MpiFunctionId::Irecv, sender, send.tag);
            event.communicator = send.communicator;
            wanted.push_back(event);
          }
      std::shuffle(wanted.begin(), wanted.end(), random);
      const bool anySources = random() % 2, anyTags = random() % 2;
      for (Event &event : wanted) {
        if (anySources && random() % 2)
          event.peer = anySource;
        if (anyTags && random() % 2)
          event.tag = anyTag;
        event.requests = {static_cast<int>(programs[rank].size())};
        programs[rank].push_back(event);
      }
    }
  }

  /// All receives are posted; a sender's messages arrive in order, and senders are interleaved at
  /// random.
  void deliver() {
    std::vector<std::vector<std::deque<Delivery>>> under(ranks,
                                                         std::vector<std::deque<Delivery>>(ranks));
    std::vector<std::pair<int, int>> links;
    for (int rank = 0; rank < ranks; ++rank)
      for (std::uint32_t at = 0; at < programs[rank].size(); ++at)
        if (const Event &event = programs[rank][at]; event.function == MpiFunctionId::Send) {
          under[rank][event.peer].push_back(
              {static_cast<std::uint32_t>(rank), at, event.tag, event.communicator});
          links.push_back({rank, event.peer});
        }
    std::shuffle(links.begin(), links.end(), random);
    for (auto [sender, receiver] : links) {
      arrive(static_cast<std::uint32_t>(receiver), under[sender][receiver].front());
      under[sender][receiver].pop_front();
    }
    waitInRandomOrder();
  }

  void arrive(std::uint32_t receiver, const Delivery &message) {
    for (std::uint32_t at = 0; at < programs[receiver].size(); ++at) {
      const Event &event = programs[receiver][at];
      if (event.function != MpiFunctionId::Irecv || taken.count({receiver, at}) ||
          event.communicator != message.communicator ||
          (event.peer != anySource && event.peer != static_cast<int>(message.sender)) ||
          (event.tag != anyTag && event.tag != message.tag))
        continue;
      taken.insert({{receiver, at}, message});
      return;
    }
  }

  void waitInRandomOrder() {
    for (std::uint32_t rank = 0; rank < programs.size(); ++rank) {
      std::vector<std::uint32_t> posted;
      for (std::uint32_t at = 0; at < programs[rank].size(); ++at)
        if (programs[rank][at].function == MpiFunctionId::Irecv && taken.count({rank, at}))
          posted.push_back(at);
      std::shuffle(posted.begin(), posted.end(), random);
      for (std::uint32_t at : posted) {
        Event event = waitFor({static_cast<int>(at)});
        const Event &receive = programs[rank][at];
        if (receive.peer == anySource || receive.tag == anyTag) {
          const Delivery &message = taken.at({rank, at});
          event.matches.push_back(
              {static_cast<int>(at), static_cast<int>(message.sender), message.tag, 0});
        }
        completions[{rank, at}] = static_cast<std::uint32_t>(programs[rank].size());
        programs[rank].push_back(event);
      }
    }
  }

  std::mt19937 &random;
  int ranks;
  std::vector<std::vector<Event>> programs;
};

} // namespace

TEST(Matching, AgreesWithDelivery) {
  std::mt19937 random(17);
  std::size_t wildcards = 0, messages = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    SmallMpi mpi(random, 1 + static_cast<int>(random() % 5));
    mpi.run();
    Matching matching = matchMessages(profileOf(mpi.events()));
    std::size_t matched = 0;
    for (const MatchedMessage &message : matching.messages) {
      if (!message.matched())
        continue;
      ++matched;
      auto found = mpi.taken.find({message.receive.rank, message.receive.position});
      ASSERT_NE(found, mpi.taken.end());
      ASSERT_EQ(found->second.sender, message.send.rank) << "trial " << trial;
      ASSERT_EQ(found->second.sentAt, message.send.position) << "trial " << trial;
      ASSERT_EQ(message.completion, mpi.completions.at(found->first));
      wildcards += mpi.events()[message.receive.rank][message.receive.position].peer == anySource;
    }
    ASSERT_EQ(matched, mpi.taken.size());
    messages += matched;
  }
  EXPECT_GT(messages, 5000u);
  EXPECT_GT(wildcards, 1000u);
}

TEST(Matching, NumbersEventsOfTheExpandedRun) {
  Profile profile = profileOf(
      {{call(MpiFunctionId::Isend, 1, 0, {0}), waitFor({0})}, {call(MpiFunctionId::Recv, 0, 0)}});
  profile.ranks[0].sequence.rules = {{{1, true, 3}}, {{0, false, 1}, {1, false, 1}}};
  profile.ranks[1].sequence.rules = {{{0, false, 3}}};
  Matching matching = matchMessages(profile);
  ASSERT_EQ(matching.messages.size(), 3u);
  EXPECT_TRUE(matching.complete);
  for (std::uint32_t i = 0; i < 3; ++i) {
    const MatchedMessage *message = matching.sentAt(0, 2 * i);
    ASSERT_NE(message, nullptr);
    EXPECT_EQ(message->sendCompletion, 2 * i + 1);
    EXPECT_EQ(message->receive, (EventPosition{1, i}));
    EXPECT_EQ(message->completion, i);
  }
  EXPECT_EQ(matching.sentAt(0, 1), nullptr);
  EXPECT_EQ(matching.sentAt(1, 0), nullptr);
  EXPECT_EQ(matching.sentAt(7, 0), nullptr);
}

TEST(Matching, SendrecvIsSendAndReceive) {
  std::vector<std::vector<Event>> events(2);
  for (int rank = 0; rank < 2; ++rank) {
    Event event = call(MpiFunctionId::Sendrecv, 1 - rank, 3 + rank);
    event.receivePeer = 1 - rank;
    event.receiveTag = 4 - rank;
    events[rank] = {event};
  }
  Matching matching = matchMessages(profileOf(events));
  EXPECT_TRUE(matching.complete);
  ASSERT_EQ(matching.messages.size(), 2u);
  EXPECT_EQ(matching.messages[0].receive, (EventPosition{1, 0}));
  EXPECT_EQ(matching.messages[1].receive, (EventPosition{0, 0}));
}

TEST(Matching, ListsWhatFindsNoPartner) {
  Profile profile = profileOf({{call(MpiFunctionId::Send, 1, 5), call(MpiFunctionId::Recv, 1, 0)},
                               {call(MpiFunctionId::Recv, anySource, 5)}});
  Matching matching = matchMessages(profile);
  EXPECT_FALSE(matching.complete);
  EXPECT_EQ(matching.unmatchedSends, 1u);
  EXPECT_EQ(matching.unmatchedReceives, 2u);
  ASSERT_EQ(matching.messages.size(), 3u);
  EXPECT_EQ(matching.sendsBegin, (std::vector<std::uint32_t>{0, 1, 1}));
  EXPECT_EQ(matching.messages[0].receive, (EventPosition{1, noPosition}));
  EXPECT_EQ(matching.messages[1].send, (EventPosition{1, noPosition}));
  EXPECT_EQ(matching.messages[2].send, (EventPosition{noPosition, noPosition}));
}

TEST(Matching, MessagesToNobodyAreNone) {
  Profile profile =
      profileOf({{call(MpiFunctionId::Send, nullRank, 0), call(MpiFunctionId::Recv, nullRank, 0)}});
  Matching matching = matchMessages(profile);
  EXPECT_TRUE(matching.messages.empty());
  EXPECT_TRUE(matching.complete);
}

TEST(Matching, CancelledReceivesAreLeftOut) {
  Event cancel = call(MpiFunctionId::Cancel, noPeer, 0, {0});
  Profile profile = profileOf(
      {{call(MpiFunctionId::Irecv, 0, 0, {0}), cancel, waitFor({0}),
        call(MpiFunctionId::Isend, 0, 0, {0}), call(MpiFunctionId::Recv, 0, 0), waitFor({0})}});
  Matching matching = matchMessages(profile);
  ASSERT_EQ(matching.messages.size(), 1u);
  EXPECT_EQ(matching.messages[0].receive.position, 4u);
  EXPECT_TRUE(matching.complete);
}

TEST(Matching, LimitIsSharedEvenly) {
  Profile profile =
      profileOf({{call(MpiFunctionId::Send, 1, 0)}, {call(MpiFunctionId::Recv, 0, 0)}});
  profile.ranks[0].sequence.rules = {{{0, false, 1000}}};
  profile.ranks[1].sequence.rules = {{{0, false, 1000}}};
  Matching matching = matchMessages(profile, {100});
  EXPECT_EQ(matching.events[0].size(), 50u);
  EXPECT_EQ(matching.events[1].size(), 50u);
  EXPECT_EQ(matching.messages.size(), 50u);
  EXPECT_FALSE(matching.complete);
}

TEST(Matching, AnyRequestNumberWillDo) {
  Profile profile = profileOf({{call(MpiFunctionId::Isend, 0, 0, {INT32_MAX}),
                                call(MpiFunctionId::Irecv, 0, 0, {5}), waitFor({5, INT32_MAX})}});
  Matching matching = matchMessages(profile);
  ASSERT_EQ(matching.messages.size(), 1u);
  EXPECT_EQ(matching.messages[0].sendCompletion, 2u);
  EXPECT_EQ(matching.messages[0].completion, 2u);
}
