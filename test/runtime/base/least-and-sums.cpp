// Ranks learn in one round of messages the least of numbers and the sum of others, for every number
// of ranks up to 17. Names what differs.
//
// RUN: %mpicxx -std=c++20 -I%source_root %s -o %t
// RUN: %mpirun 17 %t

#include "runtime/base/LeastOfRanks.h"

#include <cstdio>
#include <cstdlib>

namespace {

constexpr unsigned long long large = ~0ULL / 3; // sums exceed 64 bits

void expect(unsigned long long found, unsigned long long expected, const char *what, int ranks) {
  if (found == expected)
    return;
  std::fprintf(stderr, "%s of %d ranks: %llu, expected %llu\n", what, ranks, found, expected);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

void check(MPI_Comm communicator) {
  const auto rank = static_cast<unsigned long long>(sendwright::rankIn(communicator));
  const int ranks = sendwright::ranksIn(communicator);
  std::vector<unsigned long long> least{100 - rank, rank, 7};
  unsigned long long sums[] = {1, rank * rank + large};
  sendwright::findLeastOfRanks(communicator, 5, least, sums);
  const auto all = static_cast<unsigned long long>(ranks);
  expect(least[0], 101 - all, "descending numbers", ranks);
  expect(least[1], 0, "ascending numbers", ranks);
  expect(least[2], 7, "equal numbers", ranks);
  expect(sums[0], all, "each rank counted once", ranks);
  expect(sums[1], (all - 1) * all * (2 * all - 1) / 6 + all * large, "sum modulo 2^64", ranks);
  sendwright::findLeastOfRanks(communicator, 5, least);
  expect(least[0], 101 - all, "without sums", ranks);
}

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int rank = sendwright::rankIn(MPI_COMM_WORLD);
  for (int ranks = 1; ranks <= sendwright::ranksIn(MPI_COMM_WORLD); ++ranks) {
    MPI_Comm some = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank < ranks ? 0 : MPI_UNDEFINED, rank, &some);
    if (some == MPI_COMM_NULL)
      continue;
    check(some);
    MPI_Comm_free(&some);
  }
  MPI_Finalize();
}
