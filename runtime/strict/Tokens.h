// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The private communicator: short tokens of one size, and rank 0's collection of reports. Nothing
// here waits, and nothing is sent but from within calls of MPI that the program makes.

#ifndef SENDWRIGHT_RUNTIME_STRICT_TOKENS_H
#define SENDWRIGHT_RUNTIME_STRICT_TOKENS_H

#include <mpi.h>

#include <cstdint>
#include <list>
#include <string>
#include <vector>

namespace sendwright::strict {

struct Token {
  enum Kind : std::int64_t {
    Want,    ///< sender to receiver: message `number` needs a buffer, unless it is matched
    Grant,   ///< receiver to sender: it has one
    Done,    ///< sender to receiver: it is matched
    Suspect, ///< to rank 0: the sender of the token has been blocked for long
    Query,   ///< from rank 0: what do you wait for? `number` is that of the question
    Arrived, ///< to the first rank of a group: I have come to a collective; `number` names the
             ///< group
    Go       ///< from it: all have
  };
  std::int64_t kind;
  std::int64_t number;
};

class Tokens {
public:
  /// `communicator` has the ranks of MPI_COMM_WORLD and is used by nothing else.
  explicit Tokens(MPI_Comm communicator);

  void send(int rank, const Token &token);
  /// The next token that has come, with the rank it came from; false where there is none.
  bool receive(Token &token, int &rank);

  void sendReport(std::string report);
  /// Rank 0: the next report that has come whole.
  bool receiveReport(std::string &report, int &rank);

  /// Lets go of what has left. Constant time where nothing has.
  void releaseSent();

  /// All ranks have stopped calling send() and sendReport(): receives what is still under way, and
  /// forgets it. Collective; waits.
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
  std::vector<int> sentTo; ///< messages by rank, tokens and reports
  int received = 0;
};

} // namespace sendwright::strict

#endif
