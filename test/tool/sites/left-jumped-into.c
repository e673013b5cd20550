// Nothing may jump into a scope: a loop with a label or a case that outside code reaches stays as it
// is. Jumps inside a loop, out of it, or inside a block of loops, are no obstacle.
//
// RUN: %cc %generate %argument-remarks=all %argument-output-dir=%t -c %s -o %t.o 2> %t.err
// RUN: %FileCheck %s --check-prefix=REMARK < %t.err
// RUN: grep -c '^ *{ sendwright_mark' %t/left-jumped-into.c | grep -x 4
//

#include <mpi.h>

static void send(int peer) { MPI_Send(&peer, 1, MPI_INT, peer, 0, MPI_COMM_WORLD); }

void jumps_in(int n) {
  if (n < 0)
    goto middle;
  // REMARK: left-jumped-into.c:[[#@LINE+1]]:3: remark: send loop left as written: a goto outside the loop jumps into it
  while (n > 0) {
    send(n);
  middle:
    n--;
  }
}
void duff(int n) {
  switch (n % 2) {
  case 0:
    // REMARK: left-jumped-into.c:[[#@LINE+1]]:5: remark: send loop left as written: a case label of a switch around the loop stands in it
    do {
      send(n--);
  case 1:
      send(n--);
    } while (n > 0);
  }
}
void computed(int n) {
  void *targets[] = {&&again, &&done};
  for (int i = 0; i < n; i++) send(i); // no label and no jump
  // REMARK: left-jumped-into.c:[[#@LINE+1]]:3: remark: send loop left as written: a computed goto may enter or leave the loop
  while (n-- > 0) {
  again:
    send(n);
    goto *targets[n == 0];
  }
done:;
}
void inside_and_out(int n) {
  for (int i = 0; i < n; i++) {
    switch (i) { case 0: send(0); break; default: if (n == 5) goto next; }
  next:
    if (i == 7) goto out;
  }
out:
  for (;;) { send(n); if (n) return; }
}
// REMARK-NOT: remark:
