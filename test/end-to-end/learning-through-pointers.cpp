// A loop that packs through pointers is shared as learned: a build to be profiled shows the runtime what is called
// through a pointer, to a member or not, and of virtual functions. From the call of a function that may wait outside of
// MPI on, the execution runs as written. Results are the same.
//
// RUN: rm -rf %t && mkdir -p %t
// RUN: %mpicxx -std=c++17 -O1 %s -o %t/written
// RUN: %mpirun 9 %t/written > %t/expected
// RUN: %mpicxx -std=c++17 -O1 %generate %argument-output-dir=%t/source %s -o %t/profiled %runtime
// RUN: sed 's#//.*##' %t/source/learning-through-pointers.cpp | %FileCheck %s
// RUN: env SENDWRIGHT_PROFILE=%t/app.prof %mpirun 9 %t/profiled | cmp - %t/expected
// RUN: env SENDWRIGHT_ADAPT=%S/../runtime/inputs/latency-bound.json SENDWRIGHT_ADAPT_MEASURE=0 SENDWRIGHT_WATCHDOG=20,abort \
// RUN:   %mpirun 9 %t/profiled 2> %t/said | cmp - %t/expected
// RUN: %FileCheck %s --check-prefix=LEARNED < %t/said
// RUN: env SENDWRIGHT_ADAPT=%S/../runtime/inputs/latency-bound.json SENDWRIGHT_ADAPT_MEASURE=0 SENDWRIGHT_WATCHDOG=20,abort \
// RUN:   %mpirun 9 %t/profiled waits 2> %t/said | cmp - %t/expected
// RUN: %FileCheck %s --check-prefix=WAITS < %t/said
//
// LEARNED: learning-through-pointers.cpp:[[#@LINE+41]]: messages are shared from execution
// WAITS: the loop {{.*}}learning-through-pointers.cpp:[[#@LINE+40]] runs as written from a call on:

#include <mpi.h>

#include <atomic>
#include <cstdio>

struct Field {
  virtual ~Field() = default;
  virtual int at(int index) const = 0;
};
struct Squares final : Field {
  int at(int index) const override { return index * index; }
};
struct Domain {
  int values[64];
  int value(int index) const { return values[index]; }
};

static std::atomic<bool> ready{true};

static int twice(int value) { return 2 * value; }
static int waits(int value) {
  while (!ready.load()) {
  }
  return value;
}

using Function = int (*)(int);
using Member = int (Domain::*)(int) const;

static int rank, ranks, out[8][4], in[8][4];
static MPI_Request requests[16];

static void exchange(const Domain &domain, Member member, Function function, const Field &field) {
  for (int k = 0; k < 8; ++k)
    MPI_Irecv(in[k], 4, MPI_INT, (rank + ranks - k - 1) % ranks, 7, MPI_COMM_WORLD, &requests[k]);
  // CHECK: out[k][0] = (domain.*sendwright_checked_member(member))(k);
  // CHECK-NEXT: out[k][1] = sendwright_checked(function)(k);
  // CHECK-NEXT: out[k][2] = sendwright_checked_object({{[0-9]+}}, field).at(k);
  for (int k = 0; k < 8; ++k) {
    out[k][0] = (domain.*member)(k);
    out[k][1] = function(k);
    out[k][2] = field.at(k);
    out[k][3] = rank;
    MPI_Isend(out[k], 4, MPI_INT, (rank + k + 1) % ranks, 7, MPI_COMM_WORLD, &requests[8 + k]);
  }
  MPI_Waitall(16, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Domain domain;
  for (int i = 0; i < 64; ++i)
    domain.values[i] = 100 * rank + i;
  const Function function = argc > 1 ? waits : twice;
  const Squares squares;
  long sum = 0, all = 0;
  for (int round = 0; round < 300; ++round) {
    domain.values[round % 8] += round;
    exchange(domain, &Domain::value, function, squares);
    for (int k = 0; k < 8; ++k)
      sum += in[k][0] + (argc > 1 ? 2 : 1) * in[k][1] + in[k][2] + (k + 1) * in[k][3];
  }
  MPI_Reduce(&sum, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    std::printf("%ld\n", all);
  MPI_Finalize();
}
