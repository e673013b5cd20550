#include "messages.h"

#include <vector>

namespace {

class Solver {
public:
  Solver(double *values, int count) : values(values), count(count) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int other = 0; other < ranks; ++other)
      if (other != rank)
        others.push_back(other);
  }

  void step() {
    std::vector<MPI_Request> requests(others.size());
    messages_post_all(others.data(), static_cast<int>(others.size()), values, requests.data());
    takeAll();
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    messages_post_packed(others.data(), static_cast<int>(others.size()), packThird, this);
    takeAll();
    for (std::size_t i = 0; i < others.size(); ++i) // -> reordered
      message_post(values + i, 2, others[i], &requests[i]);
    takeAll();
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    for (int i = 0; i < count; ++i)
      values[i] = 0.875 * values[i] + got / (16 + i);
    got = 0;
  }

private:
  static int packThird(void *object, int to, double *out) {
    const Solver &solver = *static_cast<Solver *>(object);
    int length = 0;
    for (int i = to % 3; i < solver.count && length < 8; i += 3)
      out[length++] = solver.values[i];
    return length;
  }
  void takeAll() {
    for (int other : others)
      got += message_take(other) / (1 + other);
  }

  double *values;
  int count, rank = 0, ranks = 0;
  std::vector<int> others;
  double got = 0;
};

} // namespace

extern "C" void solve(double *values, int count, int steps) {
  Solver solver(values, count);
  for (int step = 0; step < steps; ++step)
    solver.step();
}
