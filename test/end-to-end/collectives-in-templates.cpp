// Collective operations in templates: rebuilt, all ranks have the same data as before. A loop that several
// instantiations run has one operation for all, even if they come from different units.
//
// RUN: %mpicxx -O2 %s -o %t.original
// RUN: %mpicxx -O2 -g %generate %s -o %t.profiled %runtime
// RUN: %mpirun 6 %t.original 5 3 > %t.expected
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 6 %t.profiled 5 3 > %t.profiled.out
// RUN: cmp %t.expected %t.profiled.out
// RUN: %sendwright plan --choose models --machine %S/sharing/inputs/latency-bound.json %t.prof -o %t.plan > %t.table
// RUN: %FileCheck %s --check-prefix=PLAN < %t.table
// RUN: %mpicxx -O2 -g -Wall -Wextra -Werror %use=%t.plan %s -o %t %runtime 2> %t.remarks
// RUN: %FileCheck %s < %t.remarks
// RUN: %mpirun 6 %t 5 3 > %t.out 2> %t.errors
// RUN: cmp %t.expected %t.out
// RUN: ! grep sendwright: %t.errors
// RUN: %mpirun 6 %t.original 9000 1 > %t.expected
// RUN: %mpirun 6 %t 9000 1 > %t.out
// RUN: cmp %t.expected %t.out
//
// RUN: %mpicxx -O2 -DBOTH %s -o %t.original
// RUN: %mpicxx -O2 -DBOTH -g %generate %s -o %t.profiled %runtime
// RUN: %mpirun 6 %t.original 5 3 > %t.expected
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 6 %t.profiled 5 3 > %t.profiled.out
// RUN: cmp %t.expected %t.profiled.out
// RUN: %sendwright plan --choose models --machine %S/sharing/inputs/latency-bound.json %t.prof -o %t.plan > %t.table
// RUN: %FileCheck %s --check-prefix=PLAN < %t.table
// RUN: %mpicxx -O2 -DBOTH -g -Wall -Wextra -Werror %use=%t.plan %s -o %t %runtime 2> %t.remarks
// RUN: %FileCheck %s < %t.remarks
// RUN: %mpirun 6 %t 5 3 > %t.out 2> %t.errors
// RUN: cmp %t.expected %t.out
// RUN: ! grep sendwright: %t.errors
// RUN: %mpirun 6 %t.original 9000 1 > %t.expected
// RUN: %mpirun 6 %t 9000 1 > %t.out
// RUN: cmp %t.expected %t.out
// RUN: %sendwright simulate %t.prof --plan %t.plan > %t.simulated
//
// PLAN: a broadcast among 6 ranks, {{.*}} by {{.*}} tree
// PLAN: an all-to-all among 6 ranks, {{.*}} by Bruck
// CHECK: send loop replaced by 'collectives': broadcast by
// CHECK: send loop replaced by 'collectives': all-to-all by Bruck

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

template <typename Value> struct Type;
template <> struct Type<int> {
  static const MPI_Datatype value;
};
template <> struct Type<double> {
  static const MPI_Datatype value;
};
const MPI_Datatype Type<int>::value = MPI_INT, Type<double>::value = MPI_DOUBLE;

static int rank, size;

template <typename Value> void broadcast(Value *values, int count) {
  if (rank == 0) {
    for (int to = 1; to < size; ++to)
      MPI_Send(values, count, Type<Value>::value, to, 1, MPI_COMM_WORLD);
  } else {
    MPI_Recv(values, count, Type<Value>::value, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

template <typename Value> class Matrix {
public:
  explicit Matrix(int block) : block(block), out(size * block), in(size * block) {}
  void transpose();

  int block;
  std::vector<Value> out, in;
};

template <typename Value> void Matrix<Value>::transpose() {
  for (int i = 0; i < size; ++i) {
    const int to = (rank + i) % size, from = (rank - i + size) % size;
    MPI_Sendrecv(&out[to * block], block, Type<Value>::value, to, 3, &in[from * block], block, Type<Value>::value,
                 from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

template <typename Value> unsigned long long play(int block, int rounds) {
  Matrix<Value> matrix(block);
  unsigned long long sum = 0;
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t k = 0; k < matrix.out.size(); ++k)
      matrix.out[k] = static_cast<Value>(rank * 1000 + static_cast<int>(k) + round);
    broadcast(matrix.out.data(), block);
    matrix.transpose();
    for (const Value value : matrix.in)
      sum = sum * 6364136223846793005ULL + static_cast<unsigned long long>(value);
  }
  return sum;
}

int main(int argc, char **argv) {
  const int block = std::atoi(argv[1]), rounds = std::atoi(argv[2]);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  unsigned long long sums[2] = {play<double>(block, rounds), 0};
#ifdef BOTH
  sums[1] = play<int>(block, rounds);
#endif
  std::vector<unsigned long long> all(2 * size);
  MPI_Gather(sums, 2, MPI_UNSIGNED_LONG_LONG, all.data(), 2, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD);
  for (int from = 0; rank == 0 && from < size; from++)
    std::printf("%d: %016llx %016llx\n", from, all[2 * from], all[2 * from + 1]);
  MPI_Finalize();
}
