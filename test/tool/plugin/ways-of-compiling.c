// Every action of the compiler sees the rewritten unit; so does a unit that comes through a pipe, was
// preprocessed before, or has a precompiled header.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s unit.c && %plan_for app.plan rewrite %cc unit.c
// RUN: for flags in -O0 -O3 -fPIC -fPIE -g -MMD -fsanitize=address -ftime-trace; do \
// RUN:   %cc $flags %use=app.plan %argument-remarks=none -c unit.c -o unit.o && llvm-nm-19 -u unit.o | grep -q sendwright_batch_begin || { echo $flags; exit 1; }; done
// RUN: %cc %use=app.plan -S unit.c -o - | grep 'call.*sendwright_batch_begin'
// RUN: %cc %use=app.plan -S -emit-llvm unit.c -o - | grep 'call.*sendwright_batch_begin'
// RUN: %cc %use=app.plan -flto -c unit.c -o unit.o && $(%clang -print-resource-dir)/../../../bin/llvm-nm -u unit.o | grep sendwright_batch_begin
// RUN: %cc %generate -x c -c - -o pipe.o < unit.c && llvm-nm-19 -u pipe.o | grep sendwright_mark_begin
// RUN: %cc %use=app.plan -E unit.c -o unit.i && ! grep sendwright_batch unit.i
// RUN: %cc %generate -c unit.i -o unit.o && llvm-nm-19 -u unit.o | grep sendwright_mark_begin
// RUN: %cc %generate -save-temps -c unit.c -o unit.o && llvm-nm-19 -u unit.o | grep sendwright_mark_begin
// RUN: %cc %generate -x c-header %S/../inputs/mpi/mpi.h -o mpi.pch
// RUN: %cc %generate -include-pch mpi.pch -c unit.c -o unit.o && llvm-nm-19 -u unit.o | grep sendwright_mark_begin
// RUN: %cc %use=app.plan -include unit.c -x c -c /dev/null -o unit.o && llvm-nm-19 -u unit.o | grep sendwright_batch_begin

#include <mpi.h>

void exchange(const int *values, const int *peers, int n) {
  for (int i = 0; i < n; i++)
    MPI_Send(&values[i], 1, MPI_INT, peers[i], 0, MPI_COMM_WORLD);
}
