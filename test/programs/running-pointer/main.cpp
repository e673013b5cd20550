#include "mesh.hpp"
#include "result.h"

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Mesh mesh;
  mesh.localRows = 64;
  std::vector<int> neighbours, lengths, elements;
  for (int other = 0; other < ranks; ++other)
    if (other != rank && (rank + other) % 4 != 1) { // a symmetric pattern
      neighbours.push_back(other);
      lengths.push_back(1 + rank + other);
      for (int i = 0; i < lengths.back(); ++i)
        elements.push_back((7 * other + 5 * i) % mesh.localRows);
    }
  std::vector<double> buffer(elements.size());
  mesh.values.resize(mesh.localRows + elements.size());
  for (int i = 0; i < mesh.localRows; ++i)
    mesh.values[i] = rank + i / 64.0;
  mesh.neighbourCount = static_cast<int>(neighbours.size());
  mesh.neighbours = neighbours.data();
  mesh.sendLength = mesh.receiveLength = lengths.data();
  mesh.totalToBeSent = static_cast<int>(elements.size());
  mesh.elementsToSend = elements.data();
  mesh.sendBuffer = buffer.data();
  for (int step = 0; step < 10; ++step) {
    ExchangeHalo(mesh);
    for (std::size_t k = 0; k < elements.size(); ++k) {
      double &value = mesh.values[elements[k]];
      value = 0.75 * value + 0.25 * mesh.values[mesh.localRows + k];
    }
  }
  print_result(MPI_COMM_WORLD, "mesh", mesh.values.data(), mesh.localRows * sizeof(double));
  return MPI_Finalize();
}
