#ifndef HANDLE_H
#define HANDLE_H
#include <mpi.h>

struct message {
  int rank, count;
  long *data;
  MPI_Request request;
  struct message *next;
};

struct handle {
  MPI_Comm communicator;
  int tag, begun;
  struct message *sends, *receives;
};

struct handle *handle_create(MPI_Comm communicator, int tag);
void handle_add(struct handle *handle, int rank, int send_count, int receive_count);
void handle_begin(struct handle *handle, const long *values);
void handle_end(struct handle *handle, long *values);
void handle_free(struct handle *handle);
#endif
