// A distributed directory: questions go to the owners of keys, answers come back.
#include "result.h"

#include <algorithm>
#include <map>
#include <vector>

using Questions = std::map<int, std::vector<int>>; // by rank

static std::vector<std::pair<int, std::vector<int>>> ask(const Questions &questions,
                                                         MPI_Comm communicator) {
  int ranks = 0, rank = 0;
  MPI_Comm_size(communicator, &ranks);
  MPI_Comm_rank(communicator, &rank);
  std::vector<int> asks(ranks), asked(ranks);
  std::vector<MPI_Request> requests;
  for (auto it = questions.begin(); it != questions.end(); ++it) // -> reordered
  {
    asks[it->first] = 1;
    requests.emplace_back();
    MPI_Isend(it->second.data(), static_cast<int>(it->second.size()), MPI_INT, it->first, 1,
              communicator, &requests.back());
  }
  MPI_Allreduce(asks.data(), asked.data(), ranks, MPI_INT, MPI_SUM, communicator);
  std::vector<std::pair<int, std::vector<int>>> got;
  for (int left = asked[rank]; left > 0; --left) {
    MPI_Status status;
    int length = 0;
    MPI_Probe(MPI_ANY_SOURCE, 1, communicator, &status);
    MPI_Get_count(&status, MPI_INT, &length);
    got.emplace_back(status.MPI_SOURCE, std::vector<int>(length));
    MPI_Recv(got.back().second.data(), length, MPI_INT, status.MPI_SOURCE, 1, communicator,
             MPI_STATUS_IGNORE);
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  std::sort(got.begin(), got.end());
  return got;
}

// First a header and then the body to each rank, both received from anyone: MPI keeps the two in
// order.
static std::vector<int> gossip(int rank, int ranks, MPI_Comm communicator) {
  for (int shift = 1; shift < ranks; ++shift) { // -> reordered
    const int to = (rank + shift) % ranks, header = -rank - 1;
    const std::vector<int> body(rank + 1, 100 * rank + to);
    MPI_Send(&header, 1, MPI_INT, to, shift % 2, communicator);
    MPI_Send(body.data(), rank + 1, MPI_INT, to, shift % 2, communicator);
  }
  std::vector<std::vector<int>> of(ranks);
  for (int message = 0; message < 2 * (ranks - 1); ++message) {
    int words[64], length = 0;
    MPI_Status status;
    MPI_Recv(words, 64, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, communicator, &status);
    MPI_Get_count(&status, MPI_INT, &length);
    of[status.MPI_SOURCE].insert(of[status.MPI_SOURCE].end(), words, words + length);
  }
  std::vector<int> all;
  for (const std::vector<int> &one : of)
    all.insert(all.end(), one.begin(), one.end());
  return all;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::vector<int> table;
  for (int key = rank; key < 120; key += ranks)
    table.push_back(key * key % 97);
  Questions questions;
  for (int k = 0; k < 10 + rank; ++k) {
    const int key = (13 * k + 29 * rank) % 120;
    questions[key % ranks].push_back(key);
  }
  Questions answers;
  for (const auto &[from, keys] : ask(questions, MPI_COMM_WORLD))
    for (int key : keys)
      answers[from].push_back(table[key / ranks]);
  std::vector<int> known;
  for (const auto &[from, values] : ask(answers, MPI_COMM_WORLD)) {
    known.push_back(from);
    known.insert(known.end(), values.begin(), values.end());
  }
  print_result(MPI_COMM_WORLD, "known", known.data(), known.size() * sizeof(int));
  MPI_Comm gossips;
  MPI_Comm_dup(MPI_COMM_WORLD, &gossips);
  known = gossip(rank, ranks, gossips);
  MPI_Comm_free(&gossips);
  print_result(MPI_COMM_WORLD, "gossip", known.data(), known.size() * sizeof(int));
  return MPI_Finalize();
}
