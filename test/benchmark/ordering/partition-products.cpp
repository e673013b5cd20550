// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// partition-products nonzeros|chain MATRIX.mtx RANKS STEM: divides y = A x by nonzeros or y = A B x
// by inner indices (examples/ordering/products.hpp), and writes STEM.owners for the program
// `products`, the messages of both phases, STEM.pre.txt and STEM.post.txt, and STEM.work.txt with
// the multiplications of each rank.
//
// The hypergraphs are those of U. V. Catalyurek and C. Aykanat. A nonzero is a vertex, in a net for
// its row and one for its column (2001); an inner index is a vertex, in a net for each entry of x
// that its row of B needs, and for each entry of y that its column of A adds to (1999). Entries of
// x and y belong to a rank that touches them.

#include "examples/ordering/products.hpp"
#include "test/benchmark/partitioning/Hypergraph.h"

#include <cstdio>
#include <cstdlib>

namespace {

using Lists = std::vector<std::vector<int>>; // vertices of each net

/// A net for each entry of x, and then one for each entry of y.
Lists netsOf(const Matrix &matrix, bool chain) {
  const auto rows = static_cast<std::size_t>(matrix.rows);
  Lists nets(2 * rows);
  for (std::size_t k = 0; k < matrix.entries.size(); ++k) {
    const auto row = static_cast<std::size_t>(matrix.entries[k].row);
    const auto column = static_cast<std::size_t>(matrix.entries[k].column);
    nets[column].push_back(chain ? matrix.entries[k].row : static_cast<int>(k));
    nets[rows + row].push_back(chain ? matrix.entries[k].column : static_cast<int>(k));
  }
  return nets;
}

Owners divideProduct(const Matrix &matrix, bool chain, int ranks) {
  Hypergraph hypergraph;
  hypergraph.weights.assign(chain ? static_cast<std::size_t>(matrix.rows) : matrix.entries.size(),
                            chain ? 0.0F : 1.0F);
  for (const Entry &entry : matrix.entries)
    if (chain) { // its row of B, and its column of A
      hypergraph.weights[static_cast<std::size_t>(entry.row)] += 1;
      hypergraph.weights[static_cast<std::size_t>(entry.column)] += 1;
    }
  const Lists nets = netsOf(matrix, chain);
  for (const std::vector<int> &net : nets) {
    for (const int vertex : net)
      hypergraph.addPin(vertex);
    hypergraph.endNet();
  }
  Owners owners{chain, ranks, divide(hypergraph, ranks, 0.05), {}};
  std::vector<int> owned(static_cast<std::size_t>(ranks), 0);
  for (std::size_t entry = 0; entry < nets.size() / 2; ++entry) {
    std::set<int> touching;
    for (const std::vector<int> *net : {&nets[entry], &nets[nets.size() / 2 + entry]})
      for (const int vertex : *net)
        touching.insert(owners.work[static_cast<std::size_t>(vertex)]);
    if (touching.empty())
      touching.insert(static_cast<int>(entry) % ranks);
    const int owner = *std::min_element(touching.begin(), touching.end(), [&](int a, int b) {
      return owned[static_cast<std::size_t>(a)] < owned[static_cast<std::size_t>(b)];
    });
    owners.vector.push_back(owner);
    ++owned[static_cast<std::size_t>(owner)];
  }
  return owners;
}

void writeMessages(const std::string &name, const Messages &messages, int ranks) {
  std::ofstream file(name);
  file << "# K=" << ranks << "\n";
  for (int rank = 0; rank < ranks; ++rank) {
    file << rank << ":";
    for (const auto &[ends, entries] : messages)
      if (ends.first == rank)
        file << " " << ends.second << ":" << entries.size();
    file << "\n";
  }
}

void run(int argc, char **argv) {
  const std::string kind = argc == 5 ? argv[1] : "";
  const int ranks = argc == 5 ? std::atoi(argv[3]) : 0;
  if (ranks < 1 || (kind != "nonzeros" && kind != "chain"))
    throw std::runtime_error("usage: partition-products nonzeros|chain MATRIX.mtx RANKS STEM");
  Matrix matrix = MatrixMarketReader(argv[2]).read();
  compress(matrix);
  const std::string stem = argv[4];
  const Owners owners = divideProduct(matrix, kind == "chain", ranks);
  owners.write(stem + ".owners");
  const std::vector<RankWork> work = divideWork(matrix, owners);
  const Phases phases = findPhases(work, owners);
  writeMessages(stem + ".pre.txt", phases.pre, ranks);
  writeMessages(stem + ".post.txt", phases.post, ranks);
  std::ofstream file(stem + ".work.txt");
  for (const RankWork &own : work)
    file << own.terms() << "\n";
}

} // namespace

int main(int argc, char **argv) {
  int status = 0;
  MPI_Init(&argc, &argv);
  try {
    run(argc, argv);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    status = 1;
  }
  MPI_Finalize();
  return status;
}
