#ifndef EXCHANGE_HPP
#define EXCHANGE_HPP
#include <mpi.h>

#include <array>
#include <type_traits>
#include <vector>

/// Sends every k-th value of a field to a rank that depends on k, and receives as many.
template <class Value, int Stride> class Exchange {
  static_assert(std::is_trivially_copyable_v<Value>);

public:
  Exchange(MPI_Comm communicator, int tag) : communicator(communicator), tag(tag) {
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &ranks);
  }
  void run(std::vector<Value> &field) {
    send(field);
    receive(field);
  }

private:
  int share(const std::vector<Value> &field) const {
    return static_cast<int>(field.size()) / ranks;
  }

  void send(const std::vector<Value> &field) {
    requests.clear();
    requests.reserve(ranks);
    for (int k = 1; k < ranks; k += Stride) { // -> reordered
      const int to = (rank + k) % ranks;
      MPI_Request request;
      MPI_Isend(&field[share(field) * to], share(field) * static_cast<int>(sizeof(Value)), MPI_BYTE,
                to, tag, communicator, &request);
      requests.push_back(request);
    }
  }

  void receive(std::vector<Value> &field) {
    std::vector<Value> in(field);
    for (int k = 1; k < ranks; k += Stride) {
      const int from = (rank + ranks - k) % ranks;
      MPI_Recv(&in[share(field) * from], share(field) * static_cast<int>(sizeof(Value)), MPI_BYTE,
               from, tag, communicator, MPI_STATUS_IGNORE);
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    field.swap(in);
  }

  MPI_Comm communicator;
  int tag, rank = 0, ranks = 0;
  std::vector<MPI_Request> requests;
};

template <class Value, int Stride> std::vector<Value> exchanged(int seed, int rank) {
  std::vector<Value> field(36);
  for (std::size_t i = 0; i < field.size(); ++i)
    for (std::size_t b = 0; b < sizeof(Value); ++b)
      reinterpret_cast<unsigned char *>(&field[i])[b] =
          static_cast<unsigned char>(seed + 7 * rank + 3 * i + b);
  Exchange<Value, Stride> exchange(MPI_COMM_WORLD, seed);
  for (int round = 0; round < 2; ++round)
    exchange.run(field);
  return field;
}

std::vector<unsigned char> particleFields(int rank);
std::vector<unsigned char> meshFields(int rank);

template <class Value>
void append(std::vector<unsigned char> &all, const std::vector<Value> &field) {
  const auto *bytes = reinterpret_cast<const unsigned char *>(field.data());
  all.insert(all.end(), bytes, bytes + field.size() * sizeof(Value));
}
#endif
