// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gather-large-profile RANKS FILE: a few processes record for RANKS ranks, each for as many as the
// others, and write one profile as a run of RANKS processes would. The ranks are a grid of 50
// columns; each sends to its eight neighbours in a loop, and its communicators are all ranks,
// itself, its row, its column, and one of two irregular halves. Rank 0 of the processes prints what
// the file and the gathering took: the most memory of a process, beyond what it had before.

#include "analysis/trace/MemberLists.h"
#include "analysis/trace/Profile.h"
#include "runtime/recording/SectionGathering.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace sendwright {

namespace {

constexpr int columns = 50;
constexpr std::uint64_t iterations = 1000;

std::uint64_t statusOf(const std::string &key) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == key) {
      std::uint64_t kilobytes = 0;
      status >> kilobytes;
      return kilobytes;
    }
  return 0;
}

Event simulatedCall(MpiFunctionId function, int peer = noPeer) {
  Event event;
  event.function = function;
  event.peer = peer;
  event.bytes = 512;
  return event;
}

class SimulatedRanks {
public:
  SimulatedRanks(int ranks, int first, int end) : ranks(ranks), next(first), end(end) {
    std::vector<int> all, halves[2];
    std::vector<std::vector<int>> ofColumns(columns);
    std::mt19937 random(1);
    for (int rank = 0; rank < ranks; ++rank) {
      all.push_back(rank);
      ofColumns[static_cast<std::size_t>(rank % columns)].push_back(rank);
      half.push_back(random() % 2 != 0);
      halves[half.back()].push_back(rank);
    }
    world = all;
    column.assign(ofColumns.begin(), ofColumns.end());
    for (int number : {0, 1})
      group[number] = halves[number];
  }

  bool piece(GatheredPiece &piece) {
    if (list < part.members.size()) {
      piece.kind = PieceKind::Members;
      piece.digest = part.members[list].digest;
      piece.bytes = part.members[list++].section;
      return true;
    }
    if (next == end)
      return false;
    const std::vector<ProfiledUnit> units =
        next == 0 ? std::vector<ProfiledUnit>{{"grid.c", ""}} : std::vector<ProfiledUnit>();
    part = encodeRankSection(record(next++), {{"grid.c", "exchange", 12, 0, 12, ""}}, {}, units,
                             &lists);
    list = 0;
    piece.kind = PieceKind::Rank;
    piece.kinds = 1;
    piece.bytes = part.section;
    return true;
  }

private:
  RankProfile record(int rank) const {
    RankProfile result;
    std::vector<int> row;
    for (int other = rank / columns * columns; other < ranks && other / columns == rank / columns;
         ++other)
      row.push_back(other);
    result.communicators = {{world, 0, false},
                            {{rank}, 0, false},
                            {row, 0, false},
                            {column[static_cast<std::size_t>(rank % columns)], 0, false},
                            {group[half[static_cast<std::size_t>(rank)]], 0, false}};
    result.host = "node" + std::to_string(rank / 64);
    result.seconds = 2;
    addCalls(result, rank);
    for (const Event &event : result.events) {
      const double count = iterations;
      result.statistics.push_back({iterations, 1e-7 * count, 1e-7, 1e-7, 1e-6 * count});
      static_cast<void>(event);
    }
    return result;
  }

  void addCalls(RankProfile &result, int rank) const {
    std::vector<GrammarItem> execution;
    const auto append = [&](Event event) {
      execution.push_back({static_cast<std::uint32_t>(result.events.size()), false, 1});
      result.events.push_back(std::move(event));
    };
    const int distances[] = {-columns - 1, -columns, -columns + 1, -1, 1,
                             columns - 1,  columns,  columns + 1};
    Event waitAll = simulatedCall(MpiFunctionId::Waitall), mark;
    for (const int distance : distances) {
      Event receive = simulatedCall(MpiFunctionId::Irecv, (rank + ranks + distance) % ranks);
      receive.requests = {static_cast<int>(waitAll.requests.size())};
      waitAll.requests.push_back(receive.requests[0]);
      append(std::move(receive));
    }
    mark.site = 0;
    mark.kind = EventKind::SiteEnter;
    append(mark);
    for (const int distance : distances) {
      Event send = simulatedCall(MpiFunctionId::Send, (rank + ranks + distance) % ranks);
      send.site = 0;
      append(std::move(send));
    }
    mark.kind = EventKind::SiteLeave;
    append(mark);
    append(std::move(waitAll));
    for (int communicator : {0, 2, 3, 4}) {
      Event sum = simulatedCall(MpiFunctionId::Allreduce);
      sum.communicator = communicator;
      append(sum);
    }
    result.sequence.rules = {{{1, true, iterations}}, execution};
  }

  const int ranks;
  int next, end;
  RankList world, group[2];
  std::vector<RankList> column;
  std::vector<bool> half;
  MemberWriter lists;
  EncodedRank part;
  std::size_t list = 0;
};

void write(int ranks, const char *file) {
  int process = 0, processes = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &process);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  const auto from = [&](int number) {
    return static_cast<int>(std::int64_t{ranks} * number / processes);
  };
  SimulatedRanks simulated(ranks, from(process), from(process + 1));
  const std::uint64_t before = statusOf("VmRSS:");
  std::ofstream("/proc/self/clear_refs") << 5; // the most memory counts from now on
  const auto begin = std::chrono::steady_clock::now();
  std::uint64_t largest = 0;
  const PieceSource source = [&](GatheredPiece &piece) { return simulated.piece(piece); };
  if (process == 0) {
    ProfileFileWriter writer(file, "grid", ranks);
    gatherPieces(MPI_COMM_WORLD, source, [&](const GatheredPiece &piece) {
      if (piece.kind == PieceKind::Members) {
        writer.addMembers(piece.digest, piece.bytes);
      } else {
        writer.addSection(piece.bytes);
        largest = std::max<std::uint64_t>(largest, piece.bytes.size());
      }
      return true;
    });
    writer.finish();
  } else {
    gatherPieces(MPI_COMM_WORLD, source, {});
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  const std::uint64_t grown = statusOf("VmHWM:") - before;
  std::uint64_t most = 0;
  MPI_Reduce(&grown, &most, 1, MPI_UINT64_T, MPI_MAX, 0, MPI_COMM_WORLD);
  if (process == 0)
    std::printf("%d ranks by %d processes: %.1f s, %llu bytes, at most %llu bytes a rank, %llu kB "
                "of memory more\n",
                ranks, processes, seconds.count(),
                static_cast<unsigned long long>(std::filesystem::file_size(file)),
                static_cast<unsigned long long>(largest), static_cast<unsigned long long>(most));
}

} // namespace

} // namespace sendwright

int main(int argc, char **argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: gather-large-profile RANKS FILE\n");
    return 2;
  }
  MPI_Init(&argc, &argv);
  sendwright::write(std::atoi(argv[1]), argv[2]);
  MPI_Finalize();
  return 0;
}
