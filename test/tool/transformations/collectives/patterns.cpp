// Collective operations in C++: containers, members, numbers of other types. Templates are in
// collectives-templates.cpp. No warnings in any standard.
//
// RUN: %plan_for %t.plan replace %cxx -std=c++17 %s
// RUN: %sendwright rewrite %s --plan %t.plan --diff --remarks none -- %mock -std=c++17 > %t.diff
// RUN: sed -n 's/^+.*(!\(.*\)) {$/\1/p; s/^+.*\(else.*\) }$/\1/p' %t.diff | %FileCheck %s --match-full-lines --implicit-check-not=sendwright
// RUN: W="-Wall -Wextra -Wpedantic -Wshadow -Wold-style-cast -Wzero-as-null-pointer-constant -Werror"; \
// RUN: for standard in c++11 c++2b; do \
// RUN:   %cxx -std=$standard $W %use=%t.plan %argument-remarks=none -c %s -o %t.o && llvm-nm-19 -u %t.o | grep -q sendwright_collective || exit 1; done
// RUN: %cxx -c %s %use=%t.plan -o %t.o 2>&1 | %FileCheck %s --check-prefix=REMARK

#include <mpi.h>

#include <algorithm>
#include <vector>

struct Grid {
  int rank = 0, size = 1;
  MPI_Comm comm = nullptr;
  std::vector<double> all, mine;

  void scatter() {
    const std::size_t n = mine.size();
    if (rank == 0) {
      // CHECK: sendwright_scatter_send([[GRID:sendwright_site_Grid_scatter_[0-9a-f]+]], all.data() + ((0) * n), all.data() + ((1) * n), n, MPI_DOUBLE, 0, 7, comm, 1, size)
      for (int i = 1; i < size; i++)
        MPI_Send(&all[i * n], n, MPI_DOUBLE, i, 7, comm);
      std::copy_n(all.begin(), n, mine.begin());
      MPI_Comm_rank(comm, &rank); // tells something, and no more
    } else {
      // CHECK-NEXT: sendwright_scatter_receive([[GRID]], mine.data(), n, MPI_DOUBLE, 0, 7, comm, 1, size, MPI_STATUS_IGNORE)
      MPI_Recv(mine.data(), n, MPI_DOUBLE, 0, 7, comm, MPI_STATUS_IGNORE);
    }
  }
};

void largest(std::vector<int> &result, const Grid &grid, int root) {
  if (grid.rank == root) {
    std::vector<int> part(result.size());
    for (int i = 0; i < grid.size; i++)
      if (i != root) {
        // CHECK-NEXT: sendwright_reduce_receive([[LARGEST:sendwright_site_largest_[0-9a-f]+]], (result).data(), result.size(), MPI_INT, SENDWRIGHT_MAXIMUM, root, 5, grid.comm, 0, grid.size, MPI_STATUS_IGNORE)
        MPI_Recv(part.data(), result.size(), MPI_INT, i, 5, grid.comm, MPI_STATUS_IGNORE);
        for (std::size_t k = 0; k < result.size(); k++)
          result[k] = std::max(result[k], part[k]);
      }
  } else
    // CHECK-NEXT: sendwright_reduce_send([[LARGEST]], result.data(), result.size(), MPI_INT, SENDWRIGHT_MAXIMUM, root, 5, grid.comm, 0, grid.size)
    MPI_Send(result.data(), result.size(), MPI_INT, root, 5, grid.comm);
}

