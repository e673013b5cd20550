// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text traces: what is read, what is refused with its line, and that nothing is lost in import and
// export.

#include "analysis/trace/TextTrace.h"
#include "analysis/file/FormatError.h"
#include "analysis/trace/Matching.h"

#include <gtest/gtest.h>

#include <random>

using namespace sendwright;

namespace {

std::string exported(const Profile &profile) {
  std::string text;
  formatTextTrace(profile, "p", [&](std::string_view piece) { text += piece; });
  return text;
}

std::string problemOfTrace(std::string_view text) {
  try {
    parseTextTrace(text, "a.trace");
  } catch (const FormatError &error) {
    return error.what();
  }
  return "accepted";
}

std::string problemOfEvent(const std::string &line) {
  return problemOfTrace("sendwright-trace 1\nranks 3\nrank 0\nisend 1 req=4\n" + line + "\n");
}

const char canonical[] = R"(sendwright-trace 1
ranks 3
rank 0
send 1 bytes=8 tag=7 site=app.c:42
isend 2 req=1 bytes=1024
issend 2 req=3 comm=5
wait req=3,1
compute 0.000125
compute 1.5e-07 t=2
collective barrier
collective bcast root=1 bytes=64 comm=2 site=dir/other%20file.c:7 t=0.5
collective iallreduce req=0 bytes=8
wait req=0
rank 1
recv 0 tag=7
recv 0 tag=*
irecv * req=9 bytes=3 tag=* comm=2 from=0
cancel req=9
free req=9
recv null
truncated
rank 2
)";

/// A trace that exporting would write identically.
std::string randomTrace(std::mt19937 &random) {
  const std::size_t ranks = 1 + random() % 4;
  std::string text = "sendwright-trace 1\nranks " + std::to_string(ranks) + "\n";
  auto number = [&](std::size_t below) { return std::to_string(random() % below); };
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    text += "rank " + std::to_string(rank) + "\n";
    std::vector<std::string> open;
    int next = static_cast<int>(random() % 5);
    for (std::size_t events = random() % 40; events > 0; --events) {
      const char *sends[] = {"send", "ssend", "bsend", "rsend"};
      const char *posts[] = {"isend", "issend", "ibsend", "irsend", "irecv"};
      std::string line, keys;
      if (random() % 2)
        keys += " bytes=" + std::to_string(1 + random());
      if (random() % 2)
        keys += " tag=" + std::to_string(1 + random() % 9);
      if (random() % 4 == 0)
        keys += " comm=" + std::to_string(1 + random() % 3);
      switch (random() % 6) {
      case 0:
        line = std::string(sends[random() % 4]) + " " + number(ranks) + keys;
        break;
      case 1:
        line =
            "recv " + (random() % 2 ? number(ranks) + keys : "*" + keys + " from=" + number(ranks));
        break;
      case 2: {
        const std::size_t kind = random() % 5;
        const bool wildcard = kind == 4 && random() % 2;
        open.push_back(std::to_string(next++));
        line = std::string(posts[kind]) + " " + (wildcard ? "*" : number(ranks)) +
               " req=" + open.back() + keys + (wildcard ? " from=" + number(ranks) : "");
        break;
      }
      case 3:
        if (open.empty())
          continue;
        line = (random() % 5 ? "wait req=" : "free req=") + open.back();
        open.pop_back();
        for (; !open.empty() && random() % 2; open.pop_back())
          line += "," + open.back();
        break;
      case 4:
        line = "collective " + std::string(random() % 2 ? "barrier" : "allreduce bytes=8");
        break;
      case 5:
        line = "compute 0.00" + std::to_string(1 + random() % 9);
        break;
      }
      if (random() % 3 == 0)
        line += " site=f.c:" + number(100);
      if (random() % 3 == 0)
        line += " t=" + number(100);
      text += line + "\n";
    }
  }
  return text;
}

} // namespace

