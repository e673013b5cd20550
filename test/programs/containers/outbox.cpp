#include "outbox.hpp"

void Outbox::post(std::vector<MPI_Request> &requests) {
  requests.reserve(requests.size() + values.size() + notices.size());
  for (auto &[to, list] : values) // -> reordered
    MPI_Isend(list.data(), static_cast<int>(list.size()), MPI_DOUBLE, to, 1, communicator,
              &requests.emplace_back());
  for (auto notice = notices.rbegin(); notice != notices.rend(); ++notice) // -> reordered
    MPI_Isend(&notice->subject, 1, MPI_INT, notice->to, 2, communicator, &requests.emplace_back());
}

void Outbox::close(const std::set<int> &audience) {
  const char last = 'z';
  auto reader = audience.begin();
  while (reader != audience.end()) // -> reordered
    MPI_Send(&last, 1, MPI_CHAR, *reader++, 3, communicator);
}
