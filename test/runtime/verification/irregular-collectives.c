// With SENDWRIGHT_VERIFY, calls of irregular collectives take turns: MPI does them, or messages of the
// runtime's own do; all members of the communicator decide alike, and the blocks are the same. Calls on
// another communicator than the plan's do not take turns. Fails if MPI does all calls, or none.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: printf 'ranks 4\nirregular MPI_Alltoallv\nirregular MPI_Alltoallv members=2,1,0\n' | %write_plan plan
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o program %runtime
// RUN: env TEST_PLAN=plan SENDWRIGHT_VERIFY=1 %mpirun 4 ./program 80 2>table
// RUN: %FileCheck %s --input-file=table
// RUN: %FileCheck %s --check-prefix=FILE --input-file=sendwright-verified.json
// RUN: env TEST_PLAN=plan %mpirun 4 ./program 20 always 2>off
// RUN: test ! -s off
//
// CHECK: MPI_Alltoallv on 4 ranks (irregular-collectives){{ +}}80 {{.*}} % (
// CHECK-NEXT: MPI_Alltoallv on 3 ranks (irregular-collectives){{ +}}80 {{.*}} % (
// CHECK-NEXT: sendwright: written to sendwright-verified.json
// FILE: {"calls":"MPI_Alltoallv","callers":4,"digest":"[[DIGEST:[0-9a-f]+]]","transformation":"irregular-collectives","executions":80,"pairs":
// FILE-NOT: "digest":"[[DIGEST]]"
// FILE: {"calls":"MPI_Alltoallv","callers":3,"digest":"

#include "../inputs/irregular.h"

/* Whether MPI did the call. */
static int exchange(int call, MPI_Comm comm) {
  const int before = left_to_mpi;
  int rank, size, counts[4], places[4], in_counts[4], in_places[4];
  double out[80], in[80];
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int other = 0; other < size; ++other) {
    counts[other] = elements(call, rank, other);
    in_counts[other] = elements(call, other, rank);
    places[other] = in_places[other] = 20 * other;
    for (int element = 0; element < counts[other]; ++element)
      out[places[other] + element] = value(call, rank, other, element);
  }
  MPI_Alltoallv(out, counts, places, MPI_DOUBLE, in, in_counts, in_places, MPI_DOUBLE, comm);
  for (int other = 0; other < size; ++other)
    for (int element = 0; element < in_counts[other]; ++element)
      EXPECT(in[in_places[other] + element] == value(call, other, rank, element));
  int by_mpi = left_to_mpi > before, most = 0;
  MPI_Allreduce(&by_mpi, &most, 1, MPI_INT, MPI_MAX, comm);
  EXPECT(most == by_mpi);
  return by_mpi;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int calls = atoi(argv[1]), always = argc > 2, rank = my_rank();
  MPI_Comm three, unplanned;
  MPI_Comm_split(MPI_COMM_WORLD, rank < 3 ? 0 : MPI_UNDEFINED, -rank, &three);
  MPI_Comm_split(MPI_COMM_WORLD, rank < 2, rank, &unplanned);
  int of_all = 0, of_three = 0;
  for (int call = 0; call < calls; ++call) {
    of_all += exchange(call, MPI_COMM_WORLD);
    if (rank < 3)
      of_three += exchange(call, three);
    EXPECT(exchange(call, unplanned));
  }
  EXPECT(always ? of_all == 0 : 2 * of_all == calls);
  EXPECT(rank == 3 || (always ? of_three == 0 : 2 * of_three == calls));
  MPI_Finalize();
}
