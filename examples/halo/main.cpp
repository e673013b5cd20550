// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jacobi iterations of a graph Laplacian on an unstructured mesh, in integers:
//
//     x'(v) = (b(v) + sum of x(w) over the neighbours w of v) / (number of neighbours + 1)
//
// Each rank computes its own vertices and exchanges the halo in every iteration. Afterwards every
// rank repeats the whole computation alone and compares its vertices, which must be equal.
//
//     halo [VERTICES [ITERATIONS]]

#include "halo.hpp"
#include "mesh.hpp"

#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>

using Values = std::vector<std::int64_t>;

namespace {

std::int64_t initial(int vertex) { return vertex * INT64_C(2654435761) % 1000000007; }

/// One rank's part: its vertices first, then the copies, in local numbers.
struct Part {
  std::vector<int> vertices; ///< global numbers
  int owned = 0;
  std::vector<std::vector<int>> neighbours; ///< of the owned vertices, in local numbers
  std::vector<HaloNeighbour> exchanges;
};

/// The mesh alone determines what two parts exchange: both sides list, in ascending order, the
/// vertices that one side owns and the other touches.
Part makePart(const Mesh &mesh, int me) {
  Part part;
  std::map<int, int> local;
  std::map<int, std::set<int>> sends, copies;
  for (int v = 0; v < static_cast<int>(mesh.owner.size()); ++v)
    if (mesh.owner[v] == me) {
      local[v] = part.owned++;
      part.vertices.push_back(v);
      for (int w : mesh.neighbours[v])
        if (mesh.owner[w] != me)
          sends[mesh.owner[w]].insert(v), copies[mesh.owner[w]].insert(w);
    }
  for (const auto &[rank, vertices] : copies)
    for (int w : vertices) {
      local[w] = static_cast<int>(part.vertices.size());
      part.vertices.push_back(w);
    }
  for (int v = 0; v < part.owned; ++v) {
    part.neighbours.emplace_back();
    for (int w : mesh.neighbours[part.vertices[v]])
      part.neighbours.back().push_back(local.at(w));
  }
  for (const auto &[rank, vertices] : copies) {
    HaloNeighbour n{rank, {}, {}};
    for (int v : sends[rank])
      n.owned.push_back(local.at(v));
    for (int w : vertices)
      n.copies.push_back(local.at(w));
    part.exchanges.push_back(n);
  }
  return part;
}

/// One Jacobi step of the first vertices of `x`, one for each list of neighbours.
void relax(const std::vector<std::vector<int>> &neighbours, const Values &b, Values &x) {
  Values next(neighbours.size());
  for (std::size_t v = 0; v < neighbours.size(); ++v) {
    std::int64_t sum = b[v];
    for (int w : neighbours[v])
      sum += x[w];
    next[v] = sum / (static_cast<std::int64_t>(neighbours[v].size()) + 1);
  }
  std::copy(next.begin(), next.end(), x.begin());
}

Values solveInParallel(const Part &part, int iterations) {
  HaloExchange<std::int64_t> halo(part.exchanges, MPI_COMM_WORLD);
  Values x;
  for (int v : part.vertices)
    x.push_back(initial(v));
  Values b = x;
  for (int i = 0; i < iterations; ++i) {
    halo.exchange(x);
    relax(part.neighbours, b, x);
  }
  return x;
}

Values solveAlone(const Mesh &mesh, int iterations) {
  Values x;
  for (int v = 0; v < static_cast<int>(mesh.owner.size()); ++v)
    x.push_back(initial(v));
  Values b = x;
  for (int i = 0; i < iterations; ++i)
    relax(mesh.neighbours, b, x);
  return x;
}

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int me, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int vertices = argc > 1 ? std::atoi(argv[1]) : 20000;
  int iterations = argc > 2 ? std::atoi(argv[2]) : 50;
  if (vertices < 1 || iterations < 0) {
    if (me == 0)
      std::fprintf(stderr, "usage: halo [VERTICES [ITERATIONS]]\n");
    MPI_Finalize();
    return 2;
  }

  Mesh mesh = makeMesh(vertices, ranks, 8, 1);
  Part part = makePart(mesh, me);
  Values x = solveInParallel(part, iterations);

  Values serial = solveAlone(mesh, iterations);
  std::uint64_t mine[2] = {0, 0}, all[2]; // wrong vertices; checksum
  for (int v = 0; v < part.owned; ++v) {
    mine[0] += x[v] != serial[part.vertices[v]];
    mine[1] +=
        static_cast<std::uint64_t>(x[v]) * (2 * static_cast<std::uint64_t>(part.vertices[v]) + 1);
  }
  MPI_Allreduce(mine, all, 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  if (me == 0)
    std::printf("%d vertices, %d iterations, %d ranks: checksum %016llx, %s\n", vertices,
                iterations, ranks, static_cast<unsigned long long>(all[1]),
                all[0] == 0 ? "equal to the serial result" : "DIFFERENT from the serial result");
  MPI_Finalize();
  return all[0] == 0 ? 0 : 1;
}