TEST(TextTrace, ComesBackAsItWas) {
  EXPECT_EQ(exported(parseTextTrace(canonical, "a")), canonical);
}

TEST(TextTrace, EveryTraceComesBackAsItWas) {
  std::mt19937 random(23);
  for (int trial = 0; trial < 2000; ++trial) {
    const std::string text = randomTrace(random);
    ASSERT_EQ(exported(parseTextTrace(text, "a")), text);
  }
}

TEST(TextTrace, ReadsFreely) {
  Profile profile =
      parseTextTrace("# made by hand\r\n\r\nsendwright-trace 1 # version\r\nranks 2\r\n"
                     "rank 1\r\n\trecv *   tag=3 from=0 bytes=4 #x\r\n"
                     "rank 0\nsend 1 site=a.c:9 tag=3 bytes=4",
                     "a");
  ASSERT_EQ(profile.ranks.size(), 2u);
  ASSERT_EQ(profile.ranks[1].events.size(), 1u);
  const Event &receive = profile.ranks[1].events[0];
  EXPECT_EQ(receive.peer, anySource);
  EXPECT_EQ(receive.matches, (std::vector<WildcardMatch>{{-1, 0, 3, 4}}));
  ASSERT_EQ(profile.sites.size(), 1u);
  EXPECT_EQ(profile.sites[0].display(), "a.c:9");
  EXPECT_EQ(profile.ranks[0].events[0].site, 0);
}

TEST(TextTrace, EventsThatAreEqualShareANumber) {
  std::string text = "sendwright-trace 1\nranks 1\nrank 0\n";
  for (int i = 0; i < 1000; ++i)
    text += "isend 0 req=0\nirecv 0 req=1\nwait req=0,1\n";
  Profile profile = parseTextTrace(text, "a");
  EXPECT_EQ(profile.ranks[0].events.size(), 3u);
  EXPECT_EQ(profile.ranks[0].sequence.length(), 3000u);
  EXPECT_EQ(exported(profile), text);
}

TEST(TextTrace, MatchOfANonblockingReceiveIsKnownWhereItCompletes) {
  Profile profile = parseTextTrace("sendwright-trace 1\nranks 2\nrank 0\nirecv * req=5 from=1 "
                                   "bytes=2\nwait req=5\nrank 1\nsend 0\n",
                                   "a");
  EXPECT_TRUE(profile.ranks[0].events[0].matches.empty());
  EXPECT_EQ(profile.ranks[0].events[1].matches, (std::vector<WildcardMatch>{{5, 1, 0, 2}}));
  EXPECT_TRUE(matchMessages(profile).complete);
}

TEST(TextTrace, MatchOfAReceiveThatNeverCompletesIsKept) {
  const std::string text =
      "sendwright-trace 1\nranks 2\nrank 0\nirecv * req=5 from=1\nrank 1\nsend 0\n";
  Profile profile = parseTextTrace(text, "a");
  EXPECT_EQ(matchMessages(profile).unmatchedSends, 0u);
  EXPECT_EQ(exported(profile), text);
}

