#ifndef HALO_H
#define HALO_H
#include <mpi.h>

enum { max_neighbours = 8 };

/* Which entries of a distributed vector other ranks need, and which of theirs are needed here. */
struct halo {
  int count;
  int rank[max_neighbours];
  int send_offset[max_neighbours + 1], receive_offset[max_neighbours + 1];
  int *send_index;
  double *send_buffer, *ghosts;
  MPI_Request request[2 * max_neighbours];
};

struct problem {
  int rows, first_row, total;
  struct halo halo;
};

void problem_create(struct problem *problem, MPI_Comm communicator);
void problem_apply(struct problem *problem, MPI_Comm communicator, const double *x, double *y);
void problem_destroy(struct problem *problem);
void halo_exchange(struct halo *halo, MPI_Comm communicator, const double *x);
#endif
