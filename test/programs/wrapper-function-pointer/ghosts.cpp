#include "result.h"
#include "transport.hpp"

#include <vector>

struct Ghosts {
  std::vector<int> others;
  std::vector<double> values;

  void sendBy(const Operations &operations, MPI_Request *requests) const {
    for (std::size_t i = 0; i < others.size(); ++i) // -> reordered
      operations.send(&values[i], static_cast<int>(3 + i), others[i], &requests[i]);
  }
  void sendBy(const Transport &transport) const {
    for (int other : others) // -> reordered
      transport.send(&values[other], 2, other);
  }
  void sendBy(const Direct &direct) const {
    for (auto other = others.rbegin(); other != others.rend(); ++other) // -> reordered
      direct.send(&values[*other], 4, *other);
  }
  void receive(int tag) {
    for (int other : others) {
      double in[16];
      int count = 0;
      MPI_Status status;
      MPI_Recv(in, 16, MPI_DOUBLE, other, tag, MPI_COMM_WORLD, &status);
      MPI_Get_count(&status, MPI_DOUBLE, &count);
      for (int i = 0; i < count; ++i)
        values[values.size() - 1 - i] = 0.75 * values[values.size() - 1 - i] + in[i] / (4 + other);
    }
  }
};

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Ghosts ghosts;
  for (int other = 0; other < ranks; ++other)
    if (other != rank)
      ghosts.others.push_back(other);
  for (int i = 0; i < 20; ++i)
    ghosts.values.push_back(rank + i / 16.0);
  std::vector<MPI_Request> requests(ranks, MPI_REQUEST_NULL);
  for (const char *name : {"now", "later", "opaque", "patient", "later"}) {
    const Operations *operations = operationsNamed(name);
    ghosts.sendBy(*operations, requests.data());
    Ghosts received = ghosts;
    received.receive(1);
    operations->finish(ranks, requests.data());
    ghosts.values = received.values;
  }
  Ghosts rows = ghosts;
  for (int kind = 0; kind < 4; ++kind) {
    send_rows(rows.values.data(), ranks, rank, kind);
    rows.receive(5);
  }
  print_result(MPI_COMM_WORLD, "rows", rows.values.data(), rows.values.size() * sizeof(double));
  const Direct direct(2);
  for (const Transport *transport : {static_cast<const Transport *>(&direct),
                                     transportNamed("patient"), transportNamed("opaque")}) {
    ghosts.sendBy(*transport);
    ghosts.receive(2);
  }
  ghosts.sendBy(direct);
  ghosts.receive(2);
  print_result(MPI_COMM_WORLD, "values", ghosts.values.data(),
               ghosts.values.size() * sizeof(double));
  return MPI_Finalize();
}
