// Generate mode marks calls of functions that may wrap MPI: those with a parameter of one of MPI's types,
// whatever the program calls that type. No line moves, and no warning arises. Fails when a call lacks its
// mark, or another call gets one.
//
// RUN: %cc %generate %argument-output-dir=%t -Weverything -Wno-declaration-after-statement -Wno-missing-prototypes -Wno-padded -Wno-unsafe-buffer-usage -Wno-pre-c11-compat -Wno-unknown-warning-option -Wno-uninitialized-const-pointer -Wno-gnu -Wno-pedantic -Werror -c %s -o %t.o
// RUN: %FileCheck %s < %t/calls-of-wrappers.c
// RUN: llvm-nm-19 -u %t.o | grep -x ' *U sendwright_called_from'
//
// CHECK: {{^}}  sendwright_called_from(&sendwright_caller_marked_{{[0-9a-f]+}});
// CHECK-NEXT: {{^}}  layer_send(values,
// CHECK-NEXT: {{^}}             1, everyone);
// CHECK-NEXT: {{^}}  if ((sendwright_called_from(&{{[a-z0-9_]+}}), layer_wait(&request)))
// CHECK-NEXT: {{^}}    return (sendwright_called_from(&{{[a-z0-9_]+}}), layer_count(&status));
// CHECK-NEXT: {{^}}  sendwright_called_from(&{{[a-z0-9_]+}});
// CHECK-NEXT: {{^}}  return layer_count(&status);
//
// Not what cannot reach MPI, has no such parameter, is written in a macro, or whose arguments may call MPI.
// CHECK: {{^}}int left(
// CHECK-NEXT: {{^}}  int size = same(everyone) == everyone;
// CHECK-NEXT: {{^}}  size += opaque(size) + LAYER_COUNT(status);
// CHECK-NEXT: {{^}}  layer_send(&size, (sendwright_called_from(&{{[a-z0-9_]+}}), layer_count(status)), everyone);
// CHECK-NEXT: {{^}}  return layer_size((MPI_Aint)size);

#include <mpi.h>

typedef long MPI_Aint; // not in this header

typedef MPI_Comm layer_communicator;
typedef MPI_Request layer_request;
typedef MPI_Status layer_status;

void layer_send(const int *values, int count, layer_communicator communicator);
int layer_wait(layer_request *request);
int layer_count(const layer_status *status);
int layer_size(MPI_Aint size);
int opaque(int number);
#define LAYER_COUNT(status) layer_count(status)

static layer_communicator same(layer_communicator communicator) { return communicator; }

int marked(int *values, layer_communicator everyone) {
  layer_request request = 0;
  layer_status status;
  layer_send(values,
             1, everyone);
  if (layer_wait(&request))
    return layer_count(&status);
  return layer_count(&status);
}

int left(layer_communicator everyone, layer_status *status) {
  int size = same(everyone) == everyone;
  size += opaque(size) + LAYER_COUNT(status);
  layer_send(&size, layer_count(status), everyone);
  return layer_size((MPI_Aint)size);
}
