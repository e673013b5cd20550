// What is aligned with an array moves in the array's messages: with three arrays aligned, of other types and with
// shadows, each rank sends as many messages as with none.
//
// RUN: %mpicc -std=gnu99 -O1 -I%source_root/runtime/include %s -o %t %runtime -ldl
// RUN: %mpirun 4 %t | %FileCheck %s
// RUN: %mpirun 5 %t | %FileCheck %s
// CHECK: alone: [[MESSAGES:[1-9][0-9]*]] messages
// CHECK-NEXT: aligned: [[MESSAGES]] messages, more bytes, 0 wrong
// CHECK-NEXT: template: [[MESSAGES]] messages, 0 wrong

#include <sendwright/redistribution.h>

#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { extent = 100, row = 3, dataTag = 1 };

static long messages, bytes;
static int rank, ranks;

/* The runtime's own messages with elements; votes have other tags. */
int PMPI_Isend(const void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm communicator,
               MPI_Request *request) {
  static int (*next)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
  if (!next)
    *(void **)&next = dlsym(RTLD_NEXT, "PMPI_Isend");
  if (tag == dataTag) {
    int size;
    MPI_Type_size(type, &size);
    messages++;
    bytes += (long)count * size;
  }
  return next(buffer, count, type, peer, tag, communicator, request);
}

static struct sendwright_site site = {"aligned-messages.c", "main", 1, 0, 0, 0, 0};

static struct sendwright_distribution format(unsigned kind, long long length) {
  struct sendwright_distribution d;
  memset(&d, 0, sizeof d);
  d.dimensions = 1;
  d.dimension[0].kind = kind;
  d.dimension[0].parameter = length;
  d.extents[0] = extent;
  return d;
}

static int begin(int processor, int length) {
  return processor * length < extent ? processor * length : extent;
}

static int *A;
static double *B;
static char (*C)[row];
static short D[extent];

/* Fills the blocks, or counts the wrong elements of the block from `from` to `to`. C has a cell above. */
static long visit(int from, int to, int fill) {
  long wrong = 0;
  for (int i = from; i < to; i++) {
    if (fill)
      A[i - from] = i, B[i - from] = 2 * i, D[i] = (short)(3 * i);
    wrong += A[i - from] != i || B[i - from] != 2 * i || D[i] != 3 * i;
    for (int j = 0; j < row; j++) {
      if (fill)
        C[i - from + 1][j] = (char)(i + j);
      wrong += C[i - from + 1][j] != (char)(i + j);
    }
  }
  return wrong;
}

static long total(long own) {
  long all;
  MPI_Allreduce(&own, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

static struct sendwright_array a = {"A", &A, sizeof(int), 0, 0, 0}, b = {"B", &B, sizeof(double), 0, 0, 0},
                               c = {"C", &C, 1, 0, 0, 0}, d = {"D", D, sizeof(short), 0, 0, 1},
                               t = {"T", 0, 0, 0, 0, 2};

/* Sends of all ranks when `root` goes from one distribution to the other; the aligned arrays follow. */
static long move(struct sendwright_array *root, const struct sendwright_distribution *to) {
  struct sendwright_array *const arrays[] = {root};
  messages = bytes = 0;
  sendwright_redistribute(&site, 0, 0, 1, arrays, to);
  return total(messages);
}

static void align(struct sendwright_array *root) {
  static const long long above[] = {1, 0, 0, 0};
  struct sendwright_distribution like = format(SENDWRIGHT_ALIGNED, 0);
  if (root != &a)
    sendwright_align(&site, &a, root, &like);
  sendwright_align(&site, &b, root, &like);
  sendwright_align(&site, &d, &b, &like);
  like.dimensions = 2;
  like.extents[1] = row;
  sendwright_align(&site, &c, root, &like);
  sendwright_shadow(&site, &c, 2, above);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const struct sendwright_processors P = {"P", 0, 1, {ranks}, 0, 0, 0};
  const int even = (extent + ranks - 1) / ranks, large = even + 7;
  const struct sendwright_distribution from = format(SENDWRIGHT_BLOCK, even), to = format(SENDWRIGHT_BLOCK, large);
  int first = begin(rank, even), last = begin(rank + 1, even);
  A = malloc(sizeof *A * (size_t)(last - first));
  sendwright_distribute(&site, &a, &P, &from);
  const long alone = move(&a, &to);
  const long bytesAlone = total(bytes);
  if (rank == 0)
    printf("alone: %ld messages\n", alone);
  move(&a, &from);
  B = malloc(sizeof *B * (size_t)(last - first));
  C = malloc(sizeof *C * (size_t)(last - first + 1));
  visit(first, last, 1);
  align(&a);
  const long aligned = move(&a, &to);
  const int more = total(bytes) == bytesAlone / (long)sizeof(int) * (long)(sizeof(int) + sizeof(double) + row + 2);
  long wrong = total(visit(begin(rank, large), begin(rank + 1, large), 0));
  if (rank == 0)
    printf("aligned: %ld messages, %s bytes, %ld wrong\n", aligned, more ? "more" : "unexpected", wrong);
  sendwright_distribute(&site, &t, &P, &to);
  align(&t);
  const long withTemplate = move(&t, &from);
  wrong = total(visit(first, last, 0));
  if (rank == 0)
    printf("template: %ld messages, %ld wrong\n", withTemplate, wrong);
  sendwright_forget(&t);
  sendwright_forget(&a), sendwright_forget(&b), sendwright_forget(&c), sendwright_forget(&d);
  free(A), free(B), free(C);
  MPI_Finalize();
}