// One counter for the requests of both loops, and a bound of another type.
// CHECK-NEXT: sendwright_planned([[EXCHANGE:sendwright_site_exchange_[0-9a-f]+]], MPI_COMM_WORLD, 0, static_cast<int>(ranks))
// CHECK-NEXT: sendwright_all_to_all([[EXCHANGE]], out.data() + (0), out.data() + (1), 1, MPI_INT, in.data() + (0), in.data() + (1), 1, MPI_INT, 4, MPI_COMM_WORLD, 0, static_cast<int>(ranks))
// CHECK-NEXT: sendwright_planned([[EXCHANGE]], MPI_COMM_WORLD, 0, static_cast<int>(ranks))
void exchange(const std::vector<int> &out, std::vector<int> &in, unsigned long ranks, int rank) {
  std::vector<MPI_Request> requests;
  requests.resize(2 * ranks, nullptr);
  int n = 0;
  for (int i = 0; i < static_cast<int>(ranks); i++)
    if (rank != i)
      MPI_Irecv(&in[i], 1, MPI_INT, i, 4, MPI_COMM_WORLD, &requests[n++]);
  for (int i = 0; i < static_cast<int>(ranks); i++)
    if (rank != i)
      MPI_Isend(out.data() + i, 1, MPI_INT, i, 4, MPI_COMM_WORLD, &requests[n++]);
  MPI_Waitall(n, requests.data(), MPI_STATUSES_IGNORE);
}

// To itself, too, with the requests of both loops in one vector.
// CHECK-NEXT: sendwright_planned([[TRANSPOSE:sendwright_site_transpose_[0-9a-f]+]], comm, 0, ranks)
// CHECK-NEXT: sendwright_all_to_all_with_own([[TRANSPOSE]], out.data() + ((0) * block), out.data() + ((1) * block), block, MPI_INT, in.data() + ((0) * block), in.data() + ((1) * block), block, MPI_INT, 6, comm, 0, ranks)
// CHECK-NEXT: sendwright_planned([[TRANSPOSE]], comm, 0, ranks)
void transpose(const std::vector<int> &out, std::vector<int> &in, int block, MPI_Comm comm) {
  int ranks;
  MPI_Comm_size(comm, &ranks);
  std::vector<MPI_Request> requests(2 * ranks);
  for (int i = 0; i < ranks; i++)
    MPI_Irecv(&in[i * block], block, MPI_INT, i, 6, comm, &requests[i]);
  for (int i = 0; i < ranks; i++)
    MPI_Isend(&out[i * block], block, MPI_INT, i, 6, comm, &requests[ranks + i]);
  MPI_Waitall(2 * ranks, requests.data(), MPI_STATUSES_IGNORE);
}

// What is declared for each rank, and nothing done for it, is no obstacle.
int sum(int own, const Grid &grid) {
  int total = own;
  if (grid.rank == 0) {
    for (int i = 1; i < grid.size; i++) {
      int part;
      MPI_Status status;
      // CHECK-NEXT: sendwright_reduce_receive([[SUM:sendwright_site_sum_[0-9a-f]+]], &(total), 1, MPI_INT, SENDWRIGHT_SUM, 0, 5, grid.comm, 1, grid.size, SENDWRIGHT_NO_STATUS)
      MPI_Recv(&part, 1, MPI_INT, i, 5, grid.comm, &status);
      total += part;
    }
  } else
    // CHECK-NEXT: sendwright_reduce_send([[SUM]], &own, 1, MPI_INT, SENDWRIGHT_SUM, 0, 5, grid.comm, 1, grid.size)
    MPI_Send(&own, 1, MPI_INT, 0, 5, grid.comm);
  return total;
}

void largest_of_all(std::vector<int> &result, std::vector<int> &part, const Grid &grid) {
  if (grid.rank == 0) {
    // REMARK: :[[#@LINE+1]]:5: remark: loop not replaced by 'collectives': it looks like a reduction, but the number of combined elements is result.size(), the number of received elements is static_cast<int>(part.size())
    for (int i = 1; i < grid.size; i++) {
      MPI_Recv(part.data(), static_cast<int>(part.size()), MPI_INT, i, 5, grid.comm, MPI_STATUS_IGNORE);
      for (std::size_t k = 0; k < result.size(); k++)
        result[k] = std::max(result[k], part[k]);
    }
  } else
    MPI_Send(result.data(), static_cast<int>(part.size()), MPI_INT, 0, 5, grid.comm);
}
