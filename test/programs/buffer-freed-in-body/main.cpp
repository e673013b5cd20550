#include "result.h"
#include "serialise.h"

#include <string>
#include <vector>

static void sendNumbers(int rank, int ranks) {
  for (int to = 0; to < ranks; ++to) { // -> reordered
    if (to == rank)
      continue;
    std::vector<int> numbers(1 + (rank + to) % 4, 10 * rank + to);
    MPI_Send(numbers.data(), static_cast<int>(numbers.size()), MPI_INT, to, 10, MPI_COMM_WORLD);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::vector<std::string> texts;
  std::vector<const char *> pointers;
  std::vector<int> to;
  for (int other = 0; other < ranks; ++other)
    if (other != rank) {
      texts.push_back("from " + std::to_string(rank) +
                      std::string(40 * other, static_cast<char>('a' + rank)));
      to.push_back(other);
    }
  for (const std::string &text : texts)
    pointers.push_back(text.c_str());
  std::vector<MPI_Request> requests(2 * ranks, MPI_REQUEST_NULL);
  std::vector<std::vector<char>> in(ranks, std::vector<char>(4000));
  std::vector<std::vector<int>> numbers(ranks, std::vector<int>(8));
  for (int other = 0; other < ranks; ++other)
    if (other != rank) {
      MPI_Irecv(in[other].data(), 4000, MPI_CHAR, other, 9, MPI_COMM_WORLD, &requests[2 * other]);
      MPI_Irecv(numbers[other].data(), 8, MPI_INT, other, 10, MPI_COMM_WORLD,
                &requests[2 * other + 1]);
    }
  send_all(pointers.data(), to.data(), static_cast<int>(to.size()), 400, MPI_COMM_WORLD);
  sendNumbers(rank, ranks);
  MPI_Waitall(2 * ranks, requests.data(), MPI_STATUSES_IGNORE);
  std::string all;
  for (int other = 0; other < ranks; ++other) {
    all += in[other].data();
    for (int number : numbers[other])
      all += ' ' + std::to_string(number);
  }
  print_result(MPI_COMM_WORLD, "strings", all.data(), all.size());
  return MPI_Finalize();
}
