// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small model of ranks that share messages between collective calls, and a search of all its
// interleavings: whatever instances a rank leaves out or adds, all ranks come to their ends. The
// model has the rules of ExpectedInstances.h and of the runtime's routes: a rank inside a
// collective passes nothing on, a combined message leaves when everything that feeds it has come.
// Rank 0 may also send synchronously to another rank, which hears of it only while it waits outside
// of collectives, and tells what it has posted before it enters one (PostedReceives.h).

#ifndef SENDWRIGHT_TEST_ANALYSIS_SHARING_EXPECTEDINSTANCESMODEL_H
#define SENDWRIGHT_TEST_ANALYSIS_SHARING_EXPECTEDINSTANCESMODEL_H

#include "analysis/sharing/ExpectedInstances.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

/// Its names are common words.
namespace sendwright::instances_model {

inline constexpr std::size_t mostRanks = 4, mostMessages = 12, mostTransfers = 12,
                             mostInstances = 8;
inline constexpr std::uint8_t absent = 0, delivered = 255;

struct Message {
  std::size_t source, destination;
  std::vector<std::size_t> path; // transfers
};
struct TransferModel {
  std::size_t from, to;
  bool hasOwn = false;
  std::vector<std::size_t> feeders; // transfers to `from`
};

/// Who sends to whom by which combined messages.
struct Network {
  explicit Network(std::size_t ranks) : ranks(ranks) {}
  std::size_t ranks;
  std::vector<Message> messages;
  std::vector<TransferModel> transfers;

  /// `hops`: the ranks that a message goes through, from its source to its destination, beginning
  /// in stage `first`.
  void add(const std::vector<std::size_t> &hops, std::size_t first = 0) {
    Message message{hops.front(), hops.back(), {}};
    for (std::size_t hop = 0; hop + 1 < hops.size(); ++hop) {
      const std::size_t transfer = transferOf(hops[hop], hops[hop + 1], first + hop);
      if (hop == 0)
        transfers[transfer].hasOwn = true;
      else if (std::ranges::count(transfers[transfer].feeders, message.path.back()) == 0)
        transfers[transfer].feeders.push_back(message.path.back());
      message.path.push_back(transfer);
    }
    messages.push_back(std::move(message));
  }

private:
  std::size_t transferOf(std::size_t from, std::size_t to, std::size_t stage) {
    const auto [found, isNew] = known.try_emplace({from, to, stage}, transfers.size());
    if (isNew)
      transfers.push_back({from, to, false, {}});
    return found->second;
  }
  std::map<std::array<std::size_t, 3>, std::size_t> known;
};

/// Everything through rank 1, which adds its own.
inline Network line() {
  Network network(3);
  network.add({0, 1});
  network.add({2, 1});
  network.add({0, 1, 2});
  network.add({2, 1, 0});
  network.add({1, 0}, 1);
  network.add({1, 2}, 1);
  return network;
}

/// Two rows and two columns: first along the row, then along the column.
inline Network grid() {
  Network network(4);
  for (std::size_t source = 0; source < 4; ++source) {
    const std::size_t row = source ^ 1, column = source ^ 2, across = source ^ 3;
    network.add({source, row});
    network.add({source, row, across});
    network.add({source, column}, 1);
  }
  return network;
}

/// A rank's program: 'a' to 'z' is an execution of the loop, with the messages of all ranks that
/// execute the same letter; 'C' a collective call. 'S': rank 0 sends synchronously to the receiver
/// of the rules; 'P': this posts a receive from rank 0; 'W': it waits for all that it has posted.
using Program = std::vector<std::string>;

struct State {
  std::array<std::uint8_t, mostRanks> step{}, phase{}, instances{}, calls{}, expects{};
  std::array<std::uint8_t, mostRanks> deviated{}, released{};
  std::array<std::array<std::uint8_t, mostRanks>, 4> met{}; // 1 + instances at the meeting, by call
  std::array<std::array<std::uint8_t, 4>, 4> meetingFacts{}; // by call: deviations, releases
  std::array<std::array<std::uint8_t, mostInstances>, mostRanks> own{};   // letter; 1: empty
  std::array<std::array<std::uint8_t, mostInstances>, mostMessages> at{}; // 1 + index in the path
  std::array<std::uint8_t, mostTransfers> left{}, taken{};                // instances
  std::array<std::uint32_t, mostRanks> direct{};                          // letters
  std::array<std::uint8_t, 4> synchronous{}; // sent, posted, received; posted as far as was told

