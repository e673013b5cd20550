#include "redistribute.h"

#include <stdlib.h>

int owner(const struct distribution *d, int i) {
  const int block = d->block ? d->block : (d->n + d->ranks - 1) / d->ranks;
  return i / block % d->ranks;
}

int local_length(const struct distribution *d, int rank) {
  int length = 0;
  for (int i = 0; i < d->n; ++i)
    length += owner(d, i) == rank;
  return length;
}

void redistribute(const struct distribution *before, const double *from,
                  const struct distribution *after, double *to, MPI_Comm communicator) {
  const int ranks = before->ranks, n = before->n;
  int me, k = 0, *send_count = calloc(ranks, sizeof *send_count),
          *receive_count = calloc(ranks, sizeof(int));
  double **out = malloc(ranks * sizeof *out), **in = malloc(ranks * sizeof *in);
  MPI_Request *request = malloc(2 * ranks * sizeof *request);
  MPI_Comm_rank(communicator, &me);
  for (int p = 0; p < ranks; ++p) {
    out[p] = malloc(n * sizeof(double));
    in[p] = malloc(n * sizeof(double));
  }
  for (int i = 0, local = 0; i < n; ++i)
    if (owner(before, i) == me) {
      const int p = owner(after, i);
      out[p][send_count[p]++] = from[local++];
    }
  for (int i = 0; i < n; ++i)
    if (owner(after, i) == me)
      receive_count[owner(before, i)]++;

  for (int p = 0; p < ranks; ++p)
    if (p != me && receive_count[p])
      MPI_Irecv(in[p], receive_count[p], MPI_DOUBLE, p, 3, communicator, &request[k++]);
  for (int p = 0; p < ranks; ++p) // -> reordered
    if (p != me && send_count[p])
      MPI_Isend(out[p], send_count[p], MPI_DOUBLE, p, 3, communicator, &request[k++]);
  for (int j = 0; j < send_count[me]; ++j)
    in[me][j] = out[me][j];
  MPI_Waitall(k, request, MPI_STATUSES_IGNORE);

  for (int p = 0; p < ranks; ++p)
    receive_count[p] = 0;
  for (int i = 0, local = 0; i < n; ++i)
    if (owner(after, i) == me) {
      const int p = owner(before, i);
      to[local++] = in[p][receive_count[p]++];
    }
  for (int p = 0; p < ranks; ++p) {
    free(out[p]);
    free(in[p]);
  }
  free(out), free(in), free(request), free(send_count), free(receive_count);
}
