// A loop in a template is one site in each instantiation, whoever enters it: instantiations with
// equal names in two units are one, and a loop outside of templates has none.
//
// RUN: %mpicxx %s -o %t %runtime
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 1 %t
// RUN: %print_profile %t.prof | %FileCheck %s --match-full-lines

// CHECK: rank
// CHECK-NEXT: enter program.c:1 [Value = int, Stride = 2]
// CHECK-NEXT: enter program.c:2 [Value = int, Stride = 2]
// CHECK-NEXT: MPI_Barrier in program.c:2 [Value = int, Stride = 2]
// CHECK-NEXT: leave program.c:2 [Value = int, Stride = 2]
// CHECK-NEXT: leave program.c:1 [Value = int, Stride = 2]
// CHECK-NEXT: enter program.c:1 [Value = char, Stride = 2]
// CHECK-NEXT: enter program.c:2 [Value = char, Stride = 2]
// CHECK-NEXT: MPI_Barrier in program.c:2 [Value = char, Stride = 2]
// CHECK-NEXT: leave program.c:2 [Value = char, Stride = 2]
// CHECK-NEXT: leave program.c:1 [Value = char, Stride = 2]
// CHECK-NEXT: enter program.c:1 [Value = int, Stride = 2]
// CHECK-NEXT: enter program.c:2 [Value = int, Stride = 2]
// CHECK-NEXT: MPI_Barrier in program.c:2 [Value = int, Stride = 2]
// CHECK-NEXT: leave program.c:2 [Value = int, Stride = 2]
// CHECK-NEXT: leave program.c:1 [Value = int, Stride = 2]
// CHECK-NEXT: enter program.c:3
// CHECK-NEXT: MPI_Barrier in program.c:3
// CHECK-NEXT: leave program.c:3
// CHECK-NEXT: enter program.c:3
// CHECK-NEXT: MPI_Barrier in program.c:3
// CHECK-NEXT: leave program.c:3
// CHECK-NOT: {{.}}

#include "../inputs/recorded.h"

#include <mpi.h>

template <typename Value, int Stride> struct Exchange {
  void send(bool communicate) {
    sendwright_mark_instance(first);
    {
      sendwright_mark_instance(second);
      if (communicate)
        MPI_Barrier(MPI_COMM_WORLD);
    }
  }
};

static void plain() {
  sendwright_mark_instance(third);
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  Exchange<int, 2>().send(true);
  Exchange<int, 3>().send(false);
  Exchange<char, 2>().send(true);
  Exchange<int, 2>().send(true);
  plain();
  {
    sendwright_mark(third);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
