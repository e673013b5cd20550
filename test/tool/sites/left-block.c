// Blocks of statements that may not get a scope: each is marked or left as a loop would be, with the
// reason.
//
// RUN: %cc -fopenmp %generate %argument-remarks=all %argument-output-dir=%t -c %s -o %t.o 2> %t.err
// RUN: %FileCheck %s --check-prefix=GENERATE < %t.err
// RUN: grep -c '^ *{* *sendwright_mark(' %t/left-block.c | grep -x 3
// RUN: %plan_for %t.plan rewrite %cc -fopenmp %s
// RUN: %cc -fopenmp %use=%t.plan -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=USE

#include <mpi.h>
#include <unistd.h>

#define SEND(TO) MPI_Send(&to[TO], 1, MPI_INT, to[TO], 0, MPI_COMM_WORLD)
#define SENDS SEND(0); SEND(1); SEND(2)

void jumped_into(int *to, int n) {
  if (n > 3)
    goto middle;
  // GENERATE: left-block.c:[[#@LINE+1]]:3: remark: block of 3 sends left as written: a goto outside the block jumps into it
  SEND(0);
middle:
  SEND(1);
  SEND(2);
}
void jumped_over(int *to, int n) {
  if (n > 3)
    goto end;
  // GENERATE: left-block.c:[[#@LINE+1]]:3: remark: block of 3 sends left as written: a goto outside the statements from there on jumps into it, and the block declares variables
  SEND(0);
  int next = n + 1;
  SEND(1);
  SEND(next);
end:
  to[0]++;
}
void in_macro(int *to) {
  // GENERATE: left-block.c:[[#@LINE+1]]:3: remark: block of 3 sends left as written: the block begins or ends within a macro
  SENDS;
}
void waits(int *to) {
  // USE: left-block.c:[[#@LINE+1]]:3: remark: block of 3 sends left as written: calls usleep, which may wait outside MPI
  SEND(0);
  SEND(1);
  usleep(3);
  SEND(2);
}
void many_threads(int *to) {
#pragma omp parallel
  {
    // USE: left-block.c:[[#@LINE+1]]:5: remark: block of 3 sends left as written: stands inside an OpenMP region
    SEND(0);
    SEND(1);
    SEND(2);
  }
}
void with_pragma(int *to) {
  // GENERATE: left-block.c:[[#@LINE+2]]:3: remark: block of 3 sends left as written: a pragma applies to the block (GCC ivdep)
#pragma GCC ivdep
  SEND(0);
  SEND(1);
  SEND(2);
}
// Beside these: one that may.
void fine(int *to, int n) {
  // USE: left-block.c:[[#@LINE+1]]:3: remark: block of 3 sends reordered by 'message-ordering':
  SEND(0);
  int next = n + 1;
  SEND(next);
  if (next > 3)
    return;
  SEND(2);
}
// GENERATE-NOT: remark:
// USE-NOT: remark:
