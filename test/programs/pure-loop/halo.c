#include "halo.h"

void halo_exchange(struct halo *halo, MPI_Comm communicator, const double *x) {
  const int *out = halo->send_offset, *in = halo->receive_offset;
  for (int k = 0; k < out[halo->count]; ++k)
    halo->send_buffer[k] = x[halo->send_index[k]];
  for (int i = 0; i < halo->count; ++i)
    MPI_Irecv(&halo->ghosts[in[i]], in[i + 1] - in[i], MPI_DOUBLE, halo->rank[i], 7, communicator,
              &halo->request[i]);
  for (int i = 0; i < halo->count; ++i) // -> reordered
    MPI_Isend(&halo->send_buffer[out[i]], out[i + 1] - out[i], MPI_DOUBLE, halo->rank[i], 7,
              communicator, &halo->request[halo->count + i]);
  MPI_Waitall(2 * halo->count, halo->request, MPI_STATUSES_IGNORE);
}
