// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/benchmark/epochs/Applications.h"

#include <cmath>
#include <numeric>

namespace sendwright {

namespace {

/// Appends calls to the ranks of a profile, with one loop for each rank between the calls before
/// and after it.
class ProgramWriter {
public:
  explicit ProgramWriter(int ranks) : calls(static_cast<std::size_t>(ranks)) {
    profile.program = "application";
    profile.ranks.resize(static_cast<std::size_t>(ranks));
    std::vector<int> everyone(static_cast<std::size_t>(ranks));
    std::iota(everyone.begin(), everyone.end(), 0);
    const Communicator world{everyone, 0, false};
    for (RankProfile &rank : profile.ranks) {
      rank.communicators.push_back(world);
      rank.sequence.rules.resize(2);
    }
  }

  void send(int from, int to) { call(from, to, MpiFunctionId::Send, 2 * to); }
  void receive(int at, int from) { call(at, from, MpiFunctionId::Recv, 2 * from + 1); }

  /// The calls appended from here on form one round, which is repeated.
  void beginRounds() { rule = 1; }
  void endRounds(int rounds) {
    rule = 0;
    for (RankProfile &rank : profile.ranks)
      if (!rank.sequence.rules[1].empty())
        rank.sequence.rules[0].push_back({1, true, static_cast<std::uint64_t>(rounds)});
  }

  Profile take() {
    for (RankProfile &rank : profile.ranks)
      if (rank.sequence.rules[1].empty())
        rank.sequence.rules.pop_back();
    return std::move(profile);
  }

private:
  void call(int rank, int peer, MpiFunctionId function, int key) {
    RankProfile &run = profile.ranks[static_cast<std::size_t>(rank)];
    std::vector<std::uint32_t> &known = calls[static_cast<std::size_t>(rank)];
    if (known.size() <= static_cast<std::size_t>(key))
      known.resize(static_cast<std::size_t>(key) + 1, UINT32_MAX);
    std::uint32_t &number = known[static_cast<std::size_t>(key)];
    if (number == UINT32_MAX) {
      number = static_cast<std::uint32_t>(run.events.size());
      Event event;
      event.function = function;
      event.peer = peer;
      event.bytes = 8;
      run.events.push_back(event);
    }
    run.sequence.rules[rule].push_back({number, false, 1});
  }

  Profile profile;
  std::vector<std::vector<std::uint32_t>> calls; // for each rank, event by peer and direction
  std::size_t rule = 0;
};

void scatter(ProgramWriter &program, int ranks, int messages) {
  for (int worker = 1; worker < ranks; ++worker)
    for (int i = 0; i < messages; ++i)
      program.send(0, worker);
  for (int worker = 1; worker < ranks; ++worker)
    for (int i = 0; i < messages; ++i)
      program.receive(worker, 0);
}

void gather(ProgramWriter &program, int ranks, int messages) {
  for (int worker = 1; worker < ranks; ++worker)
    for (int i = 0; i < messages; ++i)
      program.send(worker, 0);
  for (int worker = 1; worker < ranks; ++worker)
    for (int i = 0; i < messages; ++i)
      program.receive(0, worker);
}

/// Each worker in a line sends left, sends right, receives left, receives right.
void exchangeWithNeighbours(ProgramWriter &program, int ranks) {
  for (int worker = 1; worker < ranks; ++worker) {
    if (worker > 1)
      program.send(worker, worker - 1);
    if (worker + 1 < ranks)
      program.send(worker, worker + 1);
    if (worker > 1)
      program.receive(worker, worker - 1);
    if (worker + 1 < ranks)
      program.receive(worker, worker + 1);
  }
}

Profile workersInString(int ranks, int rounds, int exchanges, int before, int after) {
  ProgramWriter program(ranks);
  scatter(program, ranks, before);
  program.beginRounds();
  for (int i = 0; i < exchanges; ++i)
    exchangeWithNeighbours(program, ranks);
  program.endRounds(rounds);
  gather(program, ranks, after);
  return program.take();
}

} // namespace

Profile matrixMultiplication(int ranks) {
  const int side = static_cast<int>(std::lround(std::sqrt(ranks - 1)));
  ProgramWriter program(ranks);
  scatter(program, ranks, 2);
  auto worker = [side](int row, int column) {
    return 1 + (row + side) % side * side + (column + side) % side;
  };
  for (int round = 0; round < side; ++round) {
    for (int row = 0; row < side; ++row)
      for (int step = 0; step + 1 < side; ++step) {
        const int column = row + round + step;
        program.send(worker(row, column % side), worker(row, (column + 1) % side));
        program.receive(worker(row, (column + 1) % side), worker(row, column % side));
      }
    for (int row = 0; row < side; ++row)
      for (int column = 0; column < side; ++column) {
        program.send(worker(row, column), worker(row - 1, column));
        program.receive(worker(row, column), worker(row + 1, column));
      }
  }
  gather(program, ranks, 1);
  return program.take();
}

Profile fourierTransform(int ranks, int rounds) {
  ProgramWriter program(ranks);
  program.beginRounds();
  scatter(program, ranks, 1);
  for (int bit = ranks / 2; bit > 0; bit /= 2)
    for (int rank = 0; rank < ranks; ++rank) {
      program.send(rank, rank ^ bit);
      program.receive(rank, rank ^ bit);
    }
  program.endRounds(rounds);
  return program.take();
}

Profile heatGrid(int ranks, int rounds) { return workersInString(ranks, rounds, 2, 5, 3); }

Profile equationString(int ranks, int rounds) { return workersInString(ranks, rounds, 1, 0, 1); }

Profile bodyRing(int ranks, int rounds) {
  ProgramWriter program(ranks);
  program.beginRounds();
  scatter(program, ranks, 1);
  for (int shift = 1; shift < ranks; ++shift)
    for (int rank = 0; rank < ranks; ++rank) {
      program.send(rank, (rank + 1) % ranks);
      program.receive(rank, (rank + ranks - 1) % ranks);
    }
  gather(program, ranks, 1);
  program.endRounds(rounds);
  return program.take();
}

} // namespace sendwright
