// A program with a known overhead: a hundred times, every rank computes its share and then exchanges with
// log2 p other ranks, one after another. On simulated nodes an exchange always takes the same time, so
// that T_o is a p log2 p. Charts are drawn; what cannot be reported is refused.
//
// REQUIRES: smpicc
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %source_root/test/benchmark/testbed/smpi compile -O1 %generate %s -o program \
// RUN:   -L%binary_root/lib/smpi -lsendwright -lstdc++ -lz
// RUN: for p in 1 2 4 8 16; do env SENDWRIGHT_PROFILE=$p.prof %source_root/test/benchmark/testbed/smpi run $p \
// RUN:   %source_root/examples/platforms/fast-ethernet.xml ./program > $p.out || exit 1; done
// RUN: %sendwright report-scaling 8.prof 1.prof 4.prof 2.prof 16.prof -o charts > out
// RUN: %FileCheck %s < out
// CHECK: time of one processor, T_s: the run on one rank
// CHECK: ranks size T_p, s T_s, s speed-up efficiency communication overhead, s by the law, s
// CHECK-NEXT: 1 1 0.8{{[0-9]+}} 0.8{{[0-9]+}} 1.000 100.0 % 0.0 % 0.0
// CHECK-NEXT: 2 1 0.41
// CHECK-NEXT: 4 1 0.23{{[0-9]+}} 0.8{{[0-9]+}} 3.441 86.0 % 14.0 %
// CHECK: fitted to the 4 runs
// CHECK-NEXT: T_o = 0.016{{[23]}} p log2 p residual 0.{{[0-9]}} %
// CHECK-NEXT: T_o = {{.*}} p^1.{{[0-9]+}} residual
// CHECK: isoefficiency: work must grow as p log2 p
// CHECK: {{^}} 32 2.60
// RUN: grep -c '</svg>' charts/speed-up.svg charts/efficiency.svg charts/overhead.svg charts/isoefficiency.svg
// RUN: python3 -c "import xml.dom.minidom, glob; [xml.dom.minidom.parse(f) for f in glob.glob('charts/*.svg')]"
//
// Without a run on one rank, with too few runs, and with sizes that follow the ranks:
// RUN: %sendwright report-scaling 2.prof 4.prof | %FileCheck %s --check-prefix=FEW
// FEW: T_s: the computation of all ranks in the run with the fewest ranks
// FEW: too few runs to tell
// FEW: few runs: predictions beyond them are guesses
// RUN: %sendwright report-scaling 2.prof 4.prof 8.prof --size 2,4,8 --json > sizes.json
// RUN: python3 -c "import json; j = json.load(open('sizes.json')); assert j['size_follows_ranks'] and abs(j['runs'][2]['serial_seconds'] / j['runs'][0]['serial_seconds'] - 4) < 1e-9"
//
// RUN: sh -c '%sendwright report-scaling 2.prof 4.prof --size 1 2> err; test $? = 2'
// RUN: grep -- '--size: found 1, expected one for each of 2 profiles' err
// RUN: %sendwright trace export 2.prof -o 2.trace && %sendwright trace import 2.trace -o imported.prof
// RUN: sh -c '%sendwright report-scaling imported.prof 2> err; test $? = 1'
// RUN: grep 'imported.prof: no times in it, expected the profile of a run' err

#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  double sum = rank;
  for (int round = 0; round < 100; ++round) {
    usleep(8000 / ranks);
    for (int distance = 1; distance < ranks; distance *= 2) {
      double other;
      MPI_Sendrecv(&sum, 1, MPI_DOUBLE, rank ^ distance, 0, &other, 1, MPI_DOUBLE, rank ^ distance, 0,
                   MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      sum += other;
    }
  }
  MPI_Finalize();
  if (rank == 0)
    puts("done");
}
