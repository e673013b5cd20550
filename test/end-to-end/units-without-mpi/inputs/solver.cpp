#include "transport.h"

// Sends, but does not include mpi.h.
double relax(int rank, int size, double value) {
  double sum = value;
  for (int to = 0; to < size; ++to)
    if (to != rank)
      send_value(value, to);
  for (int from = 0; from < size; ++from)
    if (from != rank)
      sum += receive_value(from);
  return sum / size;
}