  std::string key() const { return {reinterpret_cast<const char *>(this), sizeof *this}; }
};

static_assert(std::has_unique_object_representations_v<State>);

enum Phase : std::uint8_t { Running, Waiting, Inside, Ended };

/// What ranks expect when the model begins, and how many instances there were before.
struct Begin {
  ExpectedInstances expected;
  std::uint64_t instances = 0;
};

/// How a model breaks the rules.
enum class Fault { None, EntersAtOnce, SharesUnexpected, TellsNothing };
enum Synchronous : std::uint8_t { Sent, Posted, Received, Told };

struct Rules {
  bool rootLeaves = false; ///< the first rank does not wait inside a collective
  bool patience = false;   ///< when nothing else can happen, waiting ranks send on what they hold
  Fault fault = Fault::None;
  std::size_t receiver = 2; ///< of synchronous messages
  bool tellsSteps = false;  ///< members that met after other instances than expected, but equally
                            ///< many, agree that each has made one before each call
};

class Search {
public:
  Search(Network network, Program program, Begin begin, Rules rules)
      : network(std::move(network)), program(std::move(program)), rules(rules),
        before(begin.instances), known{std::move(begin.expected)} {}

  /// Empty if all interleavings end; else where one is stuck.
  std::string run() {
    std::vector<State> open{State{}};
    seen.insert(open.back().key());
    while (!open.empty()) {
      const State state = open.back();
      open.pop_back();
      std::vector<State> next = successors(state);
      if (next.empty() && rules.patience)
        release(state, next);
      if (next.empty() && !isOver(state))
        return describe(state);
      for (const State &one : next)
        if (seen.insert(one.key()).second)
          open.push_back(one);
    }
    return "";
  }
  std::size_t states() const { return seen.size(); }

private:
  char stepOf(const State &state, std::size_t rank) const {
    return state.step[rank] < program[rank].size() ? program[rank][state.step[rank]] : '.';
  }
  bool isOver(const State &state) const {
    for (std::size_t rank = 0; rank < network.ranks; ++rank)
      if (state.phase[rank] != Ended)
        return false;
    return true;
  }

  std::vector<State> successors(const State &state) {
    std::vector<State> next;
    for (std::size_t rank = 0; rank < network.ranks; ++rank) {
      if (State made = state; advance(made, rank))
        next.push_back(made);
      if (state.phase[rank] != Waiting && state.phase[rank] != Ended)
        continue;
      for (std::size_t transfer = 0; transfer < network.transfers.size(); ++transfer)
        if (network.transfers[transfer].to == rank &&
            state.taken[transfer] < state.left[transfer]) {
          State made = state;
          take(made, transfer);
          next.push_back(made);
        }
      if (State made = state; rank == rules.receiver && receive(made))
        next.push_back(made);
    }
    return next;
  }

  bool advance(State &state, std::size_t rank) {
    const char step = stepOf(state, rank);
    const bool collective = step == 'C';
    switch (state.phase[rank]) {
    case Running:
      if (step == '.')
        state.phase[rank] = Ended;
      else if (collective)
        comeToCall(state, rank);
      else if (isSynchronous(step))
        beginSynchronous(state, rank, step);
      else
        execute(state, rank, step);
      return true;
    case Waiting:
      if (isSynchronous(step))
        return finishSynchronous(state, rank, step);
      return collective ? enter(state, rank) : finish(state, rank, step);
    case Inside:
      if (!(rules.rootLeaves && rank == 0) && !haveAllEntered(state, rank))
        return false;
      ++state.step[rank];
      ++state.calls[rank];
      state.phase[rank] = Running;
      return true;
    default:
      return false;
    }
  }

  // Synchronous sends.

