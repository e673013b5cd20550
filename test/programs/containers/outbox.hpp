#ifndef OUTBOX_HPP
#define OUTBOX_HPP
#include <mpi.h>

#include <list>
#include <map>
#include <set>
#include <vector>

struct Notice {
  int to, subject;
};

class Outbox {
public:
  explicit Outbox(MPI_Comm communicator) : communicator(communicator) {}
  void add(int to, double value) { values[to].push_back(value); }
  void notify(int to, int subject) { notices.push_back({to, subject}); }
  void post(std::vector<MPI_Request> &requests);
  void close(const std::set<int> &audience);

private:
  MPI_Comm communicator;
  std::map<int, std::vector<double>> values;
  std::list<Notice> notices;
};
#endif
