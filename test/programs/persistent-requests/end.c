#include "package.h"

void package_end(struct package *package, double *ghosts) {
  MPI_Waitall(package->receives + package->sends, package->request, MPI_STATUSES_IGNORE);
  for (int i = 0; i < package->receive_start[package->receives]; ++i)
    ghosts[i] = package->receive_data[i];
}