  static bool isSynchronous(char step) { return step == 'S' || step == 'P' || step == 'W'; }
  static void beginSynchronous(State &state, std::size_t rank, char step) {
    if (step != 'W')
      ++state.synchronous[step == 'S' ? Sent : Posted];
    if (step == 'P')
      ++state.step[rank];
    else
      state.phase[rank] = Waiting;
  }
  static bool receive(State &state) {
    auto &[sent, posted, received, told] = state.synchronous;
    if (received >= std::min(sent, posted))
      return false;
    ++received;
    return true;
  }
  static bool finishSynchronous(State &state, std::size_t rank, char step) {
    const auto &[sent, posted, received, told] = state.synchronous;
    if (step == 'S' ? std::max(received, told) < sent : received < posted)
      return false;
    ++state.step[rank];
    state.phase[rank] = Running;
    return true;
  }

  // Instances.

  std::uint64_t limit(const State &state, std::size_t rank) const {
    const std::uint64_t number = known[state.expects[rank]].beforeNext(0);
    return number == ExpectedInstances::anyNumber ? number : number - before;
  }
  void execute(State &state, std::size_t rank, char letter) {
    if (state.instances[rank] < limit(state, rank) || rules.fault == Fault::SharesUnexpected) {
      contribute(state, rank, static_cast<std::uint8_t>(letter));
    } else {
      state.direct[rank] |= 1u << (letter - 'a');
      ++state.deviated[rank];
    }
    state.phase[rank] = Waiting;
  }
  void contribute(State &state, std::size_t rank, std::uint8_t letter) {
    const std::uint8_t number = state.instances[rank]++;
    state.own[rank][number] = letter;
    for (std::size_t message = 0; letter != 1 && message < network.messages.size(); ++message)
      if (network.messages[message].source == rank)
        state.at[message][number] = 1;
    leave(state);
  }
  void contributeUpTo(State &state, std::size_t rank, std::uint64_t number) {
    for (; state.instances[rank] < number; ++state.deviated[rank])
      contribute(state, rank, 1);
  }
  /// Combined messages leave in the order of their instances.
  void leave(State &state) const {
    for (std::size_t index = 0; index < network.transfers.size(); ++index) {
      const TransferModel &transfer = network.transfers[index];
      const auto isFed = [&](std::uint8_t number) {
        return (!transfer.hasOwn || state.instances[transfer.from] > number) &&
               std::ranges::all_of(transfer.feeders, [&](std::size_t feeder) {
                 return state.taken[feeder] > number;
               });
      };
      while (state.left[index] < mostInstances && isFed(state.left[index]))
        ++state.left[index];
    }
  }
  void take(State &state, std::size_t transfer) const {
    const std::uint8_t number = state.taken[transfer]++;
    for (std::size_t index = 0; index < network.messages.size(); ++index) {
      const std::vector<std::size_t> &path = network.messages[index].path;
      std::uint8_t &at = state.at[index][number];
      if (at == absent || at == delivered || path[at - 1] != transfer)
        continue;
      at = at == path.size() ? delivered : static_cast<std::uint8_t>(at + 1);
    }
    leave(state);
  }
  bool hasPassedOn(const State &state, std::size_t rank, std::uint64_t number) const {
    for (std::size_t index = 0; index < network.transfers.size(); ++index)
      if (network.transfers[index].from == rank && state.left[index] < number)
        return false;
    return true;
  }
  bool executes(std::size_t rank, char letter) const {
    return program[rank].find(letter) != std::string::npos;
  }
  /// Everything that others send with this letter has come.
  bool finish(State &state, std::size_t rank, char letter) const {
    for (std::size_t index = 0; index < network.messages.size(); ++index) {
      const Message &message = network.messages[index];
      if (message.destination != rank || !executes(message.source, letter))
        continue;
      if ((state.direct[message.source] >> (letter - 'a') & 1) == 0 &&
          !isDelivered(state, index, message.source, letter))
        return false;
    }
    ++state.step[rank];
    state.phase[rank] = Running;
    return true;
  }
  static bool isDelivered(const State &state, std::size_t message, std::size_t source,
                          char letter) {
    for (std::size_t number = 0; number < mostInstances; ++number)
      if (state.own[source][number] == letter)
        return state.at[message][number] == delivered;
    return false;
  }

  // Collective calls.

