#include "rendezvous.hpp"

#include "wire.h"

Rendezvous::Rendezvous(MPI_Comm communicator) : communicator(communicator) {
  int rank = 0, size = 0;
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &size);
  for (int other = 0; other < size; ++other)
    if (other != rank)
      ranks.push_back(other);
}

std::vector<std::vector<float>> Rendezvous::receive(const std::vector<int> &lengths) const {
  std::vector<std::vector<float>> parts;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    parts.emplace_back(lengths[i]);
    MPI_Recv(parts.back().data(), lengths[i], MPI_FLOAT, ranks[i], 2, communicator,
             MPI_STATUS_IGNORE);
  }
  return parts;
}

std::vector<std::vector<float>> Rendezvous::exchange(const std::vector<float> &field) const {
  std::vector<std::vector<float>> parts;
  std::vector<int> to(ranks), lengths;
  std::vector<const float *> data;
  for (int rank : ranks) {
    parts.push_back(mapped(field, rank));
    lengths.push_back(static_cast<int>(parts.back().size()));
  }
  for (const auto &part : parts)
    data.push_back(part.data());
  const int count = static_cast<int>(ranks.size());
  const wire_list list = {count, to.data(), lengths.data(), data.data()};
  std::vector<MPI_Request> requests(ranks.size());
  wire_announce(to.data(), count, lengths.data(), communicator);
  wire_post_list(&list, communicator, requests.data());
  for (int i = 0; i < count; ++i)
    lengths[i] = wire_announced(ranks[i], communicator);
  auto got = receive(lengths);
  MPI_Waitall(count, requests.data(), MPI_STATUSES_IGNORE);
  return got;
}

std::vector<std::vector<float>> Rendezvous::exchangeSingly(const std::vector<float> &field) const {
  for (int rank : ranks) { // -> reordered
    const std::vector<float> part = mapped(field, rank);
    MPI_Send(part.data(), static_cast<int>(part.size()), MPI_FLOAT, rank, 2, communicator);
  }
  int own = 0;
  MPI_Comm_rank(communicator, &own);
  return receive(std::vector<int>(ranks.size(), static_cast<int>(mapped(field, own).size())));
}
