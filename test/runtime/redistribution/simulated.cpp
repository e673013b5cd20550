// Under SimGrid's SMPI, too, arrays arrive, moved by MPI_Alltoallv or by the runtime's messages.
//
// REQUIRES: smpicc
// RUN: env SMPI_CC=clang++-19 %source_root/test/benchmark/testbed/smpi compile -std=c++17 -O1 \
// RUN:   -I%source_root/runtime/include -I%S %S/random.cpp -o %t \
// RUN:   -L%binary_root/lib/smpi -lsendwright -lstdc++ -lz
// RUN: %source_root/test/benchmark/testbed/smpi run 6 \
// RUN:   %source_root/examples/platforms/fast-ethernet.xml %t 21 40 | %FileCheck %s
// RUN: env SENDWRIGHT_REDISTRIBUTE_MEMORY=2k %source_root/test/benchmark/testbed/smpi run 5 \
// RUN:   %source_root/examples/platforms/infiniband.xml %t 22 20 | %FileCheck %s
// RUN: env SENDWRIGHT_DISABLE=1 %source_root/test/benchmark/testbed/smpi run 2 \
// RUN:   %source_root/examples/platforms/fast-ethernet.xml %t 23 20 | %FileCheck %s
// CHECK: {{[0-9]+}} redistributions, 0 wrong elements