TEST(TextTrace, RecordedRunBecomesWhatItDid) {
  Profile profile;
  profile.sites = {{"loop file.c", "f", 12, 0, 99, ""}};
  profile.ranks.resize(2);
  for (int rank = 0; rank < 2; ++rank) {
    RankProfile &run = profile.ranks[rank];
    run.communicators = {{{0, 1}, 0, false}, {{1}, 0, false}, {{0, 1}, 3, false}};
    Event enter, exchange, probe, nothing;
    enter.kind = EventKind::SiteEnter;
    enter.site = 0;
    exchange.function = MpiFunctionId::Sendrecv;
    exchange.peer = 1 - rank;
    exchange.bytes = 8;
    exchange.tag = 1;
    exchange.receivePeer = anySource;
    exchange.receiveTag = anyTag;
    exchange.receiveBytes = 16;
    exchange.matches = {{-1, 1 - rank, 1, 8}};
    exchange.site = 0;
    exchange.communicator = 2;
    probe.function = MpiFunctionId::Probe;
    probe.peer = 0;
    nothing.function = MpiFunctionId::Isend;
    nothing.peer = nullRank;
    nothing.requests = {0};
    nothing.communicator = 1;
    run.events = {enter, exchange, probe, nothing};
    run.statistics = {{2, 2e-6, 0, 0, 0}, {2, 4e-6, 0, 0, 0}, {2, 0, 0, 0, 0}, {2, 2e-10, 0, 0, 0}};
    run.sequence.rules = {{{1, true, 2}},
                          {{0, false, 1}, {1, false, 1}, {2, false, 1}, {3, false, 1}}};
  }
  const std::string text = exported(profile);
  EXPECT_EQ(text.substr(0, text.find("rank 1")), R"(sendwright-trace 1
ranks 2
rank 0
compute 3e-06
irecv * req=1 bytes=16 tag=* comm=3 from=1 site=loop%20file.c:12
send 1 bytes=8 tag=1 comm=3 site=loop%20file.c:12
wait req=1 site=loop%20file.c:12
isend null req=0 comm=1
compute 3e-06
irecv * req=1 bytes=16 tag=* comm=3 from=1 site=loop%20file.c:12
send 1 bytes=8 tag=1 comm=3 site=loop%20file.c:12
wait req=1 site=loop%20file.c:12
isend null req=2 comm=1
)");
  EXPECT_EQ(exported(parseTextTrace(text, "a")), text);
}

TEST(TextTrace, NegativeZeroIsZero) {
  Profile profile =
      parseTextTrace("sendwright-trace 1\nranks 1\nrank 0\ncompute 0\nsend 0 t=0\n", "a");
  for (Event &event : profile.ranks[0].events) {
    event.seconds = -0.0;
    if (event.time == 0)
      event.time = -0.0;
  }
  const std::string once = exported(profile);
  EXPECT_EQ(exported(parseTextTrace(once, "a")), once);
  EXPECT_EQ(once.find('-', once.find('\n')), std::string::npos);
}

