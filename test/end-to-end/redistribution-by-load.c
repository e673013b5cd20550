// redistribute A(balance(costs)): blocks whose largest cost is least, of one array and of two, in memory of
// malloc() and in a whole array; nothing moves where no partition is better, as the block's address shows.
//
// RUN: %mpicc -std=c99 -O1 -Wall -Wextra -Werror %plugin %s -o %t %runtime 2> %t.remarks
// RUN: %mpirun 4 %t | %FileCheck %s
// RUN: env SENDWRIGHT_DISABLE=1 %mpirun 4 %t | %FileCheck %s
//
// CHECK: blocks: 16 rows, 0 wrong, largest cost 16
// CHECK-NEXT: equal: 16 rows, 0 wrong, largest cost 4
// CHECK-NEXT: again: 4 ranks keep their block
// CHECK-NEXT: steep: 16 rows, 0 wrong, largest cost [[#FOUR:]]
// CHECK-NEXT: least of four blocks [[#FOUR]]
// CHECK-NEXT: elsewhere: 16 rows, 0 wrong, largest cost [[#TWO:]]
// CHECK-NEXT: least of two blocks [[#TWO]]
// CHECK-NEXT: whole: 16 rows, 0 wrong, largest cost [[#FOUR]]

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank;

static void report(const char *name, int rows, double cost, int wrong) {
  int counts[2] = {rows, wrong}, sums[2];
  double largest;
  MPI_Reduce(counts, sums, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&cost, &largest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%s: %d rows, %d wrong, largest cost %g\n", name, sums[0], sums[1], largest);
}

/* What this rank's rows cost, and whether they are those that follow `first`. */
static void check(const char *name, int (*rows)[3], const short *steps, const double *costs,
                  int first, int count) {
  double cost = 0;
  int wrong = 0;
  for (int i = 0; i < count; i++) {
    cost += costs[first + i];
    for (int j = 0; j < 3; j++)
      wrong += rows[i][j] != 10 * (first + i) + j;
    wrong += steps[i] != first + i;
  }
  report(name, count, cost, wrong);
}

static int first_of(const int *sizes, int blocks) {
  int first = 0;
  for (int block = 0; block < rank && block < blocks; block++)
    first += sizes[block];
  return first;
}

/* The least largest cost of 16 rows in two or four blocks, by trying all. */
static double least(const double *costs, int blocks) {
  double found = 1e300;
  for (int a = 0; a <= 16; a++)
    for (int b = a; b <= 16; b++)
      for (int c = b; c <= 16; c++) {
        const int ends[5] = {0, a, blocks == 2 ? 16 : b, blocks == 2 ? 16 : c, 16};
        double largest = 0;
        for (int block = 0; block < 4; block++) {
          double sum = 0;
          for (int row = ends[block]; row < ends[block + 1]; row++)
            sum += costs[row];
          largest = sum > largest ? sum : largest;
        }
        found = largest < found ? largest : found;
      }
  return found;
}

static float whole[16];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int sizes[4] = {16, 0, 0, 0};
  long on_two[2];
  double even[16], steep[16];
  for (int i = 0; i < 16; i++)
    even[i] = 1, steep[i] = i + 1;
  int count = sizes[rank];
  int(*rows)[3] = malloc(sizeof *rows * 16);
  short *steps = malloc(sizeof *steps * 16);
#pragma hpf processors P(4)
#pragma hpf processors Q(2) ranks(0:1)
#pragma hpf distribute rows(gen_block(sizes), *) onto P
#pragma hpf distribute steps(gen_block(sizes)) onto P
#pragma hpf dynamic
  for (int i = 0; i < count; i++) {
    rows[i][0] = 10 * i, rows[i][1] = 10 * i + 1, rows[i][2] = 10 * i + 2;
    steps[i] = (short)i;
  }
  check("blocks", rows, steps, even, 0, count);
#pragma hpf redistribute steps(balance(even))
#pragma hpf redistribute rows(balance(even, sizes), *)
  check("equal", rows, steps, even, first_of(sizes, 4), sizes[rank]);

  int(*const kept)[3] = rows;
  for (int i = 0; i < 4; i++)
    sizes[i] = -1;
#pragma hpf redistribute rows(balance(even, sizes), *)
  int keeps = kept == rows && sizes[0] == 4 && sizes[3] == 4, keeping;
  MPI_Reduce(&keeps, &keeping, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("again: %d ranks keep their block\n", keeping);

  /* Arrays that were not balanced before: nobody knows what a move of theirs costs, so they move. */
  count = sizes[rank];
  int(*tall)[3] = malloc(sizeof *tall * 16);
  short *marks = malloc(sizeof *marks * 16);
#pragma hpf distribute tall(gen_block(sizes), *) onto P
#pragma hpf distribute marks(gen_block(sizes)) onto P
  for (int i = 0; i < count; i++) {
    marks[i] = (short)(first_of(sizes, 4) + i);
    for (int j = 0; j < 3; j++)
      tall[i][j] = 10 * marks[i] + j;
  }
  double *mine = steep + first_of(sizes, 4);
#pragma hpf redistribute marks(balance(mine))
#pragma hpf redistribute tall(balance(mine, sizes), *)
  check("steep", tall, marks, steep, first_of(sizes, 4), sizes[rank]);
  if (rank == 0)
    printf("least of four blocks %g\n", least(steep, 4));

  mine = steep + first_of(sizes, 4);
#pragma hpf redistribute tall(balance(mine), *) onto Q
#pragma hpf redistribute marks(balance(mine, on_two)) onto Q
  const int two[2] = {(int)on_two[0], (int)on_two[1]};
  check("elsewhere", tall, marks, steep, first_of(two, 2), rank < 2 ? two[rank] : 0);
  if (rank == 0)
    printf("least of two blocks %g\n", least(steep, 2));

#pragma hpf distribute whole(cyclic) onto P
  float costs[4];
  double cost = 0;
  for (int i = rank; i < 16; i += 4)
    whole[i] = (float)i, costs[i / 4] = (float)steep[i];
#pragma hpf redistribute whole(balance(costs, sizes))
  int wrong = 0;
  for (int i = first_of(sizes, 4), end = i + sizes[rank]; i < end; i++)
    wrong += whole[i] != (float)i, cost += steep[i];
  report("whole", sizes[rank], cost, wrong);
  MPI_Finalize();
}
