#ifndef COUNTING_H
#define COUNTING_H
#include <mpi.h>

struct counts {
  long messages, elements, waits;
};
extern struct counts counts;

int counting_isend(const void *data, int count, MPI_Datatype type, int to, int tag,
                   MPI_Comm communicator, MPI_Request *request);
int counting_waitall(int count, MPI_Request *requests, MPI_Status *statuses);

static inline int counting_send(const void *data, int count, MPI_Datatype type, int to, int tag,
                                MPI_Comm communicator) {
  counts.messages++;
  counts.elements += count;
  return MPI_Send(data, count, type, to, tag, communicator);
}

#ifndef COUNTING_IMPLEMENTATION
#define MPI_Isend counting_isend
#define MPI_Send(data, count, type, to, tag, communicator)                                         \
  counting_send((data), (count), (type), (to), (tag), (communicator))
#define MPI_Waitall counting_waitall
#endif
#endif
