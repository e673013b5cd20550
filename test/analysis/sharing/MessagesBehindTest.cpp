// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages with an envelope of an exchange that are received before earlier messages of it.

#include "test/analysis/sharing/FoundExchanges.h"

#include <algorithm>

using namespace sendwright;

namespace {

/// Rank 3 receives another message of rank 2, with the tag of the exchange, before it completes the
/// messages of the exchange. With `isAwaited`, rank 0 sends only after rank 3 has that message.
RunBuilder runWithMessageBefore(bool isAwaited, std::uint64_t bytes = 8) {
  RunBuilder run(4);
  const int site = run.addSite(10), other = run.addSite(60);
  const auto send = [&](int rank) {
    run.enter(rank, site);
    for (int destination : starLists[rank])
      run.send(rank, destination, 8, site);
    run.leave(rank, site);
  };
  for (int rank = 0; rank < 4; ++rank)
    for (int source = 0; source < 4; ++source)
      if (std::ranges::count(starLists[source], rank))
        run.post(rank, source);
  for (int rank = 1; rank < 4; ++rank)
    send(rank);
  run.send(2, 3, bytes, other);
  run.receive(3, 2);
  if (isAwaited) {
    run.send(3, 0, 8, other);
    run.receive(0, 3);
  }
  send(0);
  for (int rank = 0; rank < 4; ++rank)
    run.waitAll(rank);
  return run;
}

} // namespace

TEST(MessagesBehind, MayBeReceivedBeforeThoseOfTheExchange) {
  EXPECT_EQ(refusalText(findingAt(runWithMessageBefore(false), 10)), "");
}

TEST(MessagesBehind, CloseACircleIfOtherRanksWaitForThem) {
  expectRefused(runWithMessageBefore(true), SharingObstacle::CircularWait,
                "rank 0 sends its own only after rank 3 has received its messages");
}

TEST(MessagesBehind, MustLeaveTheirSendersAtOnce) {
  expectRefused(runWithMessageBefore(false, 20000), SharingObstacle::MetByAnotherCall,
                "rank 2 sends to rank 3 with tag 0 at app.c:60, too");
}

TEST(MessagesBehind, WaitForAllEarlierMessagesOfTheExchange) {
  // Two instances are under way. Rank 0 takes part in the first alone; it sends when rank 3 has
  // received another message, which is behind both.
  RunBuilder run(4);
  const int site = run.addSite(10), other = run.addSite(60);
  const SendLists whole{{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
  const SendLists part{{}, {2, 3}, {1, 3}, {1, 2}};
  const auto send = [&](const SendLists &lists, int rank) {
    run.enter(rank, site);
    for (int destination : lists[rank])
      run.send(rank, destination, 8, site);
    run.leave(rank, site);
  };
  for (int round = 0; round < 3; ++round) {
    for (const SendLists &lists : {whole, part})
      for (int rank = 0; rank < 4; ++rank)
        for (int source = 0; source < 4; ++source)
          if (std::ranges::count(lists[source], rank))
            run.post(rank, source);
    for (const SendLists &lists : {whole, part})
      for (int rank = 1; rank < 4; ++rank)
        send(lists, rank);
    if (round == 2) {
      run.send(2, 3, 8, other);
      run.receive(3, 2);
      run.send(3, 0, 8, other);
      run.receive(0, 3);
    }
    send(whole, 0);
    for (int rank = 0; rank < 4; ++rank)
      run.waitAll(rank);
  }
  expectRefused(run, SharingObstacle::CircularWait,
                "rank 0 sends its own only after rank 3 has received its messages");
}
