// If one rank cannot follow the plan, or several threads may call MPI, all ranks leave the calls to MPI, and one
// line says so.
//
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o %t %runtime
// RUN: printf 'ranks 3\nirregular MPI_Alltoallv\n' | %write_plan %t.plan
// RUN: printf 'ranks 3\nirregular MPI_Alltoallv\nirregular MPI_Alltoallv members=2,1,0\n' | %write_plan %t.other
// RUN: env TEST_PLAN=%t.plan %mpirun 3 %t 0 0
// RUN: env TEST_PLAN=%t.plan %mpirun 3 %t 1 1 2>&1 | %FileCheck %s --check-prefix=THREADS
// RUN: %mpirun 3 sh -c 'test ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} = 1 && export TEST_PLAN=%t.other || export TEST_PLAN=%t.plan; exec %t 1 0' 2>&1 | %FileCheck %s --check-prefix=PLANS
//
// THREADS: sendwright: this run may call MPI from several threads: irregular collectives run as written
// PLANS: sendwright: the ranks have different plans: irregular collectives run as written

#include "../inputs/irregular.h"

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, atoi(argv[2]) ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
  int out[3] = {my_rank(), my_rank(), my_rank()}, in[3], places[3] = {0, 1, 2};
  int counts[3] = {0, 0, 0}, in_counts[3] = {0, 0, 0};
  counts[(my_rank() + 1) % 3] = in_counts[(my_rank() + 2) % 3] = 1;
  MPI_Alltoallv(out, counts, places, MPI_INT, in, in_counts, places, MPI_INT, MPI_COMM_WORLD);
  EXPECT(in[(my_rank() + 2) % 3] == (my_rank() + 2) % 3);
  EXPECT(left_to_mpi == atoi(argv[1]));
  MPI_Finalize();
}
