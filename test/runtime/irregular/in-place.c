// In place, where received blocks replace those that are sent, a block arrives as it was before the call; also
// where elements of a datatype lie in descending order and around the address of the buffer.
//
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o %t %runtime
// RUN: printf 'ranks 6\nirregular MPI_Alltoallv\n' | %write_plan %t.plan
// RUN: env TEST_PLAN=%t.plan %mpirun 6 %t 0 | %FileCheck %s
// RUN: printf 'ranks 6\nirregular MPI_Alltoallv grid=2x3 largest=48\n' | %write_plan %t.routes
// RUN: env TEST_PLAN=%t.routes %mpirun 6 %t 0 | %FileCheck %s
// RUN: %mpirun 6 %t 30 | %FileCheck %s
//
// CHECK-NOT: sendwright:
// CHECK: all that was sent has arrived

#include "../inputs/irregular.h"

/* In place both directions of a pair have as many elements. */
static int both_ways(int call, int one, int other) {
  return one < other ? elements(call, one, other) : elements(call, other, one);
}

static void exchange(int call, MPI_Datatype type, int step) {
  int rank = my_rank(), size = rank_count(), counts[6], places[6];
  double memory[1200], *zero = memory + 600;
  for (int at = 0; at < 1200; ++at)
    memory[at] = -1;
  for (int other = 0; other < size; ++other) {
    counts[other] = both_ways(call, rank, other);
    places[other] = 20 * other;
    for (int element = 0; element < counts[other]; ++element)
      zero[step * (places[other] + element)] = value(call, rank, other, element);
  }
  MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, zero, counts, places, type, MPI_COMM_WORLD);
  for (int other = 0; other < size; ++other)
    for (int element = 0; element < counts[other]; ++element) {
      double *at = &zero[step * (places[other] + element)];
      EXPECT(*at == value(call, other, rank, element));
      *at = -1;
    }
  for (int at = 0; at < 1200; ++at)
    EXPECT(memory[at] == -1);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Datatype gap, down;
  MPI_Type_create_resized(MPI_DOUBLE, 0, 2 * sizeof(double), &gap);
  MPI_Type_create_resized(MPI_DOUBLE, 0, -2 * (MPI_Aint)sizeof(double), &down);
  MPI_Type_commit(&gap);
  MPI_Type_commit(&down);
  for (int call = 0; call < 10; ++call) {
    exchange(call, MPI_DOUBLE, 1);
    exchange(call, gap, 2);
    exchange(call, down, -2);
  }
  EXPECT(left_to_mpi == atoi(argv[1]));
  MPI_Type_free(&gap);
  MPI_Type_free(&down);
  if (my_rank() == 0)
    printf("all that was sent has arrived\n");
  MPI_Finalize();
}