TEST(TextTrace, RefusesWithFileAndLine) {
  EXPECT_EQ(problemOfTrace(""), "a.trace:1: found the end, expected sendwright-trace 1");
  EXPECT_EQ(problemOfTrace("hello\n"), "a.trace:1: found 'hello', expected sendwright-trace 1");
  EXPECT_EQ(problemOfTrace("sendwright-trace 2\n"),
            "a.trace:1: found '2', expected sendwright-trace 1");
  EXPECT_EQ(problemOfTrace("sendwright-trace 1\n"), "a.trace:2: found the end, expected ranks N");
  EXPECT_EQ(problemOfTrace("sendwright-trace 1\nranks 0\n"),
            "a.trace:2: found '0', expected a number of ranks from 1 to 16384");
  EXPECT_EQ(problemOfTrace("sendwright-trace 1\nranks 2\nsend 1\n"),
            "a.trace:3: found 'send', expected rank R before the first event");
  EXPECT_EQ(problemOfTrace("sendwright-trace 1\nranks 2\nrank 2\n"),
            "a.trace:3: found '2', expected a rank from 0 to 1");
  EXPECT_EQ(problemOfTrace("sendwright-trace 1\nranks 2\nrank 1\nrank 1\n"),
            "a.trace:4: rank 1 has events already (line 3), expected each rank once");
  EXPECT_EQ(problemOfEvent("sned 1"), "a.trace:5: found 'sned', expected send, recv, isend, irecv, "
                                      "wait, collective, compute or another event");
  EXPECT_EQ(problemOfEvent("send"), "a.trace:5: no operand after send, expected a rank");
  EXPECT_EQ(problemOfEvent("send 3"), "a.trace:5: found '3', expected a rank from 0 to 2");
  EXPECT_EQ(problemOfEvent("send *"), "a.trace:5: found '*', expected a rank from 0 to 2");
  EXPECT_EQ(problemOfEvent("send 1 2"),
            "a.trace:5: found '2', expected the keys of send: bytes= tag= comm= site= t=");
  EXPECT_EQ(problemOfEvent("send 1 req=3"),
            "a.trace:5: found 'req=3', expected the keys of send: bytes= tag= comm= site= t=");
  EXPECT_EQ(problemOfEvent("send 1 tag=1 tag=1"), "a.trace:5: tag= twice, expected it once");
  EXPECT_EQ(problemOfEvent("send 1 tag="), "a.trace:5: tag= without a value, expected one");
  EXPECT_EQ(problemOfEvent("send 1 tag=-1"),
            "a.trace:5: found '-1', expected a tag from 0 to 2147483647");
  EXPECT_EQ(problemOfEvent("send 1 bytes=8k"), "a.trace:5: found '8k', expected a number of bytes");
  EXPECT_EQ(problemOfEvent("send 1 site=app.c"),
            "a.trace:5: found 'app.c', expected a site as FILE:LINE");
  EXPECT_EQ(problemOfEvent("recv 1 from=2"),
            "a.trace:5: from= on a receive from 1, expected it only with *");
  EXPECT_EQ(problemOfEvent("irecv 1"),
            "a.trace:5: no req= after irecv, expected the number of its request");
  EXPECT_EQ(problemOfEvent("irecv 1 req=4"),
            "a.trace:5: request 4 is in use, expected a request that was waited for");
  EXPECT_EQ(problemOfEvent("wait"), "a.trace:5: no req= after wait, expected the requests");
  EXPECT_EQ(problemOfEvent("wait req=4,4"),
            "a.trace:5: request 4 is not in use, expected a request in use");
  EXPECT_EQ(problemOfEvent("wait req=4,"),
            "a.trace:5: found '', expected a request from 0 to 2147483647");
  EXPECT_EQ(problemOfEvent("collective sing"), "a.trace:5: found 'sing', expected a collective of "
                                               "MPI in lower case, as barrier or allreduce");
  EXPECT_EQ(problemOfEvent("collective send").substr(0, 24), "a.trace:5: found 'send',");
  EXPECT_EQ(problemOfEvent("truncated 1"),
            "a.trace:5: found '1', expected nothing more on the line");
  EXPECT_EQ(problemOfEvent("truncated\nsend 1"),
            "a.trace:6: found 'send', expected the next rank after truncated");
  EXPECT_EQ(problemOfEvent("compute -1"),
            "a.trace:5: found '-1', expected seconds, a number of at least 0");
  EXPECT_EQ(problemOfEvent("compute inf"),
            "a.trace:5: found 'inf', expected seconds, a number of at least 0");
}

TEST(TextTrace, ChangedTextIsReadOrRefused) {
  std::mt19937 random(29);
  const std::string alphabet = "0123456789 *=,.:#%\n\trecvsendwaitfromqbytgl-\xff";
  int refused = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    std::string text = trial % 2 ? std::string(canonical) : randomTrace(random);
    for (std::size_t changes = 1 + random() % 4; changes > 0; --changes) {
      const std::size_t at = random() % text.size();
      switch (random() % 3) {
      case 0:
        text[at] = alphabet[random() % alphabet.size()];
        break;
      case 1:
        text.erase(at, random() % 20);
        break;
      case 2:
        text.insert(at, 1, alphabet[random() % alphabet.size()]);
        break;
      }
      if (text.empty())
        text = "\n";
    }
    try {
      const std::string once = exported(parseTextTrace(text, "a"));
      ASSERT_EQ(exported(parseTextTrace(once, "a")), once);
    } catch (const FormatError &error) {
      ASSERT_EQ(std::string(error.what()).substr(0, 2), "a:");
      ++refused;
    }
  }
  EXPECT_GT(refused, 500);
}
