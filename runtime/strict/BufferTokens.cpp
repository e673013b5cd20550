// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/strict/BufferTokens.h"
#include "runtime/base/WorldRanks.h"

#include <mpi.h>

namespace sendwright::strict {

namespace {
constexpr int tokenTag = 1, reportTag = 2;
}

BufferTokens::BufferTokens(MPI_Comm communicator) : communicator(communicator) {
  const int ranks = ranksIn(communicator);
  sentTo.resize(ranks);
  postReceive();
}

void BufferTokens::postReceive() {
  PMPI_Irecv(&incomingToken, sizeof incomingToken, MPI_BYTE, MPI_ANY_SOURCE, tokenTag, communicator,
             &incoming);
}

void BufferTokens::send(int rank, const Token &token) {
  Outgoing &message = outgoing.emplace_back(Outgoing{token, {}, MPI_REQUEST_NULL});
  PMPI_Isend(&message.token, sizeof message.token, MPI_BYTE, rank, tokenTag, communicator,
             &message.request);
  ++sentTo[rank];
}

bool BufferTokens::receive(Token &token, int &rank) {
  int done = 0;
  MPI_Status status;
  if (PMPI_Test(&incoming, &done, &status) != MPI_SUCCESS || !done)
    return false;
  token = incomingToken;
  rank = status.MPI_SOURCE;
  ++received;
  postReceive();
  return true;
}

void BufferTokens::sendReport(std::string report) {
  Outgoing &message = outgoing.emplace_back(Outgoing{{}, std::move(report), MPI_REQUEST_NULL});
  PMPI_Isend(message.report.data(), static_cast<int>(message.report.size()), MPI_BYTE, 0, reportTag,
             communicator, &message.request);
  ++sentTo[0];
}

bool BufferTokens::receiveReport(std::string &report, int &rank) {
  int done = 0;
  MPI_Status status;
  if (incomingReport == MPI_REQUEST_NULL) {
    PMPI_Iprobe(MPI_ANY_SOURCE, reportTag, communicator, &done, &status);
    if (!done)
      return false;
    int size = 0;
    PMPI_Get_count(&status, MPI_BYTE, &size);
    reportText.resize(size);
    reportRank = status.MPI_SOURCE;
    PMPI_Irecv(reportText.data(), size, MPI_BYTE, reportRank, reportTag, communicator,
               &incomingReport);
  }
  PMPI_Test(&incomingReport, &done, MPI_STATUS_IGNORE);
  if (!done)
    return false;
  ++received;
  report = std::move(reportText);
  rank = reportRank;
  return true;
}

void BufferTokens::releaseSent() {
  // They leave roughly in the order in which they were sent.
  while (!outgoing.empty()) {
    int done = 0;
    PMPI_Test(&outgoing.front().request, &done, MPI_STATUS_IGNORE);
    if (!done)
      return;
    outgoing.pop_front();
  }
}

void BufferTokens::drain() {
  int expected = 0;
  PMPI_Reduce_scatter_block(sentTo.data(), &expected, 1, MPI_INT, MPI_SUM, communicator);
  while (received < expected || !outgoing.empty()) {
    Token token;
    std::string report;
    int rank = 0;
    receive(token, rank);
    receiveReport(report, rank);
    releaseSent();
  }
  PMPI_Cancel(&incoming);
  PMPI_Wait(&incoming, MPI_STATUS_IGNORE);
}

} // namespace sendwright::strict
