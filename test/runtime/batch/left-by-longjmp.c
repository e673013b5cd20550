// A scope left by longjmp is noticed at the next MPI call: what was captured is issued, and nothing
// more is captured, even if other frames have taken its place on the stack. Fails when it is not
// noticed: later sends are held, and the last expectation finds an empty log.
//
// RUN: printf 'ranks 2\nsite 1\norder * 1\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 2 %t

#include "../inputs/planned-loop.h"

#include <setjmp.h>
#include <string.h>

PLANNED_LOOP(loop, 1, 0)

static jmp_buf back;
static int value;

static void send(void) { MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); }

static void jump_out(void) {
  sendwright_batch(loop);
  send();
  longjmp(back, 1);
}

__attribute__((noinline)) static void send_from_deep_inside(void) {
  volatile char frame[4096];
  memset((char *)frame, 1, sizeof frame);
  send();
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (my_rank() == 0) {
    if (!setjmp(back))
      jump_out();
    send();
    expect_log("isend 1 send 1 ");
    if (!setjmp(back))
      jump_out();
    send_from_deep_inside();
    expect_log("isend 1 send 1 isend 1 send 1 ");
  } else {
    for (int message = 0; message < 4; ++message)
      MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
