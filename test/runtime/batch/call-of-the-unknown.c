// A pointer in a loop leads to an unknown function, which waits for something outside MPI: what is
// held leaves before the call, the rest of the scope runs as written, and rank 0 says so once.
// Scopes around, inside and after the loop are not affected, nor is another thread.
// Fails when the messages stay: rank 1 never creates the file.
//
// RUN: printf 'ranks 3\nsite 1\norder * 2 1\nsite 2\norder * 2 1\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -pthread -o %t %runtime
// RUN: rm -f %t.file && env TEST_PLAN=%t.plan TEST_FILE=%t.file %mpirun 3 %t 2>&1 | %FileCheck %s
// CHECK: {{^}}sendwright: the loop program.c:[[#]] runs as written from a call on: nothing is known about {{.*}}, which it calls through a pointer; compile it with the plugin and this plan{{$}}
// CHECK-NOT: {{.}}

#include "../inputs/planned-loop.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

PLANNED_LOOP(loop, 1, 0)
PLANNED_LOOP(another, 2, 0)

static int message(int peer) {
  return MPI_Send(&peer, 1, MPI_INT, peer, 0, MPI_COMM_WORLD);
}

static int wait_for_file(int result) {
  while (access(getenv("TEST_FILE"), F_OK) != 0)
    usleep(1000);
  return result;
}

static int send_inside(int result) {
  {
    sendwright_batch(another);
    message(1);
    message(2);
  }
  return result;
}

static void *call_elsewhere(void *unused) {
  int (*volatile pointer)(int) = wait_for_file;
  sendwright_checked(pointer)(0);
  return unused;
}

static void send_all(void) {
  int (*volatile pointer)(int) = wait_for_file;
  sendwright_batch(loop);
  message(1);
  message(2);
  EXPECT(sendwright_checked(*pointer)(7) == 7);
  expect_log("isend 2 isend 1 ");
  message(1);
  message(2);
  expect_log("isend 2 isend 1 send 1 send 2 ");
  pointer = send_inside;
  sendwright_checked(pointer)(0);
  expect_log("isend 2 isend 1 send 1 send 2 isend 2 isend 1 ");
  message(1);
  expect_log("isend 2 isend 1 send 1 send 2 isend 2 isend 1 send 1 ");
}

static void send_with_another_thread(void) {
  pthread_t thread;
  sendwright_batch(another);
  message(1);
  message(2);
  pthread_create(&thread, NULL, call_elsewhere, NULL);
  pthread_join(thread, NULL);
  expect_log("");
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int value;
  if (my_rank() == 0) {
    send_all();
    clear_log();
    send_with_another_thread();
    expect_log("isend 2 isend 1 ");
  } else {
    for (int k = my_rank() - 1; k < 5; ++k) {
      MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (my_rank() == 1 && k == 0)
        fclose(fopen(getenv("TEST_FILE"), "w"));
    }
  }
  MPI_Finalize();
}
