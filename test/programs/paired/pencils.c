#include "pencils.h"

void pencils_create(struct pencils *p, int n, MPI_Comm communicator) {
  MPI_Comm_dup(communicator, &p->communicator);
  MPI_Comm_size(p->communicator, &p->ranks);
  MPI_Comm_rank(p->communicator, &p->rank);
  p->n = n;
  p->rows = n / p->ranks;
  MPI_Type_vector(p->rows, p->rows, n, MPI_FLOAT, &p->block);
  MPI_Type_commit(&p->block);
  /* Column by column, so that what is received in the order of rows is transposed. */
  MPI_Datatype column;
  MPI_Type_vector(p->rows, 1, n, MPI_FLOAT, &column);
  MPI_Type_create_hvector(p->rows, 1, sizeof(float), column, &p->turned);
  MPI_Type_commit(&p->turned);
  MPI_Type_free(&column);
}

void pencils_turn(struct pencils *p, const float *from, float *to) {
  MPI_Request sends[32], receives[32];
  int posted = 0;
  for (int step = 0; step < p->ranks; ++step) { // -> reordered
    const int other = (p->rank + step) % p->ranks;
    MPI_Isend(from + other * p->rows, 1, p->block, other, 4, p->communicator, &sends[posted]);
    MPI_Irecv(to + other * p->rows, 1, p->turned, other, 4, p->communicator, &receives[posted]);
    posted++;
  }
  MPI_Waitall(posted, receives, MPI_STATUSES_IGNORE);
  MPI_Waitall(posted, sends, MPI_STATUSES_IGNORE);
}

void pencils_free(struct pencils *p) {
  MPI_Type_free(&p->block);
  MPI_Type_free(&p->turned);
  MPI_Comm_free(&p->communicator);
}
