// Generate mode marks every direct call of MPI that can be a step: by a statement before the call if that
// is a statement of a block, else within the expression. No line moves, and no warning arises.
//
// RUN: %cc %generate %argument-output-dir=%t -Weverything -Wno-declaration-after-statement -Wno-missing-prototypes -Wno-missing-variable-declarations -Wno-padded -Wno-unsafe-buffer-usage -Wno-gnu -Wno-pedantic -Wno-pre-c11-compat -Wno-unknown-warning-option -Wno-unused-label -Wno-switch-default -Wno-unreachable-code -Werror -c %s -o %t.o
// RUN: %FileCheck %s < %t/calls-marked.c
// RUN: llvm-nm-19 -u %t.o | grep -x ' *U sendwright_call'
//
// CHECK: {{^}}  sendwright_call(&[[SITE:sendwright_site_positions_[0-9a-f]+]]);
// CHECK-NEXT: {{^}}  MPI_Send(&n, 1,
// CHECK-NEXT: {{^}}           MPI_INT, 0, 0, MPI_COMM_WORLD);
// CHECK-NEXT: {{^}}  sendwright_call(&{{[a-z0-9_]+}});
// CHECK-NEXT: {{^}}  error = MPI_Send(&n, 2,
// CHECK-NEXT: {{^}}  sendwright_call(&{{[a-z0-9_]+}});
// CHECK-NEXT: {{^}}  (void)MPI_Send(&n, 3,
// CHECK-NEXT: {{^}}  if (n > 0)
// CHECK-NEXT: {{^}}    (sendwright_call(&{{[a-z0-9_]+}}), MPI_Send(&n, 4, MPI_INT, 0, 0, MPI_COMM_WORLD));
// CHECK-NEXT: {{^}}  else
// CHECK-NEXT: {{^}}    (sendwright_call(&{{[a-z0-9_]+}}), MPI_Send(&n, 5, MPI_INT, 0, 0, MPI_COMM_WORLD));
// CHECK-NEXT: {{^}}again: (sendwright_call(&{{[a-z0-9_]+}}), MPI_Send(&n, 6, MPI_INT, 0, 0, MPI_COMM_WORLD));
// CHECK: case 1: (sendwright_call(&{{[a-z0-9_]+}}), MPI_Send(&n, 7,
// CHECK: int first = (sendwright_call(&{{[a-z0-9_]+}}), MPI_Send(&n, 8, MPI_INT, 0, 0, MPI_COMM_WORLD)), other = n;
// CHECK: error = n > 1 ? (sendwright_call(&{{[a-z0-9_]+}}), MPI_Send(&n, 9, {{[^?:]*}})) : (sendwright_call(&{{[a-z0-9_]+}}), MPI_Send(&n, 10, {{[^?:]*}}));
// CHECK: if ((sendwright_call(&{{[a-z0-9_]+}}), MPI_Send(&n, 11, {{.*}})) != 0) {
// CHECK: {{^}}  sendwright_call(&{{[a-z0-9_]+}});
// CHECK-NEXT: {{^}}  return MPI_Send(&n, 12,
// The answer to a loop over all ranks says which ones these are, as far as it knows.
// CHECK: {{^}}    (sendwright_call_where(&{{[a-z0-9_]+}}, 0, 1, size), MPI_Recv(values, 1,
//
// Not what may call MPI before it is itself called, what only looks like a call, and what is no step.
// A block of sends has a scope of its own, which a call closes because the block declares variables.
// CHECK: {{^}}  sendwright_mark([[BLOCK:sendwright_site_left_[0-9a-f]+_deferrable]]);
// CHECK-NEXT: {{^}}  MPI_Send(&n, unknown(n), MPI_INT, (sendwright_call(&{{[a-z0-9_]+}}), MPI_Send(&n, 13,
// CHECK-NEXT: {{^}}  {{(sendwright_call.*)?$}}
// CHECK-NEXT: {{^}}  MPI_Send(&n, known(n), MPI_INT, 0, 0, MPI_COMM_WORLD);
// CHECK-NEXT: {{^}}  int size = (int)sizeof(MPI_Send(&n, 14,
// CHECK-NEXT: {{^}}  size += _Generic(MPI_Send(&n, 15,
// CHECK-NEXT: {{^}}  __typeof__(MPI_Send(&n, 16,
// CHECK-NEXT: {{^}}  CHECKED(MPI_Send(&n, 17, MPI_INT, 0, 0, MPI_COMM_WORLD));
// CHECK-NEXT: {{^}}  SENDS;
// CHECK-NEXT: {{^}}  sendwright_mark_end(&[[BLOCK]]_scope);
// CHECK-NEXT: {{^}}  MPI_Comm_rank(MPI_COMM_WORLD, &size);
// CHECK-NEXT: {{^}}  return another + size + (*send)(&n, 18,
// CHECK: {{^}}  __attribute__((musttail)) return MPI_Send(buffer,

