// The runtime's table of handles: what was inserted is found with its value, also when the table has
// grown and entries before it have gone, and nothing else is. Random operations are compared with a
// std::map, on few handles of MPI's that collide and on many made-up ones.
//
// RUN: %mpicxx -std=c++20 -I%source_root %s -o %t
// RUN: %mpirun 1 %t

#include "runtime/base/HandleTable.h"

#include <cstdio>
#include <map>
#include <memory>
#include <random>
#include <vector>

using namespace sendwright;

struct Number {
  using Type = std::uint64_t;
  static Type null() { return 0; }
};

static int failures = 0;

static void expect(bool holds, const char *what) {
  if (!holds && failures++ < 5)
    std::printf("not so: %s\n", what);
}

/// Handles that have the same home as `first` while the table has its first size.
static std::vector<std::uint64_t> colliding(std::uint64_t first, unsigned count) {
  const auto home = [](std::uint64_t bits) { return (bits * 0x9E3779B97F4A7C15u) >> 32 & 63; };
  std::vector<std::uint64_t> found;
  for (std::uint64_t handle = first; found.size() < count; ++handle)
    if (home(handle) == home(first))
      found.push_back(handle);
  return found;
}

static void compare(const std::vector<std::uint64_t> &handles, unsigned operations) {
  HandleTable<Number, std::unique_ptr<int>> table;
  std::map<std::uint64_t, int> expected;
  std::mt19937 random(7);
  for (unsigned number = 0; number < operations; ++number) {
    const std::uint64_t handle = handles[random() % handles.size()];
    const bool isThere = expected.count(handle) != 0;
    if (random() % 2) {
      table[handle] = std::make_unique<int>(static_cast<int>(number));
      expected[handle] = static_cast<int>(number);
    } else if (random() % 2) {
      expect(table.erase(handle) == isThere, "erase() says whether it was there");
      expected.erase(handle);
    } else {
      const auto taken = table.take(handle);
      expect(taken.has_value() == isThere && (!isThere || **taken == expected[handle]), "take()");
      expected.erase(handle);
    }
    const std::uint64_t looked = handles[random() % handles.size()];
    const auto known = expected.find(looked);
    const std::unique_ptr<int> *found = table.find(looked);
    expect((found != nullptr) == (known != expected.end()), "find() finds what is there");
    expect(!found || **found == known->second, "find() finds its value");
    expect(table.empty() == expected.empty(), "empty()");
  }
  std::size_t visited = 0;
  table.forEach([&](std::uint64_t handle, const std::unique_ptr<int> &value) {
    ++visited;
    expect(expected.count(handle) && expected[handle] == *value, "forEach() visits what is there");
  });
  expect(visited == expected.size(), "forEach() visits all");
}

/// A set of requests, with room reserved before.
static void keepRequests() {
  HandleTable<RequestHandle> table;
  expect(!table.contains(MPI_REQUEST_NULL), "the null handle is not there");
  std::vector<MPI_Request> requests(100);
  for (MPI_Request &request : requests) {
    MPI_Send_init(nullptr, 0, MPI_BYTE, 0, 0, MPI_COMM_SELF, &request);
    table.reserveOne();
    table.insertReserved(request);
  }
  for (MPI_Request &request : requests) {
    expect(table.contains(request), "a request is there");
    expect(table.erase(request) && !table.contains(request), "a request goes");
    MPI_Request_free(&request);
  }
  expect(table.empty() && !table.erase(MPI_REQUEST_NULL), "none is left");
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  compare(colliding(1, 12), 20000);
  std::vector<std::uint64_t> many;
  for (std::uint64_t handle = 1; handle <= 2000; ++handle)
    many.push_back(handle * 8);
  compare(many, 50000);
  keepRequests();
  MPI_Finalize();
  return failures != 0;
}
