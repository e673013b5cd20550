// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The private communicator: short tokens of one size, and rank 0's collection of reports. Nothing
// here waits, and tokens are only sent from within the program's calls of MPI.

#ifndef SENDWRIGHT_RUNTIME_STRICT_BUFFERTOKENS_H
#define SENDWRIGHT_RUNTIME_STRICT_BUFFERTOKENS_H

#include <mpi.h>

#include <cstdint>
#include <list>
#include <string>
#include <vector>

namespace sendwright::strict {

struct Token {
  enum Kind : std::int64_t {
    Want,    ///< sender to receiver: message `number` needs a buffer, unless it is matched
    Grant,   ///< receiver to sender: message `number` has a buffer
    Done,    ///< sender to receiver: message `number` is matched
    Suspect, ///< to rank 0: the sender of the token has been blocked for long
    Query,   ///< from rank 0: what do you wait for? `number` is the question's number
    Arrived, ///< to the first rank of a group: I have come to a collective; `number` names the
             ///< group
    Go       ///< from the first rank of a group: all have come
  };
  std::int64_t kind;
  std::int64_t number;
};

class BufferTokens {
public:
  /// `communicator` has the ranks of MPI_COMM_WORLD and is used by nothing else.
  explicit BufferTokens(MPI_Comm communicator);

  void send(int rank, const Token &token);
  /// Takes the next token that has arrived, with the rank that sent it; false if there is none.
  bool receive(Token &token, int &rank);

  void sendReport(std::string report);
  /// On rank 0: takes the next complete report.
  bool receiveReport(std::string &report, int &rank);

  /// Releases tokens that were sent. Constant time if no token was.
  void releaseSent();

  /// Called when all ranks have stopped calling send() and sendReport(): receives what is still
  /// under way, and drops it. Collective; waits.
  void drain();

private:
  struct Outgoing {
    Token token;
    std::string report;
    MPI_Request request;
  };
  void postReceive();

  MPI_Comm communicator;
  MPI_Request incoming = MPI_REQUEST_NULL;
  Token incomingToken{};
  MPI_Request incomingReport = MPI_REQUEST_NULL;
  std::string reportText;
  int reportRank = 0;
  std::list<Outgoing> outgoing;
  std::vector<int> sentTo; ///< numbers of tokens and reports sent, by rank
  int received = 0;
};

} // namespace sendwright::strict

#endif
