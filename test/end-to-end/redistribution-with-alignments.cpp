// align, realign and template: arrays of other types, with other dimensions, with cells around their blocks, with
// global indices, lie where what they are aligned with lies, and move with it: by redistribute, onto other processors,
// by balance. Every element is compared with the definition.
//
// RUN: %mpicxx -std=c++17 -O1 -Wall -Wextra -Werror %plugin %s -o %t %runtime 2> %t.remarks
// RUN: %mpirun 4 %t | %FileCheck %s
// RUN: %mpirun 6 %t | %FileCheck %s
// RUN: env SENDWRIGHT_DISABLE=1 %mpirun 4 %t | %FileCheck %s
// RUN: env SENDWRIGHT_BUFFERS=0 %mpirun 4 %t | %FileCheck %s
// RUN: %mpicxx -std=c++17 -O1 %generate %s -o %t.profiled %runtime
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 4 %t.profiled | %FileCheck %s
// RUN: %sendwright simulate %t.prof | %FileCheck %s --check-prefix=SIMULATE
// CHECK: rows: 0 wrong
// CHECK-NEXT: balance: 0 wrong
// CHECK-NEXT: template: 0 wrong
// CHECK-NEXT: grid: 0 wrong
// CHECK-NEXT: realigned: 0 wrong
// CHECK-NEXT: unit: 0 wrong
// SIMULATE: redistribution-with-alignments.cpp:[[#]] redistribute

#include <mpi.h>

#include <algorithm>
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

/// What this rank owns of one dimension.
struct Part {
  int first, size;
};
static Part blockOf(int extent, int processor, int processors) {
  const int length = (extent + processors - 1) / processors, first = std::min(processor * length, extent);
  return {first, std::min(first + length, extent) - first};
}
static Part partOf(const std::vector<int> &sizes) {
  Part part{0, sizes[std::size_t(rank)]};
  for (int before = 0; before < rank; ++before)
    part.first += sizes[std::size_t(before)];
  return part;
}

struct Particle {
  double mass;
  int number;
  char kind;
};

/// A matrix by rows, and what belongs to its rows.
static void rows() {
  const int n = 23, m = 5;
  Part part = blockOf(n, rank, ranks);
  std::vector<double> A(std::size_t(part.size * m));
  int *costs = static_cast<int *>(std::malloc(std::size_t(part.size) * sizeof(int)));
  float(*B)[7] = static_cast<float(*)[7]>(std::malloc(std::size_t(part.size + 3) * sizeof *B));
  std::vector<Particle> particles(std::size_t(part.size * 2));
  static short whole[23];
  #pragma hpf processors P(ranks)
  #pragma hpf processors First(2) ranks(0:1)
  #pragma hpf distribute A(block, *) onto P extent(n, m)
  #pragma hpf align costs(i) with A(i, *)
  #pragma hpf align B(i, *) with costs(i)
  #pragma hpf align particles(*, i) with A(i, *) extent(2, *)
  #pragma hpf align whole(i) with A(i, *)
  #pragma hpf shadow B(1:2, 0)
  #pragma hpf dynamic
  const auto visit = [&](bool fill) {
    long wrong = 0;
    if (!fill && (A.size() != std::size_t(part.size * m) || particles.size() != std::size_t(part.size * 2)))
      return 1L;
    for (int i = 0; i < part.size; ++i) {
      const int row = part.first + i;
      for (int j = 0; j < m; ++j) {
        double &element = A[std::size_t(i * m + j)];
        element = fill ? row * m + j : element;
        wrong += element != row * m + j;
      }
      for (int j = 0; j < 7; ++j) {
        B[i + 1][j] = fill ? float(row * 7 + j) : B[i + 1][j];
        wrong += B[i + 1][j] != float(row * 7 + j);
      }
      for (int j = 0; j < 2; ++j) {
        Particle &one = particles[std::size_t(j * part.size + i)];
        one = fill ? Particle{row * 0.5, row + j, 'p'} : one;
        wrong += one.mass != row * 0.5 || one.number != row + j || one.kind != 'p';
      }
      costs[i] = fill ? row + 1 : costs[i];
      whole[row] = fill ? short(3 * row) : whole[row];
      wrong += costs[i] != row + 1 || whole[row] != 3 * row;
    }
    return wrong;
  };
  visit(true);
  std::vector<int> sizes(std::size_t(ranks), 0);
  sizes[1] = 4, sizes[std::size_t(ranks - 1)] = n - 4;
  #pragma hpf redistribute A(gen_block(sizes), *)
  part = partOf(sizes);
  long wrong = visit(false);
  #pragma hpf reflect B
  for (int i = -1; i < part.size + 2; ++i)
    if (const int row = part.first + i; part.size > 0 && row >= 0 && row < n)
      wrong += B[i + 1][3] != float(row * 7 + 3);
  #pragma hpf redistribute A(block, *) onto First
  part = rank < 2 ? blockOf(n, rank, 2) : Part{0, 0};
  wrong += visit(false);
  #pragma hpf redistribute A(block, *) onto P
  part = blockOf(n, rank, ranks);
  wrong += visit(false);
  report("rows", wrong);
  #pragma hpf redistribute A(balance(costs, sizes), *)
  part = partOf(sizes);
  int sum = 0;
  for (const int size : sizes)
    sum += size;
  report("balance", visit(false) + (sum != n) + (sizes[0] <= sizes[std::size_t(ranks - 1)]));
  std::free(costs);
  std::free(B);
}

