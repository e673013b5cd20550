#define COUNTING_IMPLEMENTATION
#include "counting.h"

struct counts counts;

int counting_isend(const void *data, int count, MPI_Datatype type, int to, int tag,
                   MPI_Comm communicator, MPI_Request *request) {
  counts.messages++;
  counts.elements += count;
  return MPI_Isend(data, count, type, to, tag, communicator, request);
}

int counting_waitall(int count, MPI_Request *requests, MPI_Status *statuses) {
  counts.waits += count;
  return MPI_Waitall(count, requests, statuses);
}
