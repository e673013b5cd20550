// Damaged facts about functions are not trusted: the sites of their unit run as written, even if
// another unit has the same site (a loop in a header), and one line says so.
//
// RUN: printf 'ranks 3\nsite 1\norder 0 2 1\nsite 2\norder 0 2 1\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 3 %t 2>&1 | %FileCheck %s
// CHECK: {{^}}sendwright: the facts about functions in damaged.c: damaged (checksum differs), expected
// what the plugin wrote: loops that need them run as written{{$}} CHECK-NOT: sendwright: CHECK-NOT:
// issued

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)
PLANNED_LOOP(other, 2, 0)

static struct sendwright_site *sites[] = {&loop};
static const unsigned char facts[] = "sixteen bytes...";
static struct sendwright_unit unit = {
    SENDWRIGHT_RUNTIME_VERSION, SENDWRIGHT_UNIT_USE, "damaged.c", sites, 1, 0, 0, 0, facts, 16, 0, 0, 0};
__attribute__((constructor)) static void announce(void) { sendwright_register(&unit); }

static void send_to_both(void) {
  int value = 0;
  for (int peer = 1; peer < 3; ++peer)
    MPI_Send(&value, 1, MPI_INT, peer, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (my_rank() == 0) {
    {
      sendwright_batch(loop);
      send_to_both();
    }
    expect_log("send 1 send 2 ");
    clear_log();
    {
      sendwright_batch(other);
      send_to_both();
    }
    expect_log("isend 2 isend 1 ");
  } else {
    int value;
    for (int k = 0; k < 2; ++k)
      MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
