// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// read-part-of-plan PLAN RANKS: what some ranks of a running program read of a plan, and how much
// memory their parts take. The plan is mapped into memory, as it is in a program.

#include "analysis/plan/Plan.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <vector>

namespace sendwright {

namespace {

struct Part {
  std::uint64_t bytesRead = 0, heap = 0;
};

Part partOf(const void *plan, std::size_t size, int ranks, int rank) {
  const std::size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
  const RankPlan content = decodeRankPlan(plan, size, "plan", ranks, rank);
  return {content.bytesRead, mallinfo2().uordblks + mallinfo2().hblkhd - before};
}

int measure(const char *name, int ranks) {
  const int file = open(name, O_RDONLY);
  struct stat status{};
  if (file < 0 || fstat(file, &status) != 0)
    return 1;
  const auto size = static_cast<std::size_t>(status.st_size);
  const void *plan = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  if (plan == MAP_FAILED)
    return 1;
  std::vector<std::uint64_t> read, heap;
  for (int number = 0; number < 64; ++number) {
    const Part part =
        partOf(plan, size, ranks, static_cast<int>(std::int64_t{ranks} * number / 64));
    read.push_back(part.bytesRead);
    heap.push_back(part.heap);
  }
  std::sort(read.begin(), read.end());
  std::sort(heap.begin(), heap.end());
  std::printf(
      "plan of %zu bytes; of 64 ranks the median and the most: %llu and %llu bytes read, "
      "%llu and %llu bytes of memory\n",
      size, static_cast<unsigned long long>(read[32]), static_cast<unsigned long long>(read.back()),
      static_cast<unsigned long long>(heap[32]), static_cast<unsigned long long>(heap.back()));
  return 0;
}

} // namespace

} // namespace sendwright

int main(int argc, char **argv) {
  if (argc == 3)
    return sendwright::measure(argv[1], std::atoi(argv[2]));
  std::fprintf(stderr, "usage: read-part-of-plan PLAN RANKS\n");
  return 2;
}
