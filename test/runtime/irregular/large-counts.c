// Calls with large counts meet those with small ones: some ranks call MPI_Alltoallv_c and others MPI_Alltoallv.
//
// UNSUPPORTED: openmpi
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o %t %runtime
// RUN: printf 'ranks 4\nirregular MPI_Alltoallv grid=2x2 largest=16\n' | %write_plan %t.plan
// RUN: env TEST_PLAN=%t.plan %mpirun 4 %t | %FileCheck %s
//
// CHECK-NOT: sendwright:
// CHECK: all that was sent has arrived

#include "../inputs/irregular.h"

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (int call = 0; call < 20; ++call) {
    int rank = my_rank(), counts[4], places[4], in_counts[4], in_places[4];
    MPI_Count large_counts[4], large_in_counts[4];
    MPI_Aint large_places[4], large_in_places[4];
    double out[80], in[80];
    for (int other = 0; other < 4; ++other) {
      large_counts[other] = counts[other] = elements(call, rank, other);
      large_in_counts[other] = in_counts[other] = elements(call, other, rank);
      large_places[other] = places[other] = 20 * other;
      large_in_places[other] = in_places[other] = 20 * (3 - other);
      for (int element = 0; element < counts[other]; ++element)
        out[20 * other + element] = value(call, rank, other, element);
    }
    if ((rank + call) % 2)
      MPI_Alltoallv_c(out, large_counts, large_places, MPI_DOUBLE, in, large_in_counts, large_in_places,
                      MPI_DOUBLE, MPI_COMM_WORLD);
    else
      MPI_Alltoallv(out, counts, places, MPI_DOUBLE, in, in_counts, in_places, MPI_DOUBLE, MPI_COMM_WORLD);
    for (int other = 0; other < 4; ++other)
      for (int element = 0; element < in_counts[other]; ++element)
        EXPECT(in[20 * (3 - other) + element] == value(call, other, rank, element));
  }
  EXPECT(left_to_mpi == 0);
  if (my_rank() == 0)
    printf("all that was sent has arrived\n");
  MPI_Finalize();
}
