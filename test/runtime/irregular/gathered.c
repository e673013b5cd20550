// MPI_Allgatherv on planned communicators delivers what MPI would, with blocks of changing sizes, in place or not;
// also where small blocks travel through other ranks. MPI does the calls with negative counts, which it reports.
//
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o %t %runtime
// RUN: printf 'ranks 6\nirregular MPI_Allgatherv\n' | %write_plan %t.plan
// RUN: env TEST_PLAN=%t.plan %mpirun 6 %t 1 | %FileCheck %s
// RUN: printf 'ranks 6\nirregular MPI_Allgatherv grid=3x2 largest=40\n' | %write_plan %t.routes
// RUN: env TEST_PLAN=%t.routes %mpirun 6 %t 1 | %FileCheck %s
// RUN: printf 'ranks 6\nirregular MPI_Allgatherv grid=2x3 largest=4096\n' | %write_plan %t.large
// RUN: env TEST_PLAN=%t.large %mpirun 6 %t 1 | %FileCheck %s
// RUN: %mpirun 6 %t 25 | %FileCheck %s
//
// CHECK-NOT: sendwright:
// CHECK: all that was sent has arrived

#include "../inputs/irregular.h"

int PMPI_Allgatherv(const void *out, int count, MPI_Datatype type, void *in, const int counts[], const int places[],
                    MPI_Datatype in_type, MPI_Comm comm) {
  int (*next)(const void *, int, MPI_Datatype, void *, const int[], const int[], MPI_Datatype, MPI_Comm) =
      dlsym(RTLD_NEXT, "PMPI_Allgatherv");
  ++left_to_mpi;
  return next(out, count, type, in, counts, places, in_type, comm);
}

enum { each = 24, room = 6 * each };
static double all[room], own[each];

static void gather(int call, int in_place, MPI_Datatype gap) {
  const int rank = my_rank(), count = elements(call, rank, 9);
  int counts[6], places[6];
  for (int at = 0; at < room; ++at)
    all[at] = -1;
  for (int other = 0; other < 6; ++other)
    counts[other] = elements(call, other, 9), places[other] = each / 2 * (5 - other);
  double *from = in_place ? all + each * (5 - rank) : own;
  for (int element = 0; element < count; ++element)
    from[element * (in_place ? 2 : 1)] = value(call, rank, 0, element);
  MPI_Allgatherv(in_place ? MPI_IN_PLACE : own, count, MPI_DOUBLE, all, counts, places, gap, MPI_COMM_WORLD);
  for (int at = 0; at < room; ++at) {
    const int other = 5 - at / each, element = at % each / 2;
    const int is_there = at % 2 == 0 && element < counts[other];
    EXPECT(all[at] == (is_there ? value(call, other, 0, element) : -1));
  }
}

static void refuse(void) {
  const int counts[6] = {-1, -1, -1, -1, -1, -1}, places[6] = {0};
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  EXPECT(MPI_Allgatherv(own, -1, MPI_DOUBLE, all, counts, places, MPI_DOUBLE, MPI_COMM_WORLD) !=
         MPI_SUCCESS);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Datatype gap;
  MPI_Type_create_resized(MPI_DOUBLE, 0, 2 * sizeof(double), &gap);
  MPI_Type_commit(&gap);
  for (int call = 0; call < 24; ++call)
    gather(call, call % 3 == 1, gap);
  refuse();
  EXPECT(left_to_mpi == atoi(argv[1]));
  MPI_Type_free(&gap);
  if (my_rank() == 0)
    printf("all that was sent has arrived\n");
  MPI_Finalize();
}
