#include "checks.h"

#include <stdio.h>
#include <stdlib.h>

unsigned sum_of(const struct block *block) {
  unsigned sum = 0;
  for (int i = 0; i < block->length; ++i)
    sum = 31 * sum + block->values[i];
  return sum;
}

int send_blocks(const struct block *blocks, int count, MPI_Comm communicator) {
  for (int b = 0; b < count; ++b) { // -> reordered
    int error;
    if (sum_of(&blocks[b]) != blocks[b].sum) {
      fprintf(stderr, "block %d is broken\n", b);
      return broken;
    }
    error = MPI_Send(blocks[b].values, blocks[b].length, MPI_UNSIGNED, blocks[b].owner, 1,
                     communicator);
    if (error != MPI_SUCCESS)
      return failed;
  }
  return fine;
}

int send_sums(const struct block *blocks, int count, MPI_Comm communicator, int *sent) {
  int result = fine;
  unsigned *sums = malloc(count * sizeof *sums);
  MPI_Request *requests = malloc(count * sizeof *requests);
  for (*sent = 0; *sent < count; ++*sent) { // -> reordered
    sums[*sent] = sum_of(&blocks[*sent]);
    if (sums[*sent] != blocks[*sent].sum) {
      result = broken;
      goto done;
    }
    if (MPI_Isend(&sums[*sent], 1, MPI_UNSIGNED, blocks[*sent].owner, 2, communicator,
                  &requests[*sent])) {
      result = failed;
      goto done;
    }
  }
done:
  MPI_Waitall(*sent, requests, MPI_STATUSES_IGNORE);
  free(sums);
  free(requests);
  return result;
}
