// Directives over arrays of three to seven dimensions, in all formats and kinds of memory, from some processors
// to others: every element arrives.
//
// RUN: %mpicxx -std=c++20 -O1 -Wall -Wextra -Werror %plugin %s -o %t %runtime
// RUN: %mpirun 4 %t | %FileCheck %s
// RUN: env SENDWRIGHT_DISABLE=1 %mpirun 4 %t | %FileCheck %s
// RUN: %mpirun 6 %t | %FileCheck %s
// CHECK: cube: 0 wrong
// CHECK-NEXT: rows: 0 wrong
// CHECK-NEXT: seven: 0 wrong
// CHECK-NEXT: map: 0 wrong
// CHECK-NEXT: view: 0 wrong
// CHECK-NEXT: elsewhere: 0 wrong

#include <mpi.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <vector>

struct Cell {
  int number;
  char kind;
};
static int rank, ranks;

static void report(const char *name, long wrong) {
  long all = 0;
  MPI_Reduce(&wrong, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    std::printf("%s: %ld wrong\n", name, all);
}

/// What this rank owns of n indices cut into blocks.
static int beginOf(int n, int processor, int processors) {
  const int length = (n + processors - 1) / processors;
  return processor * length < n ? processor * length : n;
}

static double cube[6][5][8];
static void wholeCube() {
  #pragma hpf processors Line(ranks)
  #pragma hpf processors Grid(2, ranks / 2)
  #pragma hpf distribute cube(block, *, *) onto Line
  #pragma hpf dynamic cube
  for (int i = beginOf(6, rank, ranks); i < beginOf(6, rank + 1, ranks); ++i)
    for (int j = 0; j < 5; ++j)
      for (int k = 0; k < 8; ++k)
        cube[i][j][k] = (i * 5 + j) * 8 + k;
  #pragma hpf redistribute cube(*, cyclic, block) onto Grid
  long wrong = 0;
  for (int i = 0; i < 6; ++i)
    for (int j = rank / (ranks / 2); j < 5; j += 2)
      for (int k = beginOf(8, rank % (ranks / 2), ranks / 2);
           k < beginOf(8, rank % (ranks / 2) + 1, ranks / 2); ++k)
        wrong += cube[i][j][k] != (i * 5 + j) * 8 + k;
  report("cube", wrong);
}

static void pointerToRows() {
  const int n = 13;
  const int mine = beginOf(n, rank + 1, ranks) - beginOf(n, rank, ranks);
  Cell(*rows)[2][3] = static_cast<Cell(*)[2][3]>(std::malloc(sizeof(Cell[2][3]) * (mine + 1)));
  #pragma hpf processors Line(ranks)
  #pragma hpf distribute rows(block, *, *) onto Line extent(n, *, *)
  #pragma hpf dynamic rows
  for (int i = 0; i < mine; ++i)
    for (int j = 0; j < 6; ++j)
      rows[i][j / 3][j % 3] = {(beginOf(n, rank, ranks) + i) * 6 + j, 'x'};
  #pragma hpf redistribute rows(cyclic(2), *, *)
  long wrong = 0;
  for (int i = 0, at = 0; i < n; ++i)
    if (i / 2 % ranks == rank) {
      for (int j = 0; j < 6; ++j)
        wrong += rows[at][j / 3][j % 3].number != i * 6 + j || rows[at][j / 3][j % 3].kind != 'x';
      ++at;
    }
  report("rows", wrong);
  std::free(rows);
}

static void sevenDimensions() {
  std::vector<int> seven(rank == 0 ? 2 * 3 * 2 * 4 * 2 * 3 * 2 : 0);
  const int first[] = {4};
  #pragma hpf processors One(1, 1) ranks(0:0)
  #pragma hpf processors Grid(2, ranks / 2)
  #pragma hpf distribute seven(*, *, *, gen_block(first), *, block, *) onto One extent(2, 3, 2, 4, 2, 3, 2)
  #pragma hpf dynamic seven
  for (std::size_t i = 0; i < seven.size(); ++i)
    seven[i] = int(i);
  #pragma hpf redistribute seven(*, cyclic, *, *, *, block, *) onto Grid
  long wrong = 0;
  std::size_t at = 0;
  for (int i = 0; i < 576; ++i) {
    const int second = i / 96 % 3, sixth = i / 2 % 3;
    const bool own = second % 2 == rank / (ranks / 2) && sixth / ((3 + ranks / 2 - 1) / (ranks / 2)) == rank % (ranks / 2);
    if (own)
      wrong += at >= seven.size() || seven[at++] != i;
  }
  report("seven", wrong + (at != seven.size()));
}

static void byMap() {
  std::vector<short> map(50);
  for (std::size_t i = 0; i < map.size(); ++i)
    map[i] = short(i * i % std::size_t(ranks));
  long n = 50, mine = beginOf(50, rank + 1, ranks) - beginOf(50, rank, ranks);
  std::vector<long> list(static_cast<std::size_t>(mine));
  #pragma hpf processors Line(ranks)
  #pragma hpf distribute list(block) onto Line extent(n)
  #pragma hpf dynamic list
  for (long i = 0; i < mine; ++i)
    list[std::size_t(i)] = beginOf(50, rank, ranks) + i;
  #pragma hpf redistribute list(indirect(map))
  long wrong = 0;
  std::size_t at = 0;
  for (long i = 0; i < n; ++i)
    if (map[std::size_t(i)] == rank)
      wrong += at >= list.size() || list[at++] != i;
  report("map", wrong + (at != list.size()));
}

static void views(std::span<float> view) {
  std::array<Cell, 12> cells{};
  #pragma hpf processors Line(ranks)
  #pragma hpf distribute view(cyclic, *) onto Line extent(10, 4)
  #pragma hpf distribute cells(block) onto Line
  #pragma hpf dynamic
  for (int i = rank; i < 10; i += ranks)
    for (int j = 0; j < 4; ++j)
      view[std::size_t(4 * i + j)] = float(4 * i + j);
  for (int i = beginOf(12, rank, ranks); i < beginOf(12, rank + 1, ranks); ++i)
    cells[std::size_t(i)] = {i, 'y'};
  #pragma hpf redistribute view(*, block)
  #pragma hpf redistribute cells(cyclic)
  long wrong = 0;
  for (int i = 0; i < 10; ++i)
    for (int j = beginOf(4, rank, ranks); j < beginOf(4, rank + 1, ranks); ++j)
      wrong += view[std::size_t(4 * i + j)] != float(4 * i + j);
  for (int i = rank; i < 12; i += ranks)
    wrong += cells[std::size_t(i)].number != i;
  report("view", wrong);
}

/// All elements to every second rank, to the last one, and back to all.
static void elsewhere() {
  const int n = 31;
  const int mine = beginOf(n, rank + 1, ranks) - beginOf(n, rank, ranks);
  int *A = static_cast<int *>(std::malloc(sizeof(int) * std::size_t(mine + 1)));
  #pragma hpf processors Line(ranks)
  #pragma hpf processors Even(ranks / 2) ranks(0:ranks - 2:2)
  #pragma hpf processors Last(1) ranks(ranks - 1:ranks - 1)
  #pragma hpf distribute A(block) onto Line extent(n)
  #pragma hpf dynamic A
  for (int i = 0; i < mine; ++i)
    A[i] = beginOf(n, rank, ranks) + i;
  #pragma hpf redistribute A(cyclic) onto Even
  long wrong = 0;
  for (int i = rank / 2, at = 0; rank % 2 == 0 && i < n; i += ranks / 2)
    wrong += A[at++] != i;
  #pragma hpf redistribute A(block) onto Last schedule(optimal)
  for (int i = 0; rank == ranks - 1 && i < n; ++i)
    wrong += A[i] != i;
  #pragma hpf redistribute (block(n)) :: A
  #pragma hpf redistribute A(block) onto Line
  for (int i = 0; i < mine; ++i)
    wrong += A[i] != beginOf(n, rank, ranks) + i;
  report("elsewhere", wrong);
  std::free(A);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  wholeCube();
  pointerToRows();
  sevenDimensions();
  byMap();
  std::vector<float> memory(40, -1.f);
  views(memory);
  elsewhere();
  MPI_Finalize();
}
