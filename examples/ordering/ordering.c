/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Two communication phases with a little work between them, over and over, as in a sparse
 * matrix-vector multiplication whose matrix is distributed by nonzeros. Before the
 * multiplication the ranks send each other the entries of x they need, after it the partial sums
 * of y; how many messages a rank sends in each phase depends on the matrix.
 *
 * A rank computes only when all its messages of the first phase are there. So a rank that has
 * much to send in the second phase should get its messages of the first phase early, and the
 * order in which its neighbours happen to send decides how long all ranks wait at the barrier.
 *
 *     ordering PRE POST [BYTES [ITERATIONS]]
 *
 * PRE and POST are communication matrices, a line for each sender: `SENDER: DEST:COUNT DEST:COUNT`.
 * Messages hold COUNT items of BYTES bytes and leave in the order of the file. The checksum on
 * standard output depends on every byte received, not on the order or the time; with the variable
 * ORDERING_TIME set, the time of an iteration goes to standard error. */

#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct message {
  int peer;
  int bytes;
  unsigned char *data;
};

/* What one rank sends and receives in one phase. Receives are in the order of the senders. */
struct phase {
  int send_count, receive_count;
  struct message *sends, *receives;
  MPI_Request *requests;
};

static void fail(const char *what, const char *name) {
  fprintf(stderr, "ordering: %s: %s\n", name, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
  exit(1);
}

static void *allocate(size_t count, size_t size) {
  void *memory = calloc(count > 0 ? count : 1, size);
  if (memory == NULL)
    fail("out of memory", "calloc");
  return memory;
}

static void append(struct message **list, int *count, int peer, int bytes) {
  struct message added = {peer, bytes, allocate((size_t)bytes, 1)};
  *list = realloc(*list, ((size_t)*count + 1) * sizeof(added));
  if (*list == NULL)
    fail("out of memory", "realloc");
  (*list)[(*count)++] = added;
}

/* Picks from one sender's line the messages that `me` sends or receives. */
static void read_line(struct phase *phase, char *line, const char *name, int item_bytes) {
  int me, ranks, read;
  long sender, destination, count;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (sscanf(line, "%ld :%n", &sender, &read) != 1 || sender < 0 || sender >= ranks)
    fail("a line does not start with the number of a rank of this run", name);
  for (line += read; sscanf(line, "%ld:%ld%n", &destination, &count, &read) == 2; line += read) {
    if (destination < 0 || destination >= ranks || count < 0 || count > (1 << 30) / item_bytes)
      fail("a message names a rank that this run does not have, or is too large", name);
    if (sender == me)
      append(&phase->sends, &phase->send_count, (int)destination, (int)count * item_bytes);
    if (destination == me)
      append(&phase->receives, &phase->receive_count, (int)sender, (int)count * item_bytes);
  }
}

static struct phase read_phase(const char *name, int item_bytes) {
  struct phase phase = {0, 0, NULL, NULL, NULL};
  static char line[1 << 16];
  FILE *file = fopen(name, "r");
  if (file == NULL)
    fail("cannot be read", name);
  while (fgets(line, sizeof(line), file) != NULL)
    if (line[strspn(line, " \t\r\n")] != '\0' && line[0] != '#')
      read_line(&phase, line, name, item_bytes);
  fclose(file);
  phase.requests = allocate((size_t)phase.receive_count, sizeof(MPI_Request));
  return phase;
}

/* One phase. The order of its loop of sends is what matters. */
static void communicate(struct phase *phase, int tag) {
  int i;
  for (i = 0; i < phase->receive_count; i++) {
    const struct message *m = &phase->receives[i];
    MPI_Irecv(m->data, m->bytes, MPI_BYTE, m->peer, tag, MPI_COMM_WORLD, &phase->requests[i]);
  }
  for (i = 0; i < phase->send_count; i++) {
    const struct message *m = &phase->sends[i];
    MPI_Send(m->data, m->bytes, MPI_BYTE, m->peer, tag, MPI_COMM_WORLD);
  }
  MPI_Waitall(phase->receive_count, phase->requests, MPI_STATUSES_IGNORE);
}

/* Mixes what `from` received into `state`, and fills what `to` will send with values computed
 * from it. Every byte sent depends on every byte received before. */
static void compute(const struct phase *from, struct phase *to, uint64_t *state) {
  int i, j;
  for (i = 0; i < from->receive_count; i++)
    for (j = 0; j < from->receives[i].bytes; j++)
      *state = (*state ^ from->receives[i].data[j]) * UINT64_C(0x100000001b3);
  for (i = 0; i < to->send_count; i++) {
    uint64_t value = *state + (uint64_t)to->sends[i].peer;
    for (j = 0; j < to->sends[i].bytes; j++) {
      value = value * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      to->sends[i].data[j] = (unsigned char)(value >> 56);
    }
  }
}

static void release(struct phase *phase) {
  int i;
  for (i = 0; i < phase->send_count; i++)
    free(phase->sends[i].data);
  for (i = 0; i < phase->receive_count; i++)
    free(phase->receives[i].data);
  free(phase->sends);
  free(phase->receives);
  free(phase->requests);
}

int main(int argc, char **argv) {
  int me, ranks, iteration;
  uint64_t state, sum = 0;
  double start, elapsed;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int bytes = argc > 3 ? atoi(argv[3]) : 8;
  int iterations = argc > 4 ? atoi(argv[4]) : 10;
  if (argc < 3 || bytes < 1 || iterations < 1)
    fail("usage: PRE POST [BYTES [ITERATIONS]]", argv[0]);
  struct phase pre = read_phase(argv[1], bytes);
  struct phase post = read_phase(argv[2], bytes);

  state = (uint64_t)me;
  compute(&post, &pre, &state);
  MPI_Barrier(MPI_COMM_WORLD);
  start = MPI_Wtime();
  for (iteration = 0; iteration < iterations; iteration++) {
    communicate(&pre, 0);
    compute(&pre, &post, &state);
    communicate(&post, 1);
    compute(&post, &pre, &state);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  elapsed = MPI_Wtime() - start;

  MPI_Reduce(&state, &sum, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  if (me == 0) {
    printf("%d ranks, %d iterations, items of %d bytes, checksum %016" PRIx64 "\n", ranks,
           iterations, bytes, sum);
    if (getenv("ORDERING_TIME") != NULL)
      fprintf(stderr, "%.9f seconds for an iteration\n", elapsed / iterations);
  }
  release(&pre);
  release(&post);
  MPI_Finalize();
  return 0;
}
