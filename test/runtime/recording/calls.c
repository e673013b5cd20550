// A marked call is recorded with its site, also if it completes requests. A mark is
// only for this thread's next call of its function: it does not stay for an unmarked
// call, after a failed call, or for another function. A mark that answers a loop
// counts if the loop goes over all ranks. Fails when a site is lost, or given to
// another call.
//
// RUN: %mpicc -O2 %s -o %t %runtime
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 1 %t && %print_profile %t.prof | %FileCheck %s
// CHECK: rank
// CHECK-NEXT: MPI_Irecv as program.c:101
// CHECK-NEXT: MPI_Send at
// CHECK-NEXT: MPI_Wait as program.c:103
// CHECK-NEXT: enter program.c:1
// CHECK-NEXT: MPI_Isend in program.c:1 as program.c:102
// CHECK-NEXT: leave program.c:1
// CHECK-NEXT: MPI_Recv at
// CHECK-NEXT: MPI_Waitany as program.c:104
// CHECK-NEXT: MPI_Barrier at
// CHECK-NEXT: MPI_Irecv at
// CHECK-NEXT: MPI_Send at
// CHECK-NEXT: MPI_Wait at
// CHECK-NEXT: MPI_Irecv at
// CHECK-NEXT: MPI_Send as program.c:105
// CHECK-NEXT: MPI_Wait at
// CHECK-NEXT: MPI_Irecv at
// CHECK-NEXT: MPI_Send at
// CHECK-NEXT: MPI_Wait at
// CHECK-NOT: MPI_

#include "../inputs/recorded.h"

#include <mpi.h>

// The line of MPI_X in MpiFunctions.def, from 0.
enum { send = 0, isend = 4, receive = 9, wait = 25, wait_any = 27 };
#define CALL_SITE(name, line, function)                                                            \
  static struct sendwright_site name = {                                                           \
      "program.c", "main", line, 0, line, function << SENDWRIGHT_SITE_FUNCTION_SHIFT, 0}
CALL_SITE(post, 101, receive);
CALL_SITE(begin, 102, isend);
CALL_SITE(finish, 103, wait);
CALL_SITE(finish_any, 104, wait_any);
CALL_SITE(pass, 105, send);

int main(int argc, char **argv) {
  int out = 0, in = 0, number = 0, rank;
  MPI_Request request;
  sendwright_call(&pass); // before MPI there is nothing to record
  MPI_Init(&argc, &argv);
  sendwright_call(&post);
  MPI_Irecv(&in, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
  MPI_Send(&out, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  (sendwright_call(&finish), MPI_Wait(&request, MPI_STATUS_IGNORE));
  MARK(first);
  sendwright_call(&begin);
  MPI_Isend(&out, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &request);
  END_MARK
  MPI_Recv(&in, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  sendwright_call(&finish_any);
  MPI_Waitany(1, &request, &number, MPI_STATUS_IGNORE);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  sendwright_call(&pass);
  MPI_Send(&out, 1, MPI_INT, 17, 3, MPI_COMM_WORLD); // fails
  sendwright_call(&pass);
  MPI_Barrier(MPI_COMM_WORLD); // another function's mark
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Irecv(&in, 1, MPI_INT, rank, 3, MPI_COMM_WORLD, &request);
  MPI_Send(&out, 1, MPI_INT, rank, 3, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Irecv(&in, 1, MPI_INT, rank, 4, MPI_COMM_WORLD, &request);
  (sendwright_call_where(&pass, 0, 0, 1u), MPI_Send(&out, 1, MPI_INT, rank, 4, MPI_COMM_WORLD));
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Irecv(&in, 1, MPI_INT, rank, 5, MPI_COMM_WORLD, &request);
  (sendwright_call_where(&pass, 0, 0, 2), MPI_Send(&out, 1, MPI_INT, rank, 5, MPI_COMM_WORLD));
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
