// A plan that was changed inside the program, with correct checksums, so that the ranks' parts contradict each
// other: rank 0 notices at MPI_Init, one line names the first contradiction, and the program runs as written.
// Fails when a rank follows its part: the sum is wrong, or a rank waits forever.
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
// CHECK: sendwright: the plan in program.c contradicts itself: {{.*}}: collectives run as written
