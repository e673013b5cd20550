// A marked loop learns at run time: when all ranks send the same messages several times in a row,
// it shares them; when they change it stops sharing, and learns again. Nothing hangs when a rank no
// longer comes to the loop, a communicator is freed, a jump leaves the loop, or the program ends
// while ranks agree. Large messages that block are learned, too; and where nothing is learned for
// long, MPI carries the messages again.
//
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -DMARKED_LOOPS -o %t %runtime
// RUN: env SENDWRIGHT_PROFILE=%t.prof SENDWRIGHT_ADAPT=%S/../../inputs/latency-bound.json \
// RUN:   SENDWRIGHT_ADAPT_MEASURE=0 \
// RUN:   SENDWRIGHT_WATCHDOG=20,abort %mpirun 7 %t >%t.out 2>&1
// RUN: %FileCheck %s <%t.out
// RUN: env SENDWRIGHT_ADAPT=%t.json SENDWRIGHT_WATCHDOG=20,abort %mpirun 7 %t >%t.out 2>&1
// RUN: %FileCheck --check-prefix=MACHINE %s <%t.out
// RUN: test ! -e %t.prof
// RUN: env SENDWRIGHT_ADAPT=%S/../../inputs/latency-bound.json SENDWRIGHT_WATCHDOG=20,abort \
// RUN:   %mpirun 7 %t quietly >%t.out 2>&1
// RUN: %FileCheck --check-prefix=QUIET %s <%t.out
// CHECK: sendwright: SENDWRIGHT_ADAPT is set: no profile is recorded
// CHECK: program.c:[[STABLE:[0-9]+]]: messages are shared from execution {{[6-9]|[1-3][0-9]}} on:
// CHECK-SAME: (predicted
// CHECK: stable
// CHECK: program.c:[[STABLE]]: messages are sent directly again: rank {{[0-9]}} sent other messages than before
// CHECK: program.c:[[STABLE]]: messages are shared from execution {{[4-9][0-9]}} on:
// CHECK: changed
// CHECK: program.c:[[LATE:[0-9]+]]: messages are shared from execution
// CHECK: program.c:[[LATE]]: messages are sent directly again: messages waited too long at rank {{[0-9]}} to be combined
// CHECK: late
// CHECK: program.c:[[FREED:[0-9]+]]: messages are shared from execution
// CHECK: freed
// CHECK: jumped
// CHECK: program.c:[[LARGE:[0-9]+]]: messages are shared from execution
// CHECK: large
// CHECK: done
// QUIET-NOT: no way through other ranks
// QUIET-NOT: messages go directly to MPI again
// QUIET: done
// MACHINE: sendwright: {{.*}}.json: {{.*}}: no messages are shared
// MACHINE: done

#include "../../inputs/planned-loop.h"

#include <setjmp.h>
#include <stdio.h>

PLANNED_LOOP(stable_loop, 1, 0)
PLANNED_LOOP(late_loop, 2, 0)
PLANNED_LOOP(freed_loop, 3, 0)
PLANNED_LOOP(jumping_loop, 4, 0)
PLANNED_LOOP(last_loop, 5, 0)
PLANNED_LOOP(large_loop, 6, 0)

enum { most = 16 };

static int value_of(int round, int from, int to) { return (round * 100 + from) * 100 + to; }

/* Every rank sends a message of varying size to all ranks up to a certain distance. */
static int incoming[most][most];
static MPI_Request requests[2 * most];
static int request_count;

static void post(MPI_Comm communicator, int distance) {
  int rank, size;
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &size);
  request_count = 0;
  for (int step = 1; step <= distance; ++step)
    MPI_Irecv(incoming[step], most, MPI_INT, (rank + size - step) % size, 5, communicator,
              &requests[request_count++]);
}

static void send_one(MPI_Comm communicator, int round, int step) {
  static int outgoing[most][most];
  int rank, size;
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &size);
  outgoing[step][0] = value_of(round, rank, (rank + step) % size);
  requests[request_count] = MPI_REQUEST_NULL;
  if (step == 3)
    MPI_Send(outgoing[step], 1 + (round + step) % most, MPI_INT, (rank + step) % size, 5,
             communicator);
  else
    MPI_Isend(outgoing[step], 1 + (round + step) % most, MPI_INT, (rank + step) % size, 5,
              communicator, &requests[request_count]);
  ++request_count;
}

static void finish(MPI_Comm communicator, int distance, int round) {
  int rank, size, count;
  MPI_Status statuses[2 * most];
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &size);
  MPI_Waitall(request_count, requests, statuses);
  for (int step = 1; step <= distance; ++step) {
    MPI_Get_count(&statuses[step - 1], MPI_INT, &count);
    EXPECT(count == 1 + (round + step) % most);
    EXPECT(incoming[step][0] == value_of(round, (rank + size - step) % size, rank));
  }
}