  void comeToCall(State &state, std::size_t rank) {
    const ExpectedInstances &expected = known[state.expects[rank]];
    const std::size_t call = state.calls[rank];
    if (expected.meetsNext()) {
      state.met[call][rank] = static_cast<std::uint8_t>(1 + state.instances[rank]);
      state.meetingFacts[call][0] += state.deviated[rank];
      state.meetingFacts[call][1] += state.released[rank];
    } else {
      contributeUpTo(state, rank, limit(state, rank));
    }
    state.phase[rank] = Waiting;
  }
  bool enter(State &state, std::size_t rank) {
    ExpectedInstances expected = known[state.expects[rank]];
    if (!expected.meetsNext()) {
      if (!hasPassedOn(state, rank, limit(state, rank)) && rules.fault != Fault::EntersAtOnce)
        return false;
      expected.pass();
      if (rank == rules.receiver && rules.fault != Fault::TellsNothing)
        state.synchronous[Told] = state.synchronous[Posted];
    } else if (!meet(state, rank, expected)) {
      return false;
    }
    state.expects[rank] = intern(state.expects[rank], std::move(expected), state, rank);
    state.phase[rank] = Inside;
    return true;
  }
  bool meet(State &state, std::size_t rank, ExpectedInstances &expected) {
    const auto &met = state.met[state.calls[rank]];
    const auto members = met.begin() + static_cast<std::ptrdiff_t>(network.ranks);
    if (std::count(met.begin(), members, 0) != 0)
      return false;
    const auto [least, most] = std::minmax_element(met.begin(), members);
    const std::array<std::uint8_t, 4> &facts = state.meetingFacts[state.calls[rank]];
    if (*least != *most && facts[1] != 0)
      contributeUpTo(state, rank, *most - 1u);
    if (rules.tellsSteps && *least == *most && facts[0] != 0)
      expected.agree({before + *most - 1u},
                     std::vector<ExpectedInstances::Counts>(expected.passedCalls() + 1, {1}));
    else
      expected.agree({before + *most - 1u}, *least == *most && facts[0] == 0);
    state.deviated[rank] = state.released[rank] = 0;
    return true;
  }
  /// All members make the same of what they know: those with the same number of calls share it.
  std::uint8_t intern(std::uint8_t before, ExpectedInstances made, const State &state,
                      std::size_t rank) {
    std::string fact(1, static_cast<char>(before));
    if (known[before].meetsNext())
      fact.append(reinterpret_cast<const char *>(state.met[state.calls[rank]].data()), mostRanks)
          .append(reinterpret_cast<const char *>(state.meetingFacts[state.calls[rank]].data()), 2);
    const auto [found, isNew] = numbers.try_emplace(fact, known.size());
    if (isNew)
      known.push_back(std::move(made));
    return static_cast<std::uint8_t>(found->second);
  }
  bool haveAllEntered(const State &state, std::size_t rank) const {
    for (std::size_t other = 0; other < network.ranks; ++other)
      if (state.calls[other] < state.calls[rank] ||
          (state.calls[other] == state.calls[rank] && state.phase[other] != Inside))
        return false;
    return true;
  }

  void release(const State &state, std::vector<State> &next) const {
    for (std::size_t rank = 0; rank < network.ranks; ++rank) {
      if (state.phase[rank] != Waiting && state.phase[rank] != Ended)
        continue;
      State made = state;
      for (std::size_t index = 0; index < network.messages.size(); ++index)
        for (std::size_t number = 0; number < mostInstances; ++number) {
          std::uint8_t &at = made.at[index][number];
          if (at == absent || at == delivered)
            continue;
          const std::size_t transfer = network.messages[index].path[at - 1u];
          if (network.transfers[transfer].from == rank && state.left[transfer] <= number) {
            at = delivered;
            made.released[rank] = 1;
          }
        }
      if (made.key() != state.key())
        next.push_back(made);
    }
  }

  std::string describe(const State &state) const {
    std::string text = "stuck:";
    for (std::size_t rank = 0; rank < network.ranks; ++rank)
      text += " rank " + std::to_string(rank) + " (" + program[rank] + ") in step " +
              std::to_string(state.step[rank]) + " phase " + std::to_string(state.phase[rank]) +
              " with " + std::to_string(state.instances[rank]) + " instances;";
    return text;
  }

  const Network network;
  const Program program;
  const Rules rules;
  const std::uint64_t before;
  std::vector<ExpectedInstances> known;
  std::map<std::string, std::size_t> numbers;
  std::unordered_set<std::string> seen;
};

} // namespace sendwright::instances_model

#endif
