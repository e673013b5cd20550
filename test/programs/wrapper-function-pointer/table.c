#include <mpi.h>

int send_row_opaquely(const double *row, int to);
void send_rows(const double *values, int ranks, int rank, int kind);

static int send_row(const double *row, int to) {
  return MPI_Send(row, 3, MPI_DOUBLE, to, 5, MPI_COMM_WORLD);
}

static int send_row_ready_to_go(const double *row, int to) {
  double copy[3];
  int i;
  for (i = 0; i < 3; i++)
    copy[i] = row[i];
  return send_row(copy, to);
}

static int (*const row_senders[])(const double *, int) = {send_row, send_row_ready_to_go,
                                                          send_row_opaquely};

/* The last kind is MPI's own function. */
void send_rows(const double *values, int ranks, int rank, int kind) {
  int (*direct)(const void *, int, MPI_Datatype, int, int, MPI_Comm) = MPI_Send;
  int step = 0;
  int to = rank;
  while (++step < ranks) { // -> reordered
    to = (to + 1) % ranks;
    if (kind == 3)
      direct(values + step, 3, MPI_DOUBLE, to, 5, MPI_COMM_WORLD);
    else
      (*row_senders[kind])(values + step, to);
  }
}
