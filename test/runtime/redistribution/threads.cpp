// Several threads of each rank redistribute their own arrays at once, over communicators of their
// own with the same ranks: every element arrives. Communicators come and go meanwhile.
//
// RUN: %mpicxx -std=c++17 -O1 -I%source_root/runtime/include %s -o %t %runtime -lpthread
// RUN: %mpirun 3 %t | %FileCheck %s
// RUN: env SENDWRIGHT_DISABLE=1 %mpirun 2 %t | %FileCheck %s
// CHECK: {{[0-9]+}} redistributions, 0 wrong elements

#include "../inputs/redistribution-cases.h"

#include <thread>

static void redistributeMuch(MPI_Comm mine, unsigned seed, Totals &totals) {
  for (int chain = 0; chain < 20; ++chain) {
    Random random(seed + chain);
    MPI_Comm shortLived;
    MPI_Comm_dup(mine, &shortLived);
    runChain(random, chain % 3 ? mine : shortLived, totals);
    MPI_Comm_free(&shortLived);
  }
}

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_MULTIPLE)
    MPI_Abort(MPI_COMM_WORLD, 1);
  constexpr unsigned count = 4;
  MPI_Comm communicators[count];
  Totals each[count], totals;
  std::vector<std::thread> threads;
  for (MPI_Comm &communicator : communicators)
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
  for (unsigned i = 0; i < count; ++i)
    threads.emplace_back(redistributeMuch, communicators[i], 1000 * (i + 1), std::ref(each[i]));
  for (std::thread &thread : threads)
    thread.join();
  for (unsigned i = 0; i < count; ++i) {
    totals.moves += each[i].moves;
    totals.wrong += each[i].wrong;
    MPI_Comm_free(&communicators[i]);
  }
  totals.print();
  MPI_Finalize();
}