/// Faces and cells of a grid in one dimension: one more of the former.
static void templates() {
  const int n = 31;
  Part part = blockOf(n + 1, rank, ranks);
  #pragma hpf processors P(ranks)
  #pragma hpf template T(n + 1)
  #pragma hpf distribute T(block) onto P
  const auto within = [](Part outer, int begin, int end) {
    const int first = std::max(outer.first, begin), last = std::min(outer.first + outer.size, end);
    return Part{first - begin, std::max(last - first, 0)};
  };
  Part cells = within(part, 0, n), inner = within(part, 1, n);
  std::vector<double> face(std::size_t(part.size), 0), cell(std::size_t(cells.size), 0);
  long *interior = static_cast<long *>(std::malloc(std::size_t(inner.size) * sizeof(long) + 1));
  #pragma hpf align face(i) with T(i)
  #pragma hpf align cell(i) with T(i) extent(n)
  #pragma hpf align interior(i) with T(i + 1) extent(n - 1)
  #pragma hpf dynamic T
  for (int i = 0; i < part.size; ++i)
    face[std::size_t(i)] = part.first + i;
  for (int i = 0; i < cells.size; ++i)
    cell[std::size_t(i)] = -(cells.first + i);
  for (int i = 0; i < inner.size; ++i)
    interior[i] = 7L * (inner.first + i);
  std::vector<int> sizes(std::size_t(ranks), 1);
  sizes[0] = n + 2 - ranks;
  long wrong = 0;
  for (int round = 0; round < 3; ++round) {
    if (round == 1) {
      #pragma hpf redistribute T(cyclic(3))
    } else {
      #pragma hpf redistribute T(gen_block(sizes))
    }
    const auto owns = [&](int index) { return round != 1 || index / 3 % ranks == rank; };
    part = round == 1 ? Part{0, n + 1} : partOf(sizes);
    std::size_t at = 0, atCell = 0, atInner = 0;
    for (int index = part.first; index < part.first + part.size; ++index)
      if (owns(index)) {
        wrong += at >= face.size() || face[at++] != index;
        if (index < n)
          wrong += atCell >= cell.size() || cell[atCell++] != -index;
        if (index >= 1 && index < n)
          wrong += interior[atInner++] != 7L * (index - 1);
      }
    wrong += at != face.size() || atCell != cell.size();
  }
  report("template", wrong);
  std::free(interior);
}

