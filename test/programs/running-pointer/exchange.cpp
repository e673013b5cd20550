#include "mesh.hpp"

#include <mpi.h>

void ExchangeHalo(Mesh &mesh) {
  const int tag = 99;
  int n_recv = 0;
  MPI_Request *request = new MPI_Request[mesh.neighbourCount];
  double *x_external = mesh.values.data() + mesh.localRows;
  for (int i = 0; i < mesh.neighbourCount; i++) {
    n_recv = mesh.receiveLength[i];
    MPI_Irecv(x_external, n_recv, MPI_DOUBLE, mesh.neighbours[i], tag, MPI_COMM_WORLD, request + i);
    x_external += n_recv;
  }
  double *sendBuffer = mesh.sendBuffer;
  for (int i = 0; i < mesh.totalToBeSent; i++)
    sendBuffer[i] = mesh.values[mesh.elementsToSend[i]];
  for (int i = 0; i < mesh.neighbourCount; i++) { // -> reordered
    int n_send = mesh.sendLength[i];
    MPI_Send(sendBuffer, n_send, MPI_DOUBLE, mesh.neighbours[i], tag, MPI_COMM_WORLD);
    sendBuffer += n_send;
  }
  for (int i = 0; i < mesh.neighbourCount; i++)
    MPI_Wait(request + i, MPI_STATUS_IGNORE);
  delete[] request;
}
