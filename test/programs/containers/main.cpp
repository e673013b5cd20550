#include "outbox.hpp"
#include "result.h"

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Outbox outbox(MPI_COMM_WORLD);
  std::set<int> others;
  for (int other = 0; other < ranks; ++other)
    if (other != rank) {
      others.insert(other);
      for (int k = 0; k <= (rank + other) % 3; ++k)
        outbox.add(other, rank + other / 10.0 + k / 100.0);
      outbox.notify(other, 10 * rank + other);
    }
  std::vector<MPI_Request> requests;
  outbox.post(requests);
  std::vector<double> got;
  for (int other : others) {
    double values[3];
    int subject, count;
    char last;
    MPI_Status status;
    MPI_Recv(values, 3, MPI_DOUBLE, other, 1, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    got.insert(got.end(), values, values + count);
    MPI_Recv(&subject, 1, MPI_INT, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    got.push_back(subject);
    if (other == *others.begin())
      outbox.close(others);
    MPI_Recv(&last, 1, MPI_CHAR, other, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    got.push_back(last);
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  print_result(MPI_COMM_WORLD, "got", got.data(), got.size() * sizeof(double));
  return MPI_Finalize();
}
