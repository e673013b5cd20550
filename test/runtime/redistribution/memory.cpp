// How much memory the runtime allocates in addition to the blocks: counts every allocation by code in the
// runtime's library except for the new block. Between contiguous blocks it is little, however large they
// are; where messages must be packed, it stays within the bound, if there is one.
//
// RUN: %mpicxx -std=c++17 -O1 -I%source_root/runtime/include %s -o %t %runtime -ldl -rdynamic
// RUN: %mpirun 4 %t blocks 8000000 | %FileCheck %s
// RUN: %mpirun 4 %t blocks 80000 | %FileCheck %s
// RUN: env SENDWRIGHT_REDISTRIBUTE_MEMORY=100k %mpirun 4 %t cyclic 2000000 102400 | %FileCheck %s
// RUN: env SENDWRIGHT_REDISTRIBUTE_MEMORY=1M %mpirun 4 %t cyclic 2000000 1048576 | %FileCheck %s
// RUN: env SENDWRIGHT_REDISTRIBUTE_MEMORY=50k %mpirun 3 %t blocks 80000 51200 | %FileCheck %s
// RUN: env SENDWRIGHT_DISABLE=1 SENDWRIGHT_REDISTRIBUTE_MEMORY=100k %mpirun 4 %t cyclic 2000000 102400 | %FileCheck %s
// CHECK: within the limit

#include <sendwright/redistribution.h>

#include <dlfcn.h>
#include <malloc.h>
#include <mpi.h>
#include <pthread.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <unordered_map>
#include <vector>

static void *runtimeBase;
static bool counting = false;
static pthread_t countedThread;
static long long now = 0, most = 0, largest = 0;

// Blocks that were counted; the table has static memory.
static struct {
  void *address;
  long long bytes;
} counted[1 << 16];
static int countedBlocks = 0;

static bool isRuntime(const void *caller) {
  Dl_info info;
  return counting && pthread_equal(pthread_self(), countedThread) && dladdr(caller, &info) &&
         info.dli_fbase == runtimeBase;
}

static void *note(void *made, std::size_t bytes, const void *caller) {
  if (made && isRuntime(caller) && countedBlocks < 1 << 16) {
    counted[countedBlocks++] = {made, (long long)bytes};
    now += (long long)bytes;
    largest = (long long)bytes > largest ? (long long)bytes : largest;
    most = now > most ? now : most;
  }
  return made;
}

static void drop(void *block) {
  if (!counting || !block)
    return;
  for (int i = countedBlocks; i-- > 0;)
    if (counted[i].address == block) {
      now -= counted[i].bytes;
      counted[i] = counted[--countedBlocks];
      return;
    }
}

extern "C" void *__libc_malloc(std::size_t);
extern "C" void __libc_free(void *);
extern "C" void *malloc(std::size_t bytes) noexcept {
  return note(__libc_malloc(bytes), bytes, __builtin_return_address(0));
}
extern "C" void free(void *block) noexcept {
  drop(block);
  __libc_free(block);
}
void *operator new(std::size_t bytes) {
  return note(__libc_malloc(bytes), bytes, __builtin_return_address(0));
}
void *operator new[](std::size_t bytes) {
  return note(__libc_malloc(bytes), bytes, __builtin_return_address(0));
}
void operator delete(void *block) noexcept { free(block); }
void operator delete[](void *block) noexcept { free(block); }
void operator delete(void *block, std::size_t) noexcept { free(block); }
void operator delete[](void *block, std::size_t) noexcept { free(block); }

static double *A;

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const long long each = std::atoll(argv[2]) / ranks;
  const long long limit = argc > 3 ? std::atoll(argv[3]) : 1000000;
  Dl_info info;
  dladdr(reinterpret_cast<void *>(&sendwright_redistribute), &info);
  void *resolved = dlsym(RTLD_DEFAULT, "sendwright_redistribute");
  dladdr(resolved, &info);
  runtimeBase = info.dli_fbase;

  static sendwright_site site = {"memory.cpp", "main", 1, 0, 0, 0, nullptr};
  const sendwright_processors onto = {"P", nullptr, 1, {ranks, 0}};
  sendwright_distribution equal, other;
  std::vector<long long> sizes(ranks, each), others(ranks, 0);
  for (int i = 0; i < ranks; ++i) // uneven, and everything moves
    others[(i + 1) % ranks] = each + (i % 2 ? each / 2 : i + 1 < ranks ? -each / 2 : 0);
  std::memset(&equal, 0, sizeof equal);
  equal.dimensions = 1;
  equal.dimension[0] = {SENDWRIGHT_GEN_BLOCK, 0, sizes.data(), 8, 1, ranks};
  equal.extents[0] = -1;
  other = equal;
  other.dimension[0].sizes = others.data();
  if (!std::strcmp(argv[1], "cyclic"))
    other.dimension[0] = {SENDWRIGHT_CYCLIC, 3, nullptr, 0, 0, 0};
  else
    while (true) {
      long long sum = 0;
      for (long long size : others)
        sum += size;
      if (sum >= each * ranks)
        break;
      others[0] += each * ranks - sum;
    }
  A = static_cast<double *>(std::malloc(sizeof(double) * (each + 1)));
  for (long long i = 0; i < each; ++i)
    A[i] = double(rank * each + i);
  sendwright_array array = {"A", &A, sizeof(double), nullptr, nullptr};
  sendwright_array *const arrays[] = {&array};
  countedThread = pthread_self();
  counting = true;
  sendwright_distribute(&site, &array, &onto, &equal);
  long long worst = 0;
  for (int turn = 0; turn < 4; ++turn) {
    now = most = largest = 0, countedBlocks = 0;
    sendwright_redistribute(&site, 0, nullptr, 1, arrays, turn % 2 ? &equal : &other);
    const long long beside = most - largest; // without the new block
    worst = beside > worst ? beside : worst;
  }
  counting = false;
  long long wrong = 0, mine[2], all[2];
  for (long long i = 0; i < each; ++i)
    wrong += A[i] != double(rank * each + i);
  mine[0] = worst, mine[1] = wrong;
  MPI_Reduce(mine, all, 2, MPI_LONG_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0)
    std::printf("%lld bytes beside the blocks, %lld wrong elements: %s\n", all[0], all[1],
                all[0] > 0 && all[0] < limit && all[1] == 0 ? "within the limit" : "too much");
  sendwright_forget(&array);
  std::free(A);
  MPI_Finalize();
}
