#ifndef WIRE_H
#define WIRE_H
#include <mpi.h>
#ifdef __cplusplus
extern "C" {
#endif
struct wire_list {
  int count, *rank, *length;
  const float **data;
};
int wire_post(const float *data, int length, int rank, MPI_Comm communicator, MPI_Request *request);
void wire_post_list(const struct wire_list *list, MPI_Comm communicator, MPI_Request *requests);
void wire_announce(const int *ranks, int count, const int *lengths, MPI_Comm communicator);
int wire_announced(int rank, MPI_Comm communicator);
#ifdef __cplusplus
}
#endif
#endif
