// A scope fits wherever a loop may stand: as the body of if, else and loops, after labels, before an
// else that belongs to an if inside the loop, around do-while with its semicolon.
//
// RUN: %cc %generate %argument-output-dir=%t -Wall -Wextra -Werror -Wno-unused-label -c %s -o %t.o
// RUN: %FileCheck %s < %t/positions.c
//
// CHECK: {{^}}  if (n > 0)
// CHECK-NEXT: {{^}}  { sendwright_mark({{[a-z0-9_]+}});
// CHECK-NEXT: {{^}}  for (int i = 0; i < n; i++) if (i) send(i); else send(-i);
// CHECK-NEXT: {{^}}  } else
// CHECK-NEXT: {{^}}  { sendwright_mark({{[a-z0-9_]+}});
// CHECK-NEXT: {{^}}  while (n++ < 0) send(n);
// CHECK-NEXT: {{^}}  }
// CHECK: {{^}}again:
// CHECK-NEXT: {{^}}{ sendwright_mark({{[a-z0-9_]+}});
// CHECK-NEXT: {{^}}do { send(n); } while (n-- > 0);
// CHECK-NEXT: {{^}}} // after
// CHECK: {{^}}  switch (n) { case 1:
// CHECK-NEXT: {{^}}  { sendwright_mark({{[a-z0-9_]+}});
// CHECK-NEXT: {{^}}  for (;;) { send(1); break; }
// CHECK-NEXT: {{^}}  } default: break; }
// CHECK: {{^}}  { sendwright_mark({{[a-z0-9_]+}});
// CHECK-NEXT: {{^}}  for (int i = 0; i < n; i++)
// CHECK-NEXT: {{^}}    { sendwright_mark({{[a-z0-9_]+}});
// CHECK-NEXT: {{^}}    for (int j = 0; j < n; j++)
// CHECK-NEXT: {{^}}      CHECKED(send(j));
// CHECK-NEXT: {{^}}    }
// CHECK-NEXT: {{^}}  }

#include <mpi.h>

#define CHECKED(call) do { if (call) return 1; } while (0)

static int send(int peer) { return MPI_Send(&peer, 1, MPI_INT, peer, 0, MPI_COMM_WORLD); }

int positions(int n) {
  if (n > 0) for (int i = 0; i < n; i++) if (i) send(i); else send(-i); else while (n++ < 0) send(n);
again: do { send(n); } while (n-- > 0); // after
  switch (n) { case 1: for (;;) { send(1); break; } default: break; }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      CHECKED(send(j));
  return 0;
}
