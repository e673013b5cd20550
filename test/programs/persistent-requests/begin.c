#include "package.h"

void package_begin(struct package *package, const double *values) {
  for (int i = 0; i < package->send_start[package->sends]; ++i)
    package->send_data[i] = values[i];
  for (int i = 0; i < package->receives + package->sends; ++i) // -> reordered
    MPI_Start(&package->request[i]);
}
