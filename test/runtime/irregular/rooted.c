// MPI_Gatherv and MPI_Scatterv on planned communicators deliver what MPI would, whichever rank is the root, with
// blocks of changing sizes, in place at the root or not; also where small blocks travel through other ranks.
//
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o %t %runtime
// RUN: printf 'ranks 6\nirregular MPI_Gatherv\nirregular MPI_Scatterv\n' | %write_plan %t.plan
// RUN: env TEST_PLAN=%t.plan %mpirun 6 %t 0 | %FileCheck %s
// RUN: printf 'ranks 6\nirregular MPI_Scatterv grid=3x2 largest=40\nirregular MPI_Gatherv grid=2x3 largest=40\n' | %write_plan %t.routes
// RUN: env TEST_PLAN=%t.routes %mpirun 6 %t 0 | %FileCheck %s
// RUN: %mpirun 6 %t 48 | %FileCheck %s
//
// CHECK-NOT: sendwright:
// CHECK: all that was sent has arrived

#include "../inputs/irregular.h"

int PMPI_Gatherv(const void *out, int count, MPI_Datatype type, void *in, const int counts[], const int places[],
                 MPI_Datatype in_type, int root, MPI_Comm comm) {
  int (*next)(const void *, int, MPI_Datatype, void *, const int[], const int[], MPI_Datatype, int, MPI_Comm) =
      dlsym(RTLD_NEXT, "PMPI_Gatherv");
  ++left_to_mpi;
  return next(out, count, type, in, counts, places, in_type, root, comm);
}

int PMPI_Scatterv(const void *out, const int counts[], const int places[], MPI_Datatype type, void *in, int count,
                  MPI_Datatype in_type, int root, MPI_Comm comm) {
  int (*next)(const void *, const int[], const int[], MPI_Datatype, void *, int, MPI_Datatype, int, MPI_Comm) =
      dlsym(RTLD_NEXT, "PMPI_Scatterv");
  ++left_to_mpi;
  return next(out, counts, places, type, in, count, in_type, root, comm);
}

enum { each = 24, room = 6 * each };
static double all[room], own[each];

static void clear(void) {
  for (int at = 0; at < room; ++at)
    all[at] = -1;
  for (int at = 0; at < each; ++at)
    own[at] = -1;
}

static void gather(int call, int root, int in_place, MPI_Datatype gap) {
  const int rank = my_rank(), count = elements(call, rank, 9);
  int counts[6], places[6];
  clear();
  double *from = in_place && rank == root ? all + each * rank : own;
  for (int element = 0; element < count; ++element)
    from[element * (from == own ? 1 : 2)] = value(call, rank, 0, element);
  for (int other = 0; other < 6; ++other)
    counts[other] = elements(call, other, 9), places[other] = each / 2 * other;
  if (rank == root)
    MPI_Gatherv(in_place ? MPI_IN_PLACE : own, count, MPI_DOUBLE, all, counts, places, gap, root, MPI_COMM_WORLD);
  else // what only the root needs means nothing
    MPI_Gatherv(own, count, MPI_DOUBLE, NULL, NULL, NULL, MPI_DATATYPE_NULL, root, MPI_COMM_WORLD);
  for (int at = 0; at < room; ++at) {
    const int other = at / each, element = at % each / 2;
    const int is_there = rank == root && at % 2 == 0 && element < counts[other];
    EXPECT(all[at] == (is_there ? value(call, other, 0, element) : -1));
  }
}

static void scatter(int call, int root, int in_place) {
  const int rank = my_rank(), count = elements(call, 9, rank);
  int counts[6], places[6];
  clear();
  for (int other = 0; other < 6; ++other) {
    counts[other] = elements(call, 9, other), places[other] = each * (5 - other);
    for (int element = 0; element < counts[other]; ++element)
      all[places[other] + element] = value(call, root, other, element);
  }
  if (rank != root)
    MPI_Scatterv(NULL, NULL, NULL, MPI_DATATYPE_NULL, own, count, MPI_DOUBLE, root, MPI_COMM_WORLD);
  else
    MPI_Scatterv(all, counts, places, MPI_DOUBLE, in_place ? MPI_IN_PLACE : own, count, MPI_DOUBLE, root,
                 MPI_COMM_WORLD);
  for (int element = 0; element < each; ++element) {
    const int is_there = element < count && !(in_place && rank == root);
    EXPECT(own[element] == (is_there ? value(call, root, rank, element) : -1));
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Datatype gap;
  MPI_Type_create_resized(MPI_DOUBLE, 0, 2 * sizeof(double), &gap);
  MPI_Type_commit(&gap);
  for (int call = 0; call < 24; ++call) {
    gather(call, call % 6, call % 4 == 1, gap);
    scatter(call, call % 5, call % 4 == 2);
  }
  EXPECT(left_to_mpi == atoi(argv[1]));
  MPI_Type_free(&gap);
  if (my_rank() == 0)
    printf("all that was sent has arrived\n");
  MPI_Finalize();
}
