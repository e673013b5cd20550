// Where a function wraps calls of MPI, each call is recorded with the place where that function is
// called, within marked loops, too. A mark does not outlive the call: a marked call of MPI in
// another function ends it. Fails when the place is lost, or given to another function's call.
//
// RUN: %mpicc -O2 %s -o %t %runtime
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 1 %t && %print_profile %t.prof | %FileCheck %s
// CHECK: rank
// CHECK-NEXT: MPI_Irecv as layer.c:101 at src/program.c:11
// CHECK-NEXT: enter program.c:1
// CHECK-NEXT: MPI_Isend in program.c:1 as layer.c:102 at src/program.c:12
// CHECK-NEXT: leave program.c:1
// CHECK-NEXT: MPI_Wait as layer.c:103 at src/program.c:13
// CHECK-NEXT: MPI_Wait as layer.c:103 at src/program.c:13
// CHECK-NEXT: MPI_Irecv as layer.c:101 at {{[a-z0-9.-]+}}+0x{{[0-9a-f]+}}
// CHECK-NEXT: enter program.c:2
// CHECK-NEXT: MPI_Isend in program.c:2 as layer.c:102{{$}}
// CHECK-NEXT: leave program.c:2
// CHECK-NEXT: MPI_Wait as layer.c:103 at {{[a-z0-9.-]+}}+0x{{[0-9a-f]+}}
// CHECK-NEXT: MPI_Wait as layer.c:103 at {{[a-z0-9.-]+}}+0x{{[0-9a-f]+}}
// CHECK-NOT: MPI_

#include "../inputs/recorded.h"

#include <mpi.h>

// The line of MPI_X in MpiFunctions.def, from 0.
enum { isend = 4, receive = 9, wait = 25 };
#define CALL_SITE(name, line, function)                                                            \
  static struct sendwright_site name##_site = {                                                    \
      "layer.c", #name, line, 0, line, function << SENDWRIGHT_SITE_FUNCTION_SHIFT, 0}
CALL_SITE(layer_receive, 101, receive);
CALL_SITE(layer_send, 102, isend);
CALL_SITE(layer_wait, 103, wait);

static int out, in;

static void layer_receive(MPI_Request *request) {
  sendwright_call(&layer_receive_site);
  MPI_Irecv(&in, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, request);
}

static void layer_send(MPI_Request *request) {
  sendwright_call(&layer_send_site);
  MPI_Isend(&out, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, request);
}

static void layer_wait(MPI_Request *requests) {
  for (int i = 0; i < 2; ++i) {
    sendwright_call(&layer_wait_site);
    MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
  }
}

int main(int argc, char **argv) {
  static struct sendwright_caller receives = {"src/program.c", "layer_receive", 11, 0},
                                  sends = {"src/program.c", "layer_send", 12, 0},
                                  waits = {"src/program.c", "layer_wait", 13, 0};
  MPI_Request requests[2];
  sendwright_called_from(&receives); // before MPI there is nothing to record
  MPI_Init(&argc, &argv);
  (sendwright_called_from(&receives), layer_receive(&requests[0]));
  MARK(first);
  sendwright_called_from(&sends);
  layer_send(&requests[1]);
  END_MARK
  sendwright_called_from(&waits);
  layer_wait(requests);
  layer_receive(&requests[0]); // ends the last mark
  MARK(second);
  layer_send(&requests[1]);
  END_MARK
  layer_wait(requests);
  MPI_Finalize();
  return 0;
}
