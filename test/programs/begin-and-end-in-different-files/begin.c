#include "handle.h"

void handle_begin(struct handle *handle, const long *values) {
  for (struct message *m = handle->receives; m; m = m->next)
    MPI_Irecv(m->data, m->count, MPI_LONG, m->rank, handle->tag, handle->communicator, &m->request);
  for (struct message *m = handle->sends; m; m = m->next) { // -> reordered
    for (int i = 0; i < m->count; ++i)
      m->data[i] = values[i] * (m->rank + 1);
    MPI_Isend(m->data, m->count, MPI_LONG, m->rank, handle->tag, handle->communicator, &m->request);
  }
  handle->begun = 1;
}
