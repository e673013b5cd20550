#ifndef SEND_TO_HPP
#define SEND_TO_HPP
#include <mpi.h>
template <class Value> void send_to(const int *to, int n, const Value *values) {
  for (int k = 0; k < n; ++k)
    MPI_Send(values, sizeof(Value) / sizeof(int), MPI_INT, to[k], 0, MPI_COMM_WORLD);
}
#endif
