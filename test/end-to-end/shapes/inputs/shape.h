/* What the programs here have around their send loop: every rank expects one message from every other
 * rank, with receives posted before the loop. At the end rank 0 prints what all received. */
#ifndef SHAPE_H
#define SHAPE_H
#include <mpi.h>
#include <stdio.h>

enum { ranks = 4, room = 8, others = ranks - 1 };

static int rank;
static int peers[others];         /* all other ranks, beginning with the next one */
static int lengths[ranks];        /* of the message to each rank */
static int outbox[ranks][room];   /* the message to each rank */
static int inbox[ranks][room];
static MPI_Request receives[ranks];
static MPI_Request sends[ranks];
static int send_count;

static void begin(int *argc, char ***argv) {
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int peer = 0; peer < ranks; ++peer) {
    lengths[peer] = 1 + (rank + peer) % 3;
    for (int k = 0; k < room; ++k)
      outbox[peer][k] = 1000 * rank + 10 * peer + k;
  }
  for (int k = 0; k < others; ++k)
    peers[k] = (rank + 1 + k) % ranks;
  for (int peer = 0; peer < ranks; ++peer)
    MPI_Irecv(inbox[peer], room, MPI_INT, peer == rank ? MPI_PROC_NULL : peer, 0, MPI_COMM_WORLD,
              &receives[peer]);
  MPI_Barrier(MPI_COMM_WORLD);
}

static int finish(void) {
  MPI_Status status[ranks];
  MPI_Waitall(ranks, receives, status);
  MPI_Waitall(send_count, sends, MPI_STATUSES_IGNORE);
  for (int k = 0; k < send_count; ++k)
    if (sends[k] != MPI_REQUEST_NULL)
      MPI_Abort(MPI_COMM_WORLD, 4);
  int got[ranks][room + 1], all[ranks][ranks][room + 1];
  for (int peer = 0; peer < ranks; ++peer) {
    int length = 0;
    if (peer != rank)
      MPI_Get_count(&status[peer], MPI_INT, &length);
    got[peer][0] = length;
    for (int k = 0; k < room; ++k)
      got[peer][k + 1] = inbox[peer][k];
  }
  MPI_Gather(got, ranks * (room + 1), MPI_INT, all, ranks * (room + 1), MPI_INT, 0, MPI_COMM_WORLD);
  for (int receiver = 0; rank == 0 && receiver < ranks; ++receiver)
    for (int peer = 0; peer < ranks; ++peer) {
      printf("%d from %d: %d:", receiver, peer, all[receiver][peer][0]);
      for (int k = 1; k <= room; ++k)
        printf(" %d", all[receiver][peer][k]);
      printf("\n");
    }
  MPI_Finalize();
  return 0;
}
#endif
