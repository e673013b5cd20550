// A program with directives alone: what each rank holds afterwards is what the distribution says, in pointers,
// vectors (also with allocators of their own), rows and two dimensions, in loops and lambdas, with constants and with sizes known at run time.
//
// RUN: %mpicxx -std=c++17 -O1 -g -Wall -Wextra -Werror %plugin %s -o %t %runtime
// RUN: %mpirun 6 %t | %FileCheck %s
// RUN: env SENDWRIGHT_DISABLE=1 %mpirun 6 %t | %FileCheck %s
// RUN: %mpicxx -std=c++17 %generate %s -o %t %runtime && env SENDWRIGHT_PROFILE=%t.prof %mpirun 6 %t | %FileCheck %s
// CHECK: all elements are in place

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

struct particle {
  double position;
  int kind;
};
float *global;
static int me, wrong;

static void check(bool right) { wrong += !right; }
static int firstOf(const std::vector<int> &sizes) {
  int first = 0;
  for (int rank = 0; rank < me; rank++)
    first += sizes[static_cast<unsigned>(rank)];
  return first;
}

// The sizes of round r: they always sum to 60, and some are 0.
static std::vector<int> sizesOf(int round) {
  std::vector<int> sizes(6, 10);
  sizes[static_cast<unsigned>(round % 6)] += sizes[static_cast<unsigned>((round + 2) % 6)];
  sizes[static_cast<unsigned>((round + 2) % 6)] = 0;
  return sizes;
}

#pragma hpf processors All(6)
#pragma hpf dynamic global
static void start(const std::vector<int> &old) {
  global = static_cast<float *>(std::malloc(10 * sizeof *global));
  for (int i = 0; i < 10; i++)
    global[i] = static_cast<float>(firstOf(old) + i);
#pragma hpf distribute global(block) onto All extent(60)
}

static void oneDimension() {
  std::vector<int> old(6, 10);
  start(old);
  auto *A = static_cast<particle *>(std::malloc(10 * sizeof(particle)));
  std::vector<long> B(10);
  for (int i = 0; i < 10; i++) {
    A[i] = {0.5 * (firstOf(old) + i), firstOf(old) + i};
    B[static_cast<unsigned>(i)] = 3L * (firstOf(old) + i);
  }
#pragma hpf distribute (gen_block(old)) onto All :: A, B
#pragma hpf dynamic A, B
  old.assign(6, 1000); // the sizes were copied
  auto move = [&](const std::vector<int> &sizes) {
#pragma hpf redistribute (gen_block(sizes)) :: A, B
#pragma hpf redistribute global(gen_block(sizes)) schedule(optimal)
  };
  for (int round = 0; round < 9; round++) {
    const std::vector<int> sizes = sizesOf(round);
    move(sizes);
    check(static_cast<int>(B.size()) == sizes[static_cast<unsigned>(me)]);
    for (int i = 0; i < sizes[static_cast<unsigned>(me)]; i++) {
      const int at = firstOf(sizes) + i;
      check(A[i].kind == at && B[static_cast<unsigned>(i)] == 3L * at &&
            global[i] == static_cast<float>(at));
    }
  }
#pragma hpf redistribute B(cyclic(4))
  check(B.size() == (me < 3 ? 12U : 8U));
  for (unsigned i = 0; i < B.size(); i++)
    check(B[i] == 3L * ((i / 4 * 6 + static_cast<unsigned>(me)) * 4 + i % 4));
  std::free(A);
}

static void withConstants() {
  static const int before[] = {1, 2, 3, 4, 5, 6}, after[] = {6, 5, 4, 3, 2, 1};
  auto *A = static_cast<int *>(std::malloc(sizeof(int) * static_cast<unsigned>(before[me])));
  const std::vector<int> old(before, before + 6), fresh(after, after + 6);
  for (int i = 0; i < before[me]; i++)
    A[i] = firstOf(old) + i;
#pragma hpf distribute A(gen_block(before)) onto All
#pragma hpf dynamic A
#pragma hpf redistribute A(gen_block(after))
  for (int i = 0; i < after[me]; i++)
    check(A[i] == firstOf(fresh) + i);
  std::free(A);
}

