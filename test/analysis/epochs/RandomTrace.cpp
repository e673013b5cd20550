// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each communication is a list of stages that happen one after another. What begins and what goes
// on is chosen at random; the resulting order is one in which the trace can be executed.

#include "test/analysis/epochs/RandomTrace.h"

#include <deque>
#include <random>
#include <utility>
#include <vector>

namespace sendwright {

namespace {

class TraceMaker {
public:
  TraceMaker(std::uint64_t seed, int ranks, bool blocking)
      : random(seed), ranks(ranks), blocking(blocking), lines(static_cast<std::size_t>(ranks)) {}

  std::string make(int communications) {
    while (communications > 0 || !open.empty()) {
      if (communications > 0 && (open.empty() || random() % 3 == 0)) {
        --communications;
        begin();
      } else {
        goOn(random() % open.size());
      }
    }
    std::string text = "sendwright-trace 1\nranks " + std::to_string(ranks) + "\n";
    for (std::size_t rank = 0; rank < lines.size(); ++rank)
      text += "rank " + std::to_string(rank) + "\n" + lines[rank];
    return text;
  }

private:
  using Stage = std::vector<std::pair<int, std::string>>; // what ranks do at the same time
  struct Communication {
    std::deque<Stage> stages;
    bool collective = false;
  };

  void goOn(std::size_t which) {
    for (const auto &[rank, line] : open[which].stages.front())
      lines[static_cast<std::size_t>(rank)] += line + "\n";
    open[which].stages.pop_front();
    if (!open[which].stages.empty())
      return;
    collectiveOpen &= !open[which].collective;
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(which));
  }

  void begin() {
    const std::uint64_t choice = blocking ? 0 : random() % 12;
    if (choice < 10)
      beginMessage(blocking ? 0 : static_cast<int>(choice));
    else if (!collectiveOpen)
      beginCollective();
  }

  void beginMessage(int mode) {
    ++number;
    const int from = static_cast<int>(random() % static_cast<std::uint64_t>(ranks));
    int to = static_cast<int>(random() % static_cast<std::uint64_t>(ranks));
    const bool oneself = from == to;
    if (oneself && (blocking || mode == 3))
      to = (from + 1) % ranks;
    const std::string tag = " tag=" + std::to_string(number), request = std::to_string(2 * number);
    const std::string other = std::to_string(2 * number + 1);
    const std::string here = " " + std::to_string(to) + tag,
                      there = " " + std::to_string(from) + tag;
    const std::string post = " req=" + request, wait = "wait req=" + request;
    const std::string otherPost = " req=" + other, otherWait = "wait req=" + other;
    const bool any = random() % 4 == 0;
    const std::string source = any ? " * from=" + std::to_string(from) + tag : there;
    Communication next;
    switch (mode) {
    case 0:
    case 1:
      next.stages = {{{from, "send" + here}}, {{to, "recv" + source}}};
      break;
    case 2:
      next.stages = {{{from, "bsend" + here}}, {{to, "recv" + source}}};
      break;
    case 3:
      next.stages = {{{from, "ssend" + here}, {to, "recv" + source}}};
      break;
    case 4:
      next.stages = {{{from, "isend" + here + post}}, {{to, "recv" + source}}, {{from, wait}}};
      if (random() % 2)
        std::swap(next.stages[1], next.stages[2]);
      break;
    case 5:
      next.stages = {{{from, "issend" + here + post}}, {{to, "recv" + source}}, {{from, wait}}};
      break;
    case 6:
      next.stages = {
          {{to, "irecv" + source + otherPost}}, {{from, "send" + here}}, {{to, otherWait}}};
      if (random() % 2)
        std::swap(next.stages[0], next.stages[1]);
      break;
    case 7:
      next.stages = {{{to, "irecv" + source + otherPost}},
                     {{from, random() % 2 ? "ssend" + here : "rsend" + here}},
                     {{to, otherWait}}};
      break;
    case 8:
      next.stages = {{{from, "isend" + here + post}},
                     {{to, "irecv" + source + otherPost}},
                     {{to, otherWait}},
                     {{from, wait}}};
      if (random() % 2)
        std::swap(next.stages[0], next.stages[1]);
      break;
    default:
      beginExchange(from, (from + 1) % ranks);
      return;
    }
    open.push_back(std::move(next));
  }

  /// Both sides receive, send and wait, as in a Sendrecv.
  void beginExchange(int first, int second) {
    Communication next;
    Stage posts, sends, waits;
    for (const auto &[rank, peer] : {std::pair(first, second), std::pair(second, first)}) {
      const std::string tag = " " + std::to_string(peer) + " tag=" + std::to_string(number);
      const std::string request = std::to_string(2 * number + (rank == first));
      posts.emplace_back(rank, "irecv" + tag + " req=" + request);
      sends.emplace_back(rank, "send" + tag);
      waits.emplace_back(rank, "wait req=" + request);
    }
    next.stages = {posts, sends, waits};
    if (first != second)
      open.push_back(std::move(next));
  }

  void beginCollective() {
    static const char *const names[] = {"barrier", "allreduce", "bcast",      "reduce",
                                        "scan",    "ibarrier",  "iallgather", "comm_dup"};
    const std::size_t which = random() % std::size(names);
    const std::string name = std::string("collective ") + names[which];
    const int root = static_cast<int>(random() % static_cast<std::uint64_t>(ranks));
    Communication next;
    next.collective = true;
    Stage all, rest, waits;
    ++number;
    for (int rank = 0; rank < ranks; ++rank) {
      std::string line = name;
      if (which == 2 || which == 3)
        line += " root=" + std::to_string(root);
      if (which == 5 || which == 6) {
        line += " req=" + std::to_string(2 * number);
        waits.emplace_back(rank, "wait req=" + std::to_string(2 * number));
      }
      ((which == 2 && rank != root) || (which == 3 && rank == root) ? rest : all)
          .emplace_back(rank, line);
    }
    next.stages.push_back(all);
    for (const auto &each : which == 2 || which == 3 ? rest : waits)
      next.stages.push_back({each});
    collectiveOpen = true;
    open.push_back(std::move(next));
  }

  std::mt19937_64 random;
  int ranks;
  bool blocking;
  std::vector<std::string> lines;
  std::vector<Communication> open;
  bool collectiveOpen = false;
  int number = 0;
};

} // namespace

std::string randomTrace(std::uint64_t seed, int ranks, int communications, bool blocking) {
  return TraceMaker(seed, ranks, blocking).make(communications);
}

} // namespace sendwright
