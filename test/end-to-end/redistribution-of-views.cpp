// Views for which the program says where their elements are: one type, and all of a template. A view without a
// specialisation is an error, as before.
//
// RUN: %mpicxx -std=c++17 -I%source_root/runtime/include -O1 -Wall -Wextra -Werror %plugin %s -o %t %runtime
// RUN: %mpirun 4 %t | %FileCheck %s
// RUN: ! %mpicxx -std=c++17 -I%source_root/runtime/include -DUNKNOWN %plugin -c %s -o %t.o 2> %t.errors
// RUN: %FileCheck %s --check-prefix=ERROR < %t.errors
// CHECK: grid: 0 wrong
// CHECK-NEXT: line: 0 wrong
// CHECK-NEXT: parameter: 0 wrong
// ERROR: error: hpf: 'other' is of type {{.*}}Unknown

#include <sendwright/view.h>

#include <mpi.h>

#include <cstdio>
#include <vector>

namespace views {

template <typename Element> struct Grid {
  Element *first;
  int rows, columns;
  Element &operator()(int row, int column) const { return first[row * columns + column]; }
};

struct Line {
  std::vector<double> *elements;
};

struct Unknown {
  double *first;
};

} // namespace views

template <typename Element> struct sendwright_view<views::Grid<Element>> {
  typedef Element element;
  static Element *data(views::Grid<Element> &grid) { return grid.first; }
  static unsigned long long size(const views::Grid<Element> &grid) {
    return static_cast<unsigned long long>(grid.rows) * static_cast<unsigned>(grid.columns);
  }
};

template <> struct sendwright_view<views::Line> {
  typedef double element;
  static double *data(views::Line &line) { return line.elements->data(); }
  static unsigned long long size(const views::Line &line) { return line.elements->size(); }
};

static int rank, ranks;

static void report(const char *name, int wrong) {
  int all;
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    std::printf("%s: %d wrong\n", name, all);
}

/* Rows in blocks, then columns. */
static void grid() {
  constexpr int rows = 9, columns = 8;
  std::vector<short> memory(rows * columns);
  views::Grid<short> A{memory.data(), rows, columns};
#pragma hpf processors P(ranks)
#pragma hpf distribute A(cyclic, *) onto P extent(A.rows, columns)
#pragma hpf dynamic A
  for (int row = rank; row < rows; row += ranks)
    for (int column = 0; column < columns; column++)
      A(row, column) = static_cast<short>(100 * row + column);
#pragma hpf redistribute A(*, cyclic)
  int wrong = A.first != memory.data();
  for (int row = 0; row < rows; row++)
    for (int column = rank; column < columns; column += ranks)
      wrong += A(row, column) != 100 * row + column;
  report("grid", wrong);
}

static void line() {
  std::vector<double> memory(40);
  views::Line A{&memory};
#pragma hpf processors P(ranks)
#pragma hpf distribute A(block) onto P extent(40)
#pragma hpf dynamic A
  const int each = 40 / ranks;
  for (int at = rank * each; at < (rank + 1) * each; at++)
    memory[static_cast<unsigned>(at)] = at;
#pragma hpf redistribute A(cyclic)
  int wrong = 0;
  for (int at = rank; at < 40; at += ranks)
    wrong += memory[static_cast<unsigned>(at)] != at;
  report("line", wrong);
}

static void parameter(views::Grid<int> A) {
#pragma hpf processors P(ranks)
#pragma hpf distribute A(block, *) onto P extent(A.rows, A.columns)
#pragma hpf dynamic A
  const int each = A.rows / ranks;
  for (int row = rank * each; row < (rank + 1) * each; row++)
    for (int column = 0; column < A.columns; column++)
      A(row, column) = 10 * row + column;
#pragma hpf redistribute A(cyclic, *)
  int wrong = 0;
  for (int row = rank; row < A.rows; row += ranks)
    for (int column = 0; column < A.columns; column++)
      wrong += A(row, column) != 10 * row + column;
  report("parameter", wrong);
}

#ifdef UNKNOWN
static void unknown(views::Unknown other) {
#pragma hpf processors P(ranks)
#pragma hpf distribute other(block) onto P extent(10)
}
#endif

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  grid();
  line();
  std::vector<int> memory(32);
  parameter({memory.data(), 8, 4});
  MPI_Finalize();
}
