// MPI_Alltoallw is replaced like MPI_Alltoallv: each block has its own datatype, and lies so many bytes from the
// buffer; types of empty blocks mean nothing. On a communicator where only MPI_Alltoallv is planned, MPI does it.
//
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o %t %runtime
// RUN: printf 'ranks 6\nirregular MPI_Alltoallw grid=2x3 largest=24\nirregular MPI_Alltoallv\n' | %write_plan %t.plan
// RUN: printf 'ranks 6\nirregular MPI_Alltoallv\n' | %write_plan %t.other
// RUN: env TEST_PLAN=%t.plan %mpirun 6 %t 0 | %FileCheck %s
// RUN: env TEST_PLAN=%t.other %mpirun 6 %t 20 | %FileCheck %s
//
// CHECK-NOT: sendwright:
// CHECK: all that was sent has arrived

#include "../inputs/irregular.h"

static int calls_of_mpi;

int PMPI_Alltoallw(const void *out, const int *counts, const int *places, const MPI_Datatype *types, void *in,
                   const int *in_counts, const int *in_places, const MPI_Datatype *in_types, MPI_Comm comm) {
  int (*next)(const void *, const int *, const int *, const MPI_Datatype *, void *, const int *, const int *,
              const MPI_Datatype *, MPI_Comm) = dlsym(RTLD_NEXT, "PMPI_Alltoallw");
  ++calls_of_mpi;
  return next(out, counts, places, types, in, in_counts, in_places, in_types, comm);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Datatype gap;
  MPI_Type_create_resized(MPI_DOUBLE, 0, 2 * sizeof(double), &gap);
  MPI_Type_commit(&gap);
  for (int call = 0; call < 20; ++call) {
    int rank = my_rank(), size = rank_count(), counts[6], places[6], in_counts[6], in_places[6];
    MPI_Datatype types[6], in_types[6];
    double out[400], in[400];
    for (int at = 0; at < 400; ++at)
      in[at] = out[at] = -1;
    for (int other = 0; other < size; ++other) {
      counts[other] = elements(call, rank, other);
      in_counts[other] = elements(call, other, rank);
      places[other] = 40 * other * sizeof(double);
      in_places[other] = 30 * other * sizeof(double);
      types[other] = (rank + other) % 2 ? gap : MPI_DOUBLE;
      in_types[other] = other % 2 ? MPI_DOUBLE : gap;
      for (int element = 0; element < counts[other]; ++element)
        out[40 * other + element * ((rank + other) % 2 ? 2 : 1)] = value(call, rank, other, element);
    }
    MPI_Alltoallw(out, counts, places, types, in, in_counts, in_places, in_types, MPI_COMM_WORLD);
    for (int other = 0; other < size; ++other)
      for (int element = 0; element < in_counts[other]; ++element) {
        double *at = &in[30 * other + element * (other % 2 ? 1 : 2)];
        EXPECT(*at == value(call, other, rank, element));
        *at = -1;
      }
    for (int at = 0; at < 400; ++at)
      EXPECT(in[at] == -1);
  }
  EXPECT(calls_of_mpi == atoi(argv[1]));
  MPI_Type_free(&gap);
  if (my_rank() == 0)
    printf("all that was sent has arrived\n");
  MPI_Finalize();
}