#define EXCHANGE(LOOP, COMMUNICATOR, DISTANCE, ROUND)                                              \
  do {                                                                                             \
    post(COMMUNICATOR, DISTANCE);                                                                  \
    {                                                                                              \
      sendwright_batch(LOOP);                                                                      \
      for (int step = 1; step <= (DISTANCE); ++step)                                               \
        send_one(COMMUNICATOR, ROUND, step);                                                       \
    }                                                                                              \
    finish(COMMUNICATOR, DISTANCE, ROUND);                                                         \
  } while (0)

static void say(const char *text) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (my_rank() == 0)
    fprintf(stderr, "%s\n", text);
}

/* Rank 6 sends the same outside of the loop, while the others wait for it in the loop in vain. */
static void stay_away(void) {
  int away = my_rank() == 6;
  for (int round = 0; round < 12; ++round)
    EXCHANGE(late_loop, MPI_COMM_WORLD, 6, round);
  for (int round = 0; round < 30; ++round) {
    if (!away) {
      EXCHANGE(late_loop, MPI_COMM_WORLD, 6, round);
      continue;
    }
    post(MPI_COMM_WORLD, 6);
    for (int step = 1; step <= 6; ++step)
      send_one(MPI_COMM_WORLD, round, step);
    finish(MPI_COMM_WORLD, 6, round);
  }
}

/* Communicators freed while they share: duplicates, and parts with six ranks and one rank. */
static void free_communicators(void) {
  for (int turn = 0; turn < 4; ++turn) {
    MPI_Comm other;
    if (turn % 2)
      MPI_Comm_split(MPI_COMM_WORLD, my_rank() == 3, -my_rank(), &other);
    else
      MPI_Comm_dup(MPI_COMM_WORLD, &other);
    int size;
    MPI_Comm_size(other, &size);
    for (int round = 0; round < 9; ++round) {
      EXCHANGE(freed_loop, other, size - 1, round);
      EXCHANGE(freed_loop, MPI_COMM_WORLD, 6, round);
    }
    MPI_Comm_free(&other);
  }
}

static jmp_buf back;

static void send_and_jump(int round, int jumps) {
  sendwright_batch(jumping_loop);
  for (int step = 1; step <= 6; ++step)
    send_one(MPI_COMM_WORLD, round, step);
  if (jumps)
    longjmp(back, 1);
}

static void jump(void) {
  for (volatile int round = 0; round < 30; ++round) {
    post(MPI_COMM_WORLD, 6);
    if (setjmp(back) == 0)
      send_and_jump(round, round > 8 && round % 4 == my_rank() % 4);
    finish(MPI_COMM_WORLD, 6, round);
  }
}

/* Blocking sends of messages that are not copied when they are sent directly. */
static void send_large(int round) {
  enum { large = 6000 };
  static int in[most][large], out[large];
  int rank = my_rank(), size = rank_count();
  for (int step = 1; step < size; ++step)
    MPI_Irecv(in[step], large, MPI_INT, (rank + size - step) % size, 5, MPI_COMM_WORLD,
              &requests[step]);
  {
    sendwright_batch(large_loop);
    for (int step = 1; step < size; ++step) {
      out[large - 1] = value_of(round, rank, (rank + step) % size);
      MPI_Send(out, large, MPI_INT, (rank + step) % size, 5, MPI_COMM_WORLD);
    }
  }
  MPI_Waitall(size - 1, &requests[1], MPI_STATUSES_IGNORE);
  for (int step = 1; step < size; ++step)
    EXPECT(in[step][large - 1] == value_of(round, (rank + size - step) % size, rank));
}

/* Two messages from each rank, too few to be worth sharing. */
static void stay_quiet(void) {
  for (int round = 0; round < 160; ++round) {
    EXCHANGE(stable_loop, MPI_COMM_WORLD, 2, round);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  EXPECT(rank_count() == 7);
  if (argc > 1) {
    stay_quiet();
    if (my_rank() == 0)
      printf("done\n");
    MPI_Finalize();
    return 0;
  }
  for (int round = 0; round < 40; ++round)
    EXCHANGE(stable_loop, MPI_COMM_WORLD, 6, round);
  say("stable");
  for (int round = 0; round < 40; ++round)
    EXCHANGE(stable_loop, MPI_COMM_WORLD, 5, round);
  say("changed");
  stay_away();
  say("late");
  free_communicators();
  say("freed");
  jump();
  say("jumped");
  for (int round = 0; round < 12; ++round)
    send_large(round);
  say("large");
  for (int round = 0; round < 5; ++round)
    EXCHANGE(last_loop, MPI_COMM_WORLD, 6, round);
  if (my_rank() == 0)
    printf("done\n");
  MPI_Finalize();
}
