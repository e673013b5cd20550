// shadow and reflect: after every reflect the cells around each block are what their owners have, in one and two
// dimensions, with corners and without, periodic and not, in blocks and in a whole array; redistribute keeps room
// for them. Checked against the array's definition, cell by cell.
//
// RUN: %mpicxx -std=c++17 -O1 -Wall -Wextra -Werror %plugin %s -o %t %runtime 2> %t.remarks
// RUN: %mpirun 4 %t | %FileCheck %s
// RUN: %mpirun 6 %t | %FileCheck %s
// RUN: env SENDWRIGHT_DISABLE=1 %mpirun 4 %t | %FileCheck %s
// RUN: env SENDWRIGHT_BUFFERS=0 %mpirun 4 %t | %FileCheck %s
// CHECK: line: 0 wrong
// CHECK-NEXT: periodic line: 0 wrong
// CHECK-NEXT: grid: 0 wrong
// CHECK-NEXT: grid with corners: 0 wrong
// CHECK-NEXT: whole: 0 wrong

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

static int rank, ranks;

static void report(const char *name, long wrong) {
  long all = 0;
  MPI_Reduce(&wrong, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    std::printf("%s: %ld wrong\n", name, all);
}

static int beginOf(int n, int processor, int processors) {
  const int length = (n + processors - 1) / processors;
  return processor * length < n ? processor * length : n;
}

/// The first index of a rank that has some, and how many it has.
struct Part {
  int first, size;
};
static Part partOf(const std::vector<int> &sizes) {
  Part part{0, sizes[std::size_t(rank)]};
  for (int before = 0; before < rank; ++before)
    part.first += sizes[std::size_t(before)];
  return part;
}

static void line(bool periodic) {
  const int n = 40;
  std::vector<int> sizes(std::size_t(ranks), 0);
  sizes[0] = 1, sizes[1] = n - 1 - 2 * (ranks - 2);
  for (int other = 2; other < ranks; ++other)
    sizes[std::size_t(other)] = 2;
  Part part{beginOf(n, rank, ranks), beginOf(n, rank + 1, ranks) - beginOf(n, rank, ranks)};
  std::vector<double> A(std::size_t(part.size + 5), -1);
  #pragma hpf processors P(ranks)
  #pragma hpf distribute A(block) onto P extent(n)
  #pragma hpf shadow A(2:3)
  #pragma hpf dynamic A
  for (int i = 0; i < part.size; ++i)
    A[std::size_t(2 + i)] = part.first + i;
  long wrong = 0;
  for (int round = 0; round < 2; ++round) {
    if (periodic) {
      #pragma hpf reflect A periodic
    } else {
      #pragma hpf reflect_begin A
      #pragma hpf reflect_end A
    }
    wrong += A.size() != std::size_t(part.size + 5);
    for (int i = -2; i < part.size + 3; ++i) {
      const int global = part.first + i;
      if (periodic || (global >= 0 && global < n))
        wrong += A[std::size_t(2 + i)] != (global + n) % n;
    }
    #pragma hpf redistribute A(gen_block(sizes))
    part = partOf(sizes);
  }
  report(periodic ? "periodic line" : "line", wrong);
}

static void grid(bool corners) {
  const int n = 9, m = 14, columns = ranks / 2;
  int rowSizes[2] = {7, 2};
  const auto shape = [&](int rowBegin, int rowEnd) {
    const int begin = beginOf(m, rank % columns, columns), end = beginOf(m, rank % columns + 1, columns);
    return std::pair(Part{rowBegin, rowEnd - rowBegin}, Part{begin, end - begin});
  };
  auto [rows, cells] = shape(beginOf(n, rank / columns, 2), beginOf(n, rank / columns + 1, 2));
  int *A = static_cast<int *>(std::malloc(sizeof(int) * std::size_t((rows.size + 2) * (cells.size + 3))));
  #pragma hpf processors P(2, ranks / 2)
  #pragma hpf distribute A(block, block) onto P extent(n, m)
  #pragma hpf shadow A(1, 1:2)
  #pragma hpf dynamic A
  for (int i = 0; i < rows.size; ++i)
    for (int j = 0; j < cells.size; ++j)
      A[(i + 1) * (cells.size + 3) + j + 1] = (rows.first + i) * m + cells.first + j;
  long wrong = 0;
  for (int round = 0; round < 2; ++round) {
    if (corners) {
      #pragma hpf reflect A periodic(0, 1) corners
    } else {
      #pragma hpf reflect A periodic(0, 1)
    }
    for (int i = -1; i < rows.size + 1; ++i)
      for (int j = -1; j < cells.size + 2; ++j) {
        const int row = rows.first + i, cell = (cells.first + j + m) % m;
        const int outside = (i < 0 || i >= rows.size) + (j < 0 || j >= cells.size);
        if (row >= 0 && row < n && outside <= (corners ? 2 : 1))
          wrong += A[(i + 1) * (cells.size + 3) + j + 1] != row * m + cell;
      }
    #pragma hpf redistribute A(gen_block(rowSizes), block)
    rows = rank / columns == 0 ? Part{0, 7} : Part{7, 2};
  }
  report(corners ? "grid with corners" : "grid", wrong);
  std::free(A);
}

static int whole[12][20];
static void wholeArray() {
  const int begin = beginOf(12, rank, ranks), end = beginOf(12, rank + 1, ranks);
  #pragma hpf processors P(ranks)
  #pragma hpf distribute whole(block, *) onto P
  #pragma hpf shadow whole(1:1, 0)
  for (int i = begin; i < end; ++i)
    for (int j = 0; j < 20; ++j)
      whole[i][j] = 1 + 20 * i + j;
  #pragma hpf reflect whole periodic
  long wrong = 0;
  for (int i = begin - 1; i < end + 1 && begin < end; ++i)
    for (int j = 0; j < 20; ++j)
      wrong += whole[(i + 12) % 12][j] != 1 + 20 * ((i + 12) % 12) + j;
  report("whole", wrong);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  line(false);
  line(true);
  grid(false);
  grid(true);
  wholeArray();
  MPI_Finalize();
}