#include <mpi.h>

#define CHECKED(call) do { if (call) return 1; } while (0)
#define SENDS MPI_Send(&n, 19, MPI_INT, 0, 0, MPI_COMM_WORLD)

int positions(int n) {
  int error = 0;
  MPI_Send(&n, 1,
           MPI_INT, 0, 0, MPI_COMM_WORLD);
  error = MPI_Send(&n, 2, MPI_INT, 0, 0, MPI_COMM_WORLD);
  (void)MPI_Send(&n, 3, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (n > 0)
    MPI_Send(&n, 4, MPI_INT, 0, 0, MPI_COMM_WORLD);
  else
    MPI_Send(&n, 5, MPI_INT, 0, 0, MPI_COMM_WORLD);
again: MPI_Send(&n, 6, MPI_INT, 0, 0, MPI_COMM_WORLD);
  switch (n) {
  case 1: MPI_Send(&n, 7, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  int first = MPI_Send(&n, 8, MPI_INT, 0, 0, MPI_COMM_WORLD), other = n;
  error = n > 1 ? MPI_Send(&n, 9, MPI_INT, 0, 0, MPI_COMM_WORLD) : MPI_Send(&n, 10, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (MPI_Send(&n, 11, MPI_INT, 0, 0, MPI_COMM_WORLD) != 0) {
    return first + other + error;
  }
  return MPI_Send(&n, 12, MPI_INT, 0, 0, MPI_COMM_WORLD);
}

void broadcast(int *values, int rank, int size) {
  if (rank == 0)
    for (int i = 1; i < size; i++)
      MPI_Send(values, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
  else
    MPI_Recv(values, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, 0);
}

int unknown(int n);
static int known(int n) { return n + 1; }

int left(int n, int (*send)(const void *, int, MPI_Datatype, int, int, MPI_Comm)) {
  MPI_Send(&n, unknown(n), MPI_INT, MPI_Send(&n, 13, MPI_INT, 0, 0, MPI_COMM_WORLD), 0, MPI_COMM_WORLD);
  MPI_Send(&n, known(n), MPI_INT, 0, 0, MPI_COMM_WORLD);
  int size = (int)sizeof(MPI_Send(&n, 14, MPI_INT, 0, 0, MPI_COMM_WORLD));
  size += _Generic(MPI_Send(&n, 15, MPI_INT, 0, 0, MPI_COMM_WORLD), int: 1, default: 2);
  __typeof__(MPI_Send(&n, 16, MPI_INT, 0, 0, MPI_COMM_WORLD)) another = size;
  CHECKED(MPI_Send(&n, 17, MPI_INT, 0, 0, MPI_COMM_WORLD));
  SENDS;
  MPI_Comm_rank(MPI_COMM_WORLD, &size);
  return another + size + (*send)(&n, 18, MPI_INT, 0, 0, MPI_COMM_WORLD);
}

int forwarded(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm communicator) {
  __attribute__((musttail)) return MPI_Send(buffer, count, type, to, tag, communicator);
}
