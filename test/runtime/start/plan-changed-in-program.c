// A plan that was changed inside the program, with correct checksums, so that the ranks' parts contradict each
// other: ranks notice at MPI_Init, one line names the first contradiction, and the program runs as written.
// Rank 0 reads the parts of all for collectives; for exchanges, all ranks find first that something is wrong. Fails
// when a rank follows its part: the sum is wrong, or a rank waits forever.
//
// RUN: rm -rf %t && mkdir -p %t/changed && cd %t
// RUN: %mpicc %source_root/test/benchmark/plan-changes/program.c %planned_loop -DWITHOUT_LOG -o program %runtime
// RUN: %mpirun 4 ./program collectives > expected
// RUN: %plan_changes base collectives app.plan
// RUN: env TEST_PLAN=app.plan %mpirun 4 ./program collectives > out 2> errors
// RUN: cmp out expected && test ! -s errors
// RUN: %plan_changes write app.plan changed 12 3 every
// RUN: for plan in changed/*.plan; do env TEST_PLAN=$plan MPIRUN_LIMIT=50 %mpirun 4 ./program collectives \
// RUN:   > out 2>> errors && cmp out expected || { echo $plan; exit 1; }; done
// RUN: %FileCheck %s < errors
//
// RUN: env SENDWRIGHT_DISABLE=1 %mpirun 4 ./program exchanges > expected
// RUN: %plan_changes base exchanges shared.plan
// RUN: env TEST_PLAN=shared.plan %mpirun 4 ./program exchanges > out 2> errors
// RUN: cmp out expected && test ! -s errors
// RUN: rm changed/* && %plan_changes write shared.plan changed 16 3
// RUN: for plan in changed/*.plan; do env TEST_PLAN=$plan MPIRUN_LIMIT=50 %mpirun 4 ./program exchanges \
// RUN:   > out 2>> errors && cmp out expected || { echo $plan; exit 1; }; done
// RUN: %FileCheck %s --check-prefix=SHARED < errors
//
// CHECK: sendwright: the plan in program.c contradicts itself: {{.*}}: collectives run as written
// SHARED: sendwright: the plan in program.c contradicts itself: exchange {{[0-9]+}} at program.c:1: {{.*}}: no messages are shared
