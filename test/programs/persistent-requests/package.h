#ifndef PACKAGE_H
#define PACKAGE_H
#include <mpi.h>

struct package {
  MPI_Comm communicator;
  int sends, receives;
  int send_rank[8], receive_rank[8];
  int send_start[9], receive_start[9];
  double *send_data, *receive_data;
  MPI_Request request[16]; /* receives, then sends */
};

void package_create(struct package *package, MPI_Comm communicator, int reach);
void package_begin(struct package *package, const double *values);
void package_end(struct package *package, double *ghosts);
void package_destroy(struct package *package);
#endif