/// Two dimensions on a grid of processors, and an array that comes to lie there.
static void grid() {
  const int n = 8, m = 9, columns = ranks / 2;
  const auto shape = [&](int k) {
    return std::pair(blockOf(n, rank / columns, 2), blockOf(k, rank % columns, columns));
  };
  auto [own, across] = shape(m);
  Part line = blockOf(n, rank, ranks);
  std::vector<int> A(std::size_t(own.size * across.size));
  std::vector<char> B(std::size_t(own.size * 3 * across.size));
  std::vector<double> C(std::size_t(line.size * m));
  #pragma hpf processors P(2, ranks / 2)
  #pragma hpf processors L(ranks)
  #pragma hpf distribute A(block, block) onto P extent(n, m)
  #pragma hpf align B(i, *, j) with A(i, j) extent(*, 3, *)
  #pragma hpf distribute C(block, *) onto L extent(n, m)
  #pragma hpf dynamic A, B, C
  for (int i = 0; i < own.size; ++i)
    for (int j = 0; j < across.size; ++j) {
      A[std::size_t(i * across.size + j)] = (own.first + i) * m + across.first + j;
      for (int k = 0; k < 3; ++k)
        B[std::size_t((i * 3 + k) * across.size + j)] = char(own.first + i + 10 * k + across.first + j);
    }
  for (int i = 0; i < line.size; ++i)
    for (int j = 0; j < m; ++j)
      C[std::size_t(i * m + j)] = (line.first + i) * m + j;
  #pragma hpf redistribute A(cyclic, cyclic)
  long wrong = 0;
  const auto owned = [](int extent, int processor, int processors) {
    return (extent - processor + processors - 1) / processors;
  };
  int height = owned(n, rank / columns, 2), width = owned(m, rank % columns, columns);
  wrong += B.size() != std::size_t(3 * height * width);
  for (int i = 0; i < height && wrong == 0; ++i)
    for (int j = 0; j < width; ++j) {
      const int row = rank / columns + 2 * i, column = rank % columns + columns * j;
      wrong += A[std::size_t(i * width + j)] != row * m + column;
      for (int k = 0; k < 3; ++k)
        wrong += B[std::size_t((i * 3 + k) * width + j)] != char(row + 10 * k + column);
    }
  report("grid", wrong);
  #pragma hpf realign C(i, j) with A(i, j)
  wrong = C.size() != std::size_t(height * width);
  for (int round = 0; round < 2 && wrong == 0; ++round) {
    for (int i = 0; i < height; ++i)
      for (int j = 0; j < width; ++j) {
        const int row = rank / columns + 2 * i, column = rank % columns + columns * j;
        if (round == 0)
          wrong += C[std::size_t(i * width + j)] != row * m + column;
      }
    #pragma hpf redistribute A(block, block)
    if (round == 0)
      wrong += C.size() != std::size_t(own.size * across.size);
    for (int i = 0; i < own.size && wrong == 0; ++i)
      for (int j = 0; j < across.size; ++j)
        wrong += C[std::size_t(i * across.size + j)] != (own.first + i) * m + across.first + j;
  }
  report("realigned", wrong);
}

// Variables of the unit, aligned in one function and moved in another.
static double *field;
static float *potential;
#pragma hpf processors World(4) ranks(0:3)
#pragma hpf template Domain(40)
static void start() {
  const Part part = rank < 4 ? blockOf(40, rank, 4) : Part{0, 0};
  std::free(field), std::free(potential);
  field = static_cast<double *>(std::malloc(std::size_t(part.size) * sizeof(double) + 1));
  potential = static_cast<float *>(std::malloc(std::size_t(part.size) * sizeof(float) + 1));
  #pragma hpf distribute Domain(block) onto World
  #pragma hpf align field(i) with Domain(i)
  #pragma hpf align potential(i) with field(i)
  for (int i = 0; i < part.size; ++i)
    field[i] = part.first + i, potential[i] = float(-field[i]);
}
static void change(const std::vector<int> &map) {
  #pragma hpf dynamic Domain
  #pragma hpf redistribute Domain(indirect(map))
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  rows();
  templates();
  grid();
  start();
  start();
  std::vector<int> map(40);
  for (int i = 0; i < 40; ++i)
    map[std::size_t(i)] = i * 7 % 4;
  change(map);
  long wrong = 0, at = 0;
  for (int i = 0; i < 40; ++i)
    if (map[std::size_t(i)] == rank) {
      wrong += field[at] != i || potential[at] != float(-i);
      ++at;
    }
  report("unit", wrong);
  std::free(field), std::free(potential);
  MPI_Finalize();
}
