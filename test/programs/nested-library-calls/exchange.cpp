#include "package.hpp"

void exchange(const Plan &plan, const Vector &x, Vector &ghosts, MPI_Comm communicator) {
  const std::size_t count = plan.ranks.size();
  std::vector<MPI_Request> requests(2 * count);
  ghosts.resize(count);
  for (std::size_t i = 0; i < count; ++i)
    MPI_Irecv(&ghosts[i], 1, MPI_DOUBLE, plan.ranks[i], 0, communicator, &requests[i]);
  for (std::size_t i = 0; i < count; ++i) // -> reordered
    MPI_Isend(&x[plan.index[i]], 1, MPI_DOUBLE, plan.ranks[i], 0, communicator,
              &requests[count + i]);
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}
