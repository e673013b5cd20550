// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/strict/StrictRank.h"

#include "runtime/base/Interception.h"
#include "runtime/base/WorldRanks.h"
#include "runtime/strict/Blocking.h"

#include <optional>

namespace sendwright::strict {

StrictRank::StrictRank(MPI_Comm world, MPI_Comm self, int buffers)
    : rank(rankIn(world)), ranks(ranksIn(world)), world(world), self(self), tokens(world),
      pool(buffers) {
  communicators.setBegun(finalizeId, 0);
}

void StrictRank::tell(int to, const Token &token) {
  if (to == rank)
    handle(token, rank);
  else
    tokens.send(to, token);
}

void StrictRank::handle(const Token &token, int from) {
  switch (token.kind) {
  case Token::Want:
    pool.want({from, token.number});
    break;
  case Token::Done:
    pool.done({from, token.number});
    break;
  case Token::Grant:
    sends.grant(token.number);
    return;
  case Token::Suspect:
    investigation.suspect();
    return;
  case Token::Query:
    tokens.sendReport(makeReport(token.number).write());
    return;
  case Token::Arrived:
    meetings.arrived(token.number);
    return;
  case Token::Go:
    meetings.go(token.number);
    return;
  default: // no others are sent
    return;
  }
  while (const std::optional<Ticket> granted = pool.grantNext())
    tell(static_cast<int>(granted->rank), {Token::Grant, granted->number});
}

void StrictRank::makeProgress() {
  Token token;
  int from = 0;
  while (tokens.receive(token, from))
    handle(token, from);
  sends.testMatched(blocked != nullptr);
  tokens.releaseSent();
  if (rank == 0)
    investigation.step();
}

void StrictRank::finish() {
  if (!(sendwright_interception & interceptStrict))
    return;
  caller = {"MPI_Finalize", nullptr, nullptr};
  ++calls;
  communicators.setBegun(finalizeId, 1);
  WaitItem all;
  all.kind = WaitItem::Meeting;
  all.communicator = finalizeId;
  all.number = all.wholeWorld = 1;
  for (int rank = 0; rank < ranks; ++rank)
    all.members.push_back(rank);
  BlockedCall call;
  call.item = &all;
  // After the first meeting, no rank sends on behalf of its program; after the second, none answers
  // others.
  for (int meeting = 0; meeting < 2; ++meeting) {
    MPI_Request request = MPI_REQUEST_NULL;
    PMPI_Ibarrier(world, &request);
    waitUntil(call, [&] {
      int done = 0;
      PMPI_Test(&request, &done, MPI_STATUS_IGNORE);
      return done != 0;
    });
  }
  sendwright_interception &= ~interceptStrict;
  tokens.drain();
  sends.abandonAll();
}

} // namespace sendwright::strict
