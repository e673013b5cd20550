// Errors come up as MPI's own: arguments that MPI refuses at once go to MPI; what it refuses later, or finds
// when a message arrives, comes to the error handler of the program's communicator, on the ranks that MPI would
// tell. Calls afterwards work.
//
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o %t %runtime
// RUN: printf 'ranks 3\nirregular MPI_Alltoallv\n' | %write_plan %t.plan
// RUN: env TEST_PLAN=%t.plan %mpirun 3 %t | %FileCheck %s
//
// CHECK-NOT: sendwright:
// CHECK: all errors came up

#include "../inputs/irregular.h"

static int handled;
static void handler(MPI_Comm *comm, int *error, ...) {
  EXPECT(*comm == MPI_COMM_WORLD && *error != MPI_SUCCESS);
  ++handled;
}

static int class_of(int error) {
  int class = 0;
  MPI_Error_class(error, &class);
  return class;
}

static void valid_call(void) {
  int out[3] = {my_rank(), my_rank(), my_rank()}, in[3] = {-1, -1, -1}, places[3] = {0, 1, 2};
  int counts[3] = {0, 0, 0}, in_counts[3] = {0, 0, 0}, before = handled, left = left_to_mpi;
  counts[(my_rank() + 1) % 3] = in_counts[(my_rank() + 2) % 3] = 1;
  EXPECT(MPI_Alltoallv(out, counts, places, MPI_INT, in, in_counts, places, MPI_INT, MPI_COMM_WORLD) ==
         MPI_SUCCESS);
  EXPECT(in[(my_rank() + 2) % 3] == (my_rank() + 2) % 3);
  EXPECT(handled == before && left_to_mpi == left);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Errhandler count_errors;
  MPI_Comm_create_errhandler(handler, &count_errors);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, count_errors);
  int out[8] = {0}, in[8], none[3] = {0}, places[3] = {0}, negative[3] = {-1, -1, -1}, one[3] = {1, 1, 1};
  valid_call();
  EXPECT(class_of(MPI_Alltoallv(out, negative, places, MPI_INT, in, none, places, MPI_INT, MPI_COMM_WORLD)) !=
         MPI_SUCCESS);
  EXPECT(handled == 1 && left_to_mpi == 1);
  valid_call();
  EXPECT(class_of(MPI_Alltoallv(out, one, places, MPI_DATATYPE_NULL, in, one, places, MPI_INT,
                                MPI_COMM_WORLD)) == MPI_ERR_TYPE);
  EXPECT(handled == 2 && left_to_mpi == 2);
  valid_call();
  MPI_Datatype uncommitted; // MPI refuses it in the runtime's own calls
  MPI_Type_vector(2, 1, 2, MPI_INT, &uncommitted);
  EXPECT(class_of(MPI_Alltoallv(out, one, places, uncommitted, in, one, places, uncommitted,
                                MPI_COMM_WORLD)) == MPI_ERR_TYPE);
  EXPECT(handled == 3 && left_to_mpi == 2);
  MPI_Type_free(&uncommitted);
  valid_call();
  // Rank 0 sends two elements to rank 1, which expects one.
  int counts[3] = {0, my_rank() == 0 ? 2 : 0, 0}, in_counts[3] = {my_rank() == 1 ? 1 : 0, 0, 0};
  const int error =
      MPI_Alltoallv(out, counts, places, MPI_INT, in, in_counts, places, MPI_INT, MPI_COMM_WORLD);
  EXPECT(class_of(error) == (my_rank() == 1 ? MPI_ERR_TRUNCATE : MPI_SUCCESS));
  EXPECT(handled == 3 + (my_rank() == 1));
  valid_call();
  MPI_Errhandler_free(&count_errors);
  MPI_Barrier(MPI_COMM_WORLD);
  if (my_rank() == 0)
    printf("all errors came up\n");
  MPI_Finalize();
}
