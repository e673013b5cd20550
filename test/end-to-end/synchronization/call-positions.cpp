// A call is synchronised visibly wherever it stands: as a statement of a block before its own statement, else
// within the expression; calls in a macro are left to the runtime. The program prints the same, the
// debugger's lines stay, and the user's warnings, treated as errors, stay silent.
//
// RUN: rm -rf %t && mkdir %t && cp %s %S/inputs/pass.h %t && cd %t
// RUN: %mpicxx -O2 -g -std=c++17 -Wall -Wextra -Wcomma -Werror %generate call-positions.cpp -o profiled %runtime
// RUN: %mpirun 3 ./profiled > expected
// RUN: %sendwright plan sendwright.prof -o plan --synchronize full > said && %FileCheck call-positions.cpp --check-prefix=PLAN < said
// RUN: %mpicxx -O2 -g -std=c++17 -Wall -Wextra -Wcomma -Werror %use=plan %argument-output-dir=read call-positions.cpp -o synchronized %runtime 2> remarks
// RUN: env SENDWRIGHT_BUFFERS=1 %mpirun 3 ./synchronized | diff expected -
// RUN: %FileCheck call-positions.cpp < read/call-positions.cpp && %FileCheck call-positions.cpp --check-prefix=HEADER < read/pass.h
// RUN: grep -o '[a-z.-]*:[0-9]*:[0-9]*: remark:.*' remarks | %FileCheck call-positions.cpp --check-prefix=REMARK
//
// PLAN: before calls that the source does not show
//
// The line tables of the program as it is and as it is synchronised name the same lines.
// RUN: %mpicxx -O0 -g -std=c++17 -c call-positions.cpp -o original.o
// RUN: %mpicxx -O0 -g -std=c++17 %use=plan %argument-remarks=none -c call-positions.cpp -o rewritten.o
// RUN: for kind in original rewritten; do llvm-dwarfdump-19 --debug-line $kind.o | awk '/^0x/ && $2 > 0 {print $2, $4}' | sort -u > $kind.lines; done
// RUN: test -s original.lines && diff original.lines rewritten.lines
//
// An edited call is synchronised when it reaches MPI.
// RUN: sed -i 's/in_a_block, 1, MPI_INT/in_a_block, 1 , (MPI_INT)/' call-positions.cpp
// RUN: %mpicxx -O2 -g -std=c++17 %use=plan call-positions.cpp -o changed %runtime 2>&1 | grep -o '[a-z.-]*:[0-9]*:[0-9]*: remark:.*' > remarks
// RUN: grep "call-positions.cpp:[0-9]*:[0-9]*: remark: call left as written: the MPI call of line [0-9]* in 'positions' changed since the profile; any synchronisation happens when the call reaches MPI" remarks
// RUN: env SENDWRIGHT_BUFFERS=1 %mpirun 3 ./changed | diff expected -
//
// Another unit that includes the header is edited, too; one that reaches no planned call is left as it is.
// RUN: printf '#include "pass.h"\nint other(int to) { return pass(1, to); }\n' > other.cpp
// RUN: %mpicxx -std=c++17 %use=plan %argument-remarks=none -c other.cpp -o other.o && llvm-nm-19 -u other.o | grep sendwright_synchronize
// RUN: echo 'int unrelated;' > unrelated.cpp && %mpicxx %use=plan -c unrelated.cpp -o unrelated.o
// RUN: llvm-nm-19 unrelated.o > symbols; ! grep sendwright symbols

#include "pass.h"

#include <cstdio>

// HEADER: {{^}}  /* full: acts 6 times, on 3 of 3 ranks */
// HEADER-NEXT: {{^}}  sendwright_synchronize(&sendwright_site_pass_{{[0-9a-f]+}});
// HEADER-NEXT: {{^}}  return MPI_Send(
// HEADER-NOT: sendwright_synchronize

#define CHECKED(call)                                                                              \
  do {                                                                                             \
    if ((call) != MPI_SUCCESS)                                                                     \
      return -1;                                                                                   \
  } while (0)

static int positions(int rank, int right, int left) {
  int in_a_block = rank, sum = 0;
  // CHECK: {{^}}  MPI_Send(&in_a_block, 1, MPI_INT, right, 0,
  MPI_Send(&in_a_block, 1, MPI_INT, right, 0, MPI_COMM_WORLD);
  MPI_Recv(&sum, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  // CHECK: {{^}}  /* full: acts 3 times, on 3 of 3 ranks */
  // CHECK-NEXT: {{^}}  sendwright_synchronize(&sendwright_site_positions_{{[0-9a-f]+}});
  // CHECK-NEXT: {{^}}  int_result = MPI_Send(&in_a_block, 1, MPI_INT, right, 0,
  int int_result = 0;
  int_result = MPI_Send(&in_a_block, 1, MPI_INT, right, 0, MPI_COMM_WORLD);
  MPI_Recv(&sum, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  // CHECK: const int declared = (sendwright_synchronize(&{{[a-z0-9_]+}}) /* full: acts 3 times, on 3 of 3 ranks */, MPI_Send(&rank,
  const int declared = MPI_Send(&rank, 1, MPI_INT, right, 0, MPI_COMM_WORLD);
  MPI_Recv(&sum, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  // CHECK: {{^}}  if (right >= 0)
  // CHECK-NEXT: {{^}}    (sendwright_synchronize(&{{[a-z0-9_]+}}) /* full: acts 3 times, on 3 of 3 ranks */, MPI_Send(&right,
  if (right >= 0)
    MPI_Send(&right, 1, MPI_INT, right, 0, MPI_COMM_WORLD);
  MPI_Recv(&sum, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  // CHECK: right < 0 ? 1 : (sendwright_synchronize(&{{[a-z0-9_]+}}) /* full: acts 3 times, on 3 of 3 ranks */, MPI_Send(&left,
  int_result += right < 0 ? 1 : MPI_Send(&left, 1, MPI_INT, right, 0, MPI_COMM_WORLD);
  MPI_Recv(&sum, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  // CHECK: {{^}}  CHECKED(MPI_Send(&sum,
  CHECKED(MPI_Send(&sum, 1, MPI_INT, right, 0, MPI_COMM_WORLD));
  MPI_Recv(&sum, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  // CHECK: {{^}}  sendwright_synchronize(&sendwright_site_positions_lambda_{{[0-9a-f]+}});
  // CHECK-NEXT: {{^}}  return MPI_Send(&sum, 1, MPI_INT, right, 0, MPI_COMM_WORLD); };
  const auto send = [&] { return MPI_Send(&sum, 1, MPI_INT, right, 0, MPI_COMM_WORLD); };
  int_result += send();
  MPI_Recv(&sum, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  int_result += pass(sum, right);
  MPI_Recv(&sum, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  const short narrow = static_cast<short>(sum);
  int_result += pass(static_cast<int>(narrow) + 0L, right);
  MPI_Recv(&sum, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return sum + int_result + declared;
}

// REMARK: remark: synchronises before this call ('full'): acts 3 times, on 3 of 3 ranks

int main(int argc, char **argv) {
  int rank = 0, ranks = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int sum = positions(rank, (rank + 1) % ranks, (rank + ranks - 1) % ranks);
  if (rank == 0)
    std::printf("sum %d\n", sum);
  MPI_Finalize();
}
