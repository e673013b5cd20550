/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Rank 0 sends 64 messages of 8 bytes to the last rank (itself, where it is alone) and waits for
 * them, again and again: as written and in a batch, in turn, so that other work on the machine
 * affects both. Prints medians of nanoseconds of processor time per send. */

#include "../../runtime/inputs/planned-loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

PLANNED_LOOP(copied, 1, 0)
PLANNED_LOOP(stable, 1, SENDWRIGHT_SITE_STABLE_BUFFERS)
PLANNED_LOOP(unplanned, 2, 0)

enum { messages = 64, executions = 200, rounds = 41, variants = 7 };

static double values[messages], received[messages];
static MPI_Request sends[messages], receives[messages];
static int receiver;

static double processor_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

static void isends(void) {
  for (int message = 0; message < messages; ++message)
    MPI_Isend(&values[message], 1, MPI_DOUBLE, receiver, 0, MPI_COMM_WORLD, &sends[message]);
}

/* Does only what a batch must ask of MPI. */
static void persistent_by_hand(void) {
  for (int message = 0; message < messages; ++message)
    MPI_Send_init(&values[message], 1, MPI_DOUBLE, receiver, 0, MPI_COMM_WORLD, &sends[message]);
  for (int message = 0; message < messages; ++message)
    MPI_Start(&sends[message]);
  MPI_Waitall(messages, sends, MPI_STATUSES_IGNORE);
  for (int message = 0; message < messages; ++message)
    MPI_Request_free(&sends[message]);
}

static void blocking_sends(void) {
  for (int message = 0; message < messages; ++message)
    MPI_Send(&values[message], 1, MPI_DOUBLE, receiver, 0, MPI_COMM_WORLD);
}

static void run(int variant) {
  switch (variant) {
  case 0:
    isends();
    break;
  case 1: {
    sendwright_batch(copied);
    isends();
  } break;
  case 2: {
    sendwright_batch(unplanned);
    isends();
  } break;
  case 3:
    persistent_by_hand();
    break;
  case 4:
    blocking_sends();
    break;
  case 5: {
    sendwright_batch(copied);
    blocking_sends();
  } break;
  case 6: {
    sendwright_batch(stable);
    blocking_sends();
  } break;
  }
  if (variant < 3)
    MPI_Waitall(messages, sends, MPI_STATUSES_IGNORE);
}

static double per_send(int variant) {
  double seconds = 0;
  for (int execution = 0; execution < executions; ++execution) {
    if (my_rank() == receiver)
      for (int message = 0; message < messages; ++message)
        MPI_Irecv(&received[message], 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &receives[message]);
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = processor_seconds();
    if (my_rank() == 0)
      run(variant);
    seconds += processor_seconds() - begin;
    if (my_rank() == receiver)
      MPI_Waitall(messages, receives, MPI_STATUSES_IGNORE);
  }
  return seconds / executions / messages * 1e9;
}

static int compare(const void *a, const void *b) {
  double difference = *(const double *)a - *(const double *)b;
  return (difference > 0) - (difference < 0);
}

int main(int argc, char **argv) {
  static const char *const names[variants] = {"Isend, as written",
                                              "Isend, in a batch",
                                              "Isend, in a scope without plan",
                                              "Send_init, Start and free by hand",
                                              "Send, as written",
                                              "Send, in a batch, copied",
                                              "Send, in a batch, not copied"};
  static double times[variants][rounds];
  MPI_Init(&argc, &argv);
  receiver = rank_count() - 1;
  for (int round = 0; round < rounds; ++round)
    for (int variant = 0; variant < variants; ++variant)
      times[variant][round] = per_send(variant);
  for (int variant = 0; my_rank() == 0 && variant < variants; ++variant) {
    qsort(times[variant], rounds, sizeof(double), compare);
    double written = times[variant / 4 * 4][rounds / 2], median = times[variant][rounds / 2];
    printf("%-34s %7.1f ns  %+7.1f ns  x %.2f\n", names[variant], median, median - written,
           median / written);
  }
  MPI_Finalize();
}
