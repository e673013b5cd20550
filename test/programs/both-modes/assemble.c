#include "result.h"

#include <stdlib.h>
#include <string.h>

enum { short_list = 8, columns = 512 };

struct entry {
  int column;
  float value;
};

/* What this rank has computed for columns of others goes to their owners. */
static int send_contributions(struct entry **lists, const int *lengths, const int *owners,
                              int count, MPI_Request *requests) {
  int pending = 0;
  for (int i = 0; i < count; ++i) { // -> reordered
    const int bytes = lengths[i] * (int)sizeof(struct entry);
    if (lengths[i] <= short_list) {
      struct entry small[short_list];
      memcpy(small, lists[i], bytes);
      MPI_Send(small, bytes, MPI_BYTE, owners[i], 6, MPI_COMM_WORLD);
    } else {
      MPI_Isend(lists[i], bytes, MPI_BYTE, owners[i], 6, MPI_COMM_WORLD, &requests[pending++]);
    }
  }
  return pending;
}

int main(int argc, char **argv) {
  static float sums[columns];
  int rank, ranks, owners[16], lengths[16], count = 0;
  struct entry *lists[16];
  MPI_Request requests[16], receives[16];
  MPI_Status statuses[16];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  struct entry *in = malloc(ranks * columns * sizeof *in);
  for (int p = 0; p < ranks; ++p)
    MPI_Irecv(in + p * columns, columns * (int)sizeof *in, MPI_BYTE, p == rank ? MPI_PROC_NULL : p,
              6, MPI_COMM_WORLD, &receives[p]);
  for (int shift = 1; shift < ranks; ++shift) {
    const int owner = (rank + 2 * shift) % ranks;
    if (owner == rank)
      continue;
    for (int other = 0; other < count; ++other)
      if (owners[other] == owner)
        goto next;
    owners[count] = owner;
    lengths[count] = 3 * shift + rank;
    lists[count] = malloc(lengths[count] * sizeof(struct entry));
    for (int k = 0; k < lengths[count]; ++k)
      lists[count][k] = (struct entry){(k * 37 + owner) % columns, rank + k / 16.0f};
    ++count;
  next:;
  }
  int told[16] = {0}, expected[16];
  for (int i = 0; i < count; ++i)
    told[owners[i]] = 1;
  MPI_Alltoall(told, 1, MPI_INT, expected, 1, MPI_INT, MPI_COMM_WORLD);
  const int pending = send_contributions(lists, lengths, owners, count, requests);
  for (int p = 0; p < ranks; ++p) {
    if (p == rank || !expected[p]) {
      if (p != rank)
        MPI_Cancel(&receives[p]);
      MPI_Wait(&receives[p], MPI_STATUS_IGNORE);
      continue;
    }
    int bytes;
    MPI_Wait(&receives[p], &statuses[p]);
    MPI_Get_count(&statuses[p], MPI_BYTE, &bytes);
    for (int k = 0; k < bytes / (int)sizeof *in; ++k)
      sums[in[p * columns + k].column] += in[p * columns + k].value;
  }
  MPI_Waitall(pending, requests, MPI_STATUSES_IGNORE);
  print_result(MPI_COMM_WORLD, "columns", sums, sizeof sums);
  for (int i = 0; i < count; ++i)
    free(lists[i]);
  free(in);
  return MPI_Finalize();
}
