// Arrays of all distributions, types and extents go from one to the next, in the order that a seed
// says, and the place of every element is compared with the definition of the distributions,
// computed element by element. One to seven dimensions, one array and two that share messages, in
// memory from malloc, in vectors and in place, from some ranks to others, with cells around the
// blocks that reflect fills, on reversed and split communicators, with all schedules. In every third chain arrays are
// aligned: they move with arrays and templates that are redistributed, and are realigned with others.
//
// RUN: %mpicxx -std=c++17 -O1 -I%source_root/runtime/include %s -o %t %runtime
// RUN: %mpirun 1 %t 1 60 | %FileCheck %s
// RUN: %mpirun 2 %t 2 60 | %FileCheck %s
// RUN: %mpirun 3 %t 3 60 | %FileCheck %s
// RUN: %mpirun 4 %t 4 60 | %FileCheck %s
// RUN: %mpirun 6 %t 5 40 | %FileCheck %s
// RUN: %mpirun 8 %t 6 40 | %FileCheck %s
// RUN: env SENDWRIGHT_REDISTRIBUTE_MEMORY=1k %mpirun 4 %t 7 60 | %FileCheck %s
// RUN: env SENDWRIGHT_REDISTRIBUTE_MEMORY=100 %mpirun 3 %t 8 40 | %FileCheck %s
// RUN: env SENDWRIGHT_DISABLE=1 %mpirun 4 %t 9 40 | %FileCheck %s
// RUN: env SENDWRIGHT_DISABLE=1 SENDWRIGHT_REDISTRIBUTE_MEMORY=64 %mpirun 3 %t 10 8 | %FileCheck %s
// RUN: env SENDWRIGHT_BUFFERS=0 %mpirun 4 %t 11 20 | %FileCheck %s
// RUN: env SENDWRIGHT_REDISTRIBUTE_TRUST=1 %mpirun 4 %t 12 40 | %FileCheck %s
// RUN: env SENDWRIGHT_REDISTRIBUTE_TRUST=1 SENDWRIGHT_REDISTRIBUTE_MEMORY=1k %mpirun 6 %t 13 30 | %FileCheck %s
// CHECK: {{[0-9]+}} redistributions, 0 wrong elements

#include "../inputs/alignment-cases.h"

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const unsigned seed = std::atoi(argv[1]);
  const int chains = std::atoi(argv[2]);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm reversed, split;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 3 == 1, rank, &split);
  Totals totals;
  for (int chain = 0; chain < chains; ++chain) {
    Random random(seed * 1000 + chain);
    MPI_Comm all[] = {MPI_COMM_WORLD, reversed, split};
    const MPI_Comm communicator = all[random.below(3)];
    if (chain % 3 == 2)
      runAlignedChain(random, communicator, totals);
    else
      runChain(random, communicator, totals);
  }
  totals.print();
  MPI_Finalize();
}
