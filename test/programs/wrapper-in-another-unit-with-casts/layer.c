#include "layer.h"

#include <mpi.h>
#include <stdlib.h>

static MPI_Datatype datatype(enum layer_type type) {
  return type == layer_index ? MPI_INT64_T : MPI_FLOAT;
}

layer_handle layer_world(void) {
  static MPI_Comm world;
  world = MPI_COMM_WORLD;
  return &world;
}

index_type layer_rank(layer_handle communicator) {
  int rank;
  MPI_Comm_rank(*(MPI_Comm *)communicator, &rank);
  return rank;
}

index_type layer_ranks(layer_handle communicator) {
  int ranks;
  MPI_Comm_size(*(MPI_Comm *)communicator, &ranks);
  return ranks;
}

index_type layer_isend(const void *data, size_t count, enum layer_type type, index_type to,
                       index_type tag, layer_handle communicator, layer_handle *request) {
  MPI_Request *own = malloc(sizeof *own);
  *request = own;
  return (index_type)MPI_Isend((void *)(uintptr_t)data, (int)count, datatype(type), (int)to,
                               (int)tag, *(MPI_Comm *)communicator, own);
}

index_type layer_send(const void *data, size_t count, enum layer_type type, index_type to,
                      index_type tag, layer_handle communicator) {
  return (index_type)MPI_Send((void *)(uintptr_t)data, (int)count, datatype(type), (int)to,
                              (int)tag, *(MPI_Comm *)communicator);
}

index_type layer_recv(void *data, size_t room, enum layer_type type, index_type from,
                      index_type tag, layer_handle communicator) {
  MPI_Status status;
  int count;
  MPI_Recv(data, (int)room, datatype(type), (int)from, (int)tag, *(MPI_Comm *)communicator,
           &status);
  MPI_Get_count(&status, datatype(type), &count);
  return (index_type)count;
}

void layer_wait(index_type count, layer_handle *requests) {
  for (index_type i = 0; i < count; ++i) {
    MPI_Wait((MPI_Request *)requests[i], MPI_STATUS_IGNORE);
    free(requests[i]);
    requests[i] = NULL;
  }
}
