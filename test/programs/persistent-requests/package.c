#include "package.h"

#include <stdlib.h>

/* Sends to the next `reach` ranks and receives from as many, i + 1 values at distance i. */
void package_create(struct package *package, MPI_Comm communicator, int reach) {
  int rank, ranks;
  MPI_Comm own;
  MPI_Comm_dup(communicator, &own);
  package->communicator = own;
  MPI_Comm_rank(own, &rank);
  MPI_Comm_size(own, &ranks);
  package->sends = package->receives = reach;
  package->send_start[0] = package->receive_start[0] = 0;
  for (int i = 0; i < reach; ++i) {
    package->send_rank[i] = (rank + i + 1) % ranks;
    package->receive_rank[i] = (rank + ranks - i - 1) % ranks;
    package->send_start[i + 1] = package->receive_start[i + 1] = package->send_start[i] + i + 1;
  }
  package->send_data = malloc(package->send_start[reach] * sizeof(double));
  package->receive_data = malloc(package->receive_start[reach] * sizeof(double));
  MPI_Request *next = package->request;
  for (int i = 0; i < package->receives; ++i)
    MPI_Recv_init(package->receive_data + package->receive_start[i], i + 1, MPI_DOUBLE,
                  package->receive_rank[i], 8, own, next++);
  for (int i = 0; i < package->sends; ++i)
    MPI_Send_init(package->send_data + package->send_start[i], i + 1, MPI_DOUBLE,
                  package->send_rank[i], 8, own, next++);
}

void package_destroy(struct package *package) {
  for (int i = 0; i < package->sends + package->receives; ++i)
    MPI_Request_free(&package->request[i]);
  MPI_Comm_free(&package->communicator);
  free(package->send_data);
  free(package->receive_data);
}
