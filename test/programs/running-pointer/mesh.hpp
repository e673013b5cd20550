#ifndef MESH_HPP
#define MESH_HPP
#include <vector>

struct Mesh {
  int localRows = 0;
  std::vector<double> values; // own rows, then those of the neighbours
  int neighbourCount = 0;
  int *neighbours = nullptr;
  int *sendLength = nullptr, *receiveLength = nullptr;
  int totalToBeSent = 0;
  int *elementsToSend = nullptr;
  double *sendBuffer = nullptr;
};

void ExchangeHalo(Mesh &mesh);
#endif
