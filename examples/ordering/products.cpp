// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two phases of communication that come from a computation: y = A x divided by nonzeros, or
// y = A B x divided by inner indices (products.hpp). Values of x travel, ranks multiply, sums of y
// travel; then y is the next x, and a barrier ends the iteration. Tags count the iterations.
//
//     products MATRIX.mtx OWNERS [VECTORS [ITERATIONS [given|best|worst]]]
//
// VECTORS vectors are multiplied at once, so a message holds 8 * VECTORS bytes for each entry.
// Sends leave in the order of the ranks; `best` and `worst` sort them by hand, by how many messages
// the receivers send in the second phase, as B. Ucar and C. Aykanat describe (2004). The line on
// standard output depends on every value received; with PRODUCTS_TIME in the environment the time
// of an iteration goes to standard error.
//
// On a simulated cluster computing takes no time, so there each multiplication is charged with 20
// operations: a sparse product waits for its memory, and reaches a tenth of a processor's rate.

#include "products.hpp"
#include "phase.h"

#include <mpi.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" void smpi_execute_flops(double operations) __attribute__((weak));

namespace {

constexpr double operationsOfTerm = 20;

/// A message with the entries of the vector that it holds.
struct Message {
  int peer;
  std::vector<int> entries;
  std::vector<double> values;
};

/// What a rank sends and receives in one phase, each list by rank unless it is sorted.
class Phase {
public:
  Phase(const Messages &messages, int me, int vectors) {
    for (const auto &[ends, entries] : messages)
      if (ends.first == me || ends.second == me)
        (ends.first == me ? sends : receives)
            .push_back({ends.first == me ? ends.second : ends.first,
                        {entries.begin(), entries.end()},
                        std::vector<double>(entries.size() * static_cast<std::size_t>(vectors))});
  }

  void send(int tag) {
    const auto listOf = [](std::vector<Message> &messages) {
      std::vector<message> list;
      for (Message &each : messages)
        list.push_back({each.peer, static_cast<int>(each.values.size()), each.values.data()});
      return list;
    };
    std::vector<message> sent = listOf(sends), received = listOf(receives);
    std::vector<MPI_Request> requests(received.size() + 1);
    phase all{static_cast<int>(sent.size()), static_cast<int>(received.size()), sent.data(),
              received.data(), requests.data()};
    communicate(&all, tag);
  }

  std::vector<Message> sends, receives;
};

using Vectors = std::vector<double>; // each entry has one value for each vector

void multiply(const std::vector<Term> &terms, const Vectors &from, Vectors &to, int vectors) {
  for (const Term &term : terms)
    for (int v = 0; v < vectors; ++v)
      to[static_cast<std::size_t>(term.target * vectors + v)] +=
          term.value * from[static_cast<std::size_t>(term.source * vectors + v)];
  if (smpi_execute_flops != nullptr)
    smpi_execute_flops(operationsOfTerm * vectors * static_cast<double>(terms.size()));
}

/// The place of a message's value in the vectors.
std::size_t placeOf(const Message &message, std::size_t k, int vectors) {
  const auto each = static_cast<std::size_t>(vectors);
  return static_cast<std::size_t>(message.entries[k / each]) * each + k % each;
}

void pack(Phase &phase, const Vectors &from, int vectors) {
  for (Message &message : phase.sends)
    for (std::size_t k = 0; k < message.values.size(); ++k)
      message.values[k] = from[placeOf(message, k, vectors)];
}

/// Adds what was received, rank by rank: the order in which messages come does not matter.
void unpack(const Phase &phase, Vectors &to, int vectors) {
  for (const Message &message : phase.receives)
    for (std::size_t k = 0; k < message.values.size(); ++k)
      to[placeOf(message, k, vectors)] += message.values[k];
}

class Product {
public:
  Product(const Matrix &matrix, const Owners &owners, int me, int vectors)
      : Product(matrix, owners, divideWork(matrix, owners), me, vectors) {}

  /// `all`: the work of all ranks, from which the messages follow.
  Product(const Matrix &matrix, const Owners &owners, const std::vector<RankWork> &all, int me,
          int vectors)
      : Product(findPhases(all, owners), all[static_cast<std::size_t>(me)], me, vectors) {
    size = static_cast<std::size_t>(matrix.rows) * static_cast<std::size_t>(vectors);
    x.assign(size, 0);
    for (int entry = 0; entry < matrix.rows; ++entry)
      for (int v = 0; v < vectors && owners.vector[static_cast<std::size_t>(entry)] == me; ++v)
        x[static_cast<std::size_t>(entry * vectors + v)] = 1 + 1.0 / (entry + v + 1);
    for (int entry = 0; entry < matrix.rows; ++entry)
      isOwn.push_back(owners.vector[static_cast<std::size_t>(entry)] == me);
  }