// An allocator that must be told what it is for; what it gives out is counted.
template <typename Value> struct Counting {
  using value_type = Value;
  explicit Counting(long &live) : live(&live) {}
  template <typename Other> Counting(const Counting<Other> &other) : live(other.live) {}
  Value *allocate(std::size_t count) {
    *live += static_cast<long>(count);
    return std::allocator<Value>().allocate(count);
  }
  void deallocate(Value *memory, std::size_t count) {
    *live -= static_cast<long>(count);
    std::allocator<Value>().deallocate(memory, count);
  }
  bool operator==(const Counting &other) const { return live == other.live; }
  bool operator!=(const Counting &other) const { return live != other.live; }
  long *live;
};

static void ownAllocator() {
  long live = 0;
  {
    std::vector<int, Counting<int>> A(10, me, Counting<int>(live));
    const std::vector<int> after{0, 20, 5, 15, 20, 0};
#pragma hpf distribute A(block) onto All extent(60)
#pragma hpf dynamic A
#pragma hpf redistribute A(gen_block(after))
    check(static_cast<int>(A.size()) == after[static_cast<unsigned>(me)]);
    check(live == static_cast<long>(A.capacity()));
    for (int i = 0; i < static_cast<int>(A.size()); i++)
      check(A[static_cast<unsigned>(i)] == (firstOf(after) + i) / 10);
  }
  check(live == 0);
}

static void twoDimensions(MPI_Comm mine) {
#pragma hpf processors Grid(2, 3) comm(mine)
#pragma hpf processors Line(6) comm(mine)
  // 8 rows of 5: of rows a pointer to rows, and a flat block
  double(*rows)[5] = static_cast<double (*)[5]>(std::malloc(8 * sizeof *rows));
  const int first[6] = {8, 0, 0, 0, 0, 0}, second[6] = {1, 2, 0, 1, 3, 1};
  for (int i = 0; me == 0 && i < 40; i++)
    rows[i / 5][i % 5] = i;
#pragma hpf distribute rows(gen_block(first), *) onto Line
#pragma hpf dynamic rows
#pragma hpf redistribute rows(gen_block(second), *)
  int row = 0;
  for (int rank = 0; rank < me; rank++)
    row += second[rank];
  for (int i = 0; i < 5 * second[me]; i++)
    check(rows[i / 5][i % 5] == 5 * row + i);
  std::free(rows);

  // 8 x 9 on 2 x 3 processors: blocks of 4 x 3, and then others
  std::vector<short> block(12);
  const int tall[] = {3, 5}, wide[] = {4, 1, 4};
  for (int i = 0; i < 12; i++)
    block[static_cast<unsigned>(i)] =
        static_cast<short>(9 * (me / 3 * 4 + i / 3) + me % 3 * 3 + i % 3);
#pragma hpf distribute block(block, block) onto Grid(2, 3) extent(8, 9)
#pragma hpf dynamic block
#pragma hpf redistribute block(gen_block(tall), gen_block(wide))
  const int width = wide[me % 3], top = me / 3 ? 3 : 0, left = me % 3 == 0 ? 0 : me % 3 == 1 ? 4 : 5;
  check(static_cast<int>(block.size()) == tall[me / 3] * width);
  for (int i = 0; i < static_cast<int>(block.size()); i++)
    check(block[static_cast<unsigned>(i)] == 9 * (top + i / width) + left + i % width);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm mine;
  MPI_Comm_dup(MPI_COMM_WORLD, &mine);
  oneDimension();
  withConstants();
  ownAllocator();
  twoDimensions(mine);
  std::free(global);
  MPI_Comm_free(&mine);
  int all = 0;
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (me == 0)
    std::puts(all == 0 ? "all elements are in place" : "elements are not in place");
  MPI_Finalize();
  return 0;
}