  /// Sends by how much the receivers send in the second phase.
  void sortByHand(bool descending) {
    int sends = static_cast<int>(post.sends.size()), ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    std::vector<int> keys(static_cast<std::size_t>(ranks));
    MPI_Allgather(&sends, 1, MPI_INT, keys.data(), 1, MPI_INT, MPI_COMM_WORLD);
    std::stable_sort(pre.sends.begin(), pre.sends.end(), [&](const Message &a, const Message &b) {
      const int first = keys[static_cast<std::size_t>(a.peer)];
      const int second = keys[static_cast<std::size_t>(b.peer)];
      return descending ? first > second : first < second;
    });
  }

  void iterate(int iteration) {
    pack(pre, x, vectors);
    pre.send(iteration);
    unpack(pre, x, vectors);
    Vectors y(size, 0);
    if (!work.first.empty()) {
      Vectors inner(size, 0);
      multiply(work.first, x, inner, vectors);
      multiply(work.last, inner, y, vectors);
    } else {
      multiply(work.last, x, y, vectors);
    }
    pack(post, y, vectors);
    post.send(iteration + 1);
    unpack(post, y, vectors);
    for (std::size_t k = 0; k < size; ++k)
      x[k] = isOwn[k / static_cast<std::size_t>(vectors)] ? y[k] : 0;
    MPI_Barrier(MPI_COMM_WORLD);
  }

  std::uint64_t checksum() const {
    std::uint64_t sum = 0, bits = 0;
    for (const double value : x) {
      std::memcpy(&bits, &value, sizeof(bits));
      sum = (sum ^ bits) * UINT64_C(0x100000001b3);
    }
    return sum;
  }

private:
  Product(const Phases &phases, RankWork work, int me, int vectors)
      : vectors(vectors), work(std::move(work)), pre(phases.pre, me, vectors),
        post(phases.post, me, vectors) {}

  int vectors;
  std::size_t size = 0;
  RankWork work;
  Phase pre, post;
  Vectors x;
  std::vector<bool> isOwn;
};

/// Rows are divided by their sums, so that values neither vanish nor grow without limit.
void scaleRows(Matrix &matrix) {
  std::vector<double> sums(static_cast<std::size_t>(matrix.rows), 0);
  for (const Entry &entry : matrix.entries)
    sums[static_cast<std::size_t>(entry.row)] += std::abs(entry.value);
  for (Entry &entry : matrix.entries)
    if (sums[static_cast<std::size_t>(entry.row)] > 0)
      entry.value = std::abs(entry.value) / sums[static_cast<std::size_t>(entry.row)];
}

void run(int argc, char **argv, int me, int ranks) {
  const int vectors = argc > 3 ? std::atoi(argv[3]) : 1;
  const int iterations = argc > 4 ? std::atoi(argv[4]) : 10;
  const std::string order = argc > 5 ? argv[5] : "given";
  if (argc < 3 || vectors < 1 || iterations < 1 ||
      (order != "given" && order != "best" && order != "worst"))
    throw std::runtime_error("usage: MATRIX.mtx OWNERS [VECTORS [ITERATIONS [given|best|worst]]]");
  Matrix matrix = MatrixMarketReader(argv[1]).read();
  compress(matrix);
  if (matrix.rows > std::numeric_limits<int>::max() / vectors)
    throw std::runtime_error("too many vectors for a matrix of " + std::to_string(matrix.rows) +
                             " rows");
  scaleRows(matrix);
  const Owners owners = readOwners(argv[2], matrix);
  if (owners.ranks != ranks)
    throw std::runtime_error(std::string(argv[2]) + ": for " + std::to_string(owners.ranks) +
                             " ranks, this run has " + std::to_string(ranks));
  Product product(matrix, owners, me, vectors);
  if (order == "best" || order == "worst")
    product.sortByHand(order == "best");
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int iteration = 0; iteration < iterations; ++iteration)
    product.iterate(iteration);
  const double elapsed = MPI_Wtime() - start;

  std::uint64_t own = product.checksum(), sum = 0;
  MPI_Reduce(&own, &sum, 1, MPI_UINT64_T, MPI_BXOR, 0, MPI_COMM_WORLD);
  if (me == 0) {
    std::printf("%d ranks, %d iterations, %d vectors, checksum %016" PRIx64 "\n", ranks, iterations,
                vectors, sum);
    if (std::getenv("PRODUCTS_TIME") != nullptr)
      std::fprintf(stderr, "%.9f seconds for an iteration\n", elapsed / iterations);
  }
}

} // namespace

int main(int argc, char **argv) {
  int me = 0, ranks = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  try {
    run(argc, argv, me, ranks);
  } catch (const std::exception &error) {
    if (me == 0)
      std::fprintf(stderr, "products: %s\n", error.what());
    else
      sleep(1); // all ranks have found it: rank 0 shall say so before the job ends
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return 0;
}
