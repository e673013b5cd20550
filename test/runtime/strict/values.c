// SENDWRIGHT_BUFFERS: a number, a list, a file with or without @. Anything else is one line and an
// end with an error, before the program does anything. Several threads: one line, and no limit.
//
// RUN: %mpicc %s -o %t %runtime
// RUN: echo '0, 5 # the second rank' > %t.counts && echo 1 >> %t.counts
// RUN: env SENDWRIGHT_BUFFERS=@%t.counts %mpirun 3 %t
// RUN: env SENDWRIGHT_BUFFERS=%t.counts %mpirun 3 %t
// RUN: env SENDWRIGHT_BUFFERS= %mpirun 2 %t
// RUN: env SENDWRIGHT_BUFFERS=some %mpirun 2 %t > %t.out 2>&1; test $? = 1
// RUN: %FileCheck --check-prefix=WORD %s < %t.out
// RUN: env SENDWRIGHT_BUFFERS=-1 %mpirun 2 %t > %t.out 2>&1; test $? = 1
// RUN: %FileCheck --check-prefix=NEGATIVE %s < %t.out
// RUN: env SENDWRIGHT_BUFFERS=1,,2 %mpirun 3 %t > %t.out 2>&1; test $? = 1
// RUN: %FileCheck --check-prefix=EMPTY %s < %t.out
// RUN: env SENDWRIGHT_BUFFERS=1,2 %mpirun 3 %t > %t.out 2>&1; test $? = 1
// RUN: %FileCheck --check-prefix=FEW %s < %t.out
// RUN: env SENDWRIGHT_BUFFERS=99999999999 %mpirun 2 %t > %t.out 2>&1; test $? = 1
// RUN: %FileCheck --check-prefix=LARGE %s < %t.out
// RUN: echo 1 2 > %t.bad && echo x >> %t.bad
// RUN: env SENDWRIGHT_BUFFERS=%t.bad %mpirun 3 %t > %t.out 2>&1; test $? = 1
// RUN: %FileCheck --check-prefix=FILE %s < %t.out
// RUN: env SENDWRIGHT_BUFFERS=0 %mpirun 2 %t threads > %t.out 2>&1; %FileCheck --check-prefix=THREADS %s < %t.out
// WORD-NOT: began
// WORD: {{^}}sendwright: SENDWRIGHT_BUFFERS=some: expected a number, a list with a number for each rank, or a file with such a list, and no file of that name can be read{{$}}
// NEGATIVE: {{^}}sendwright: SENDWRIGHT_BUFFERS=-1: expected a number
// EMPTY: {{^}}sendwright: SENDWRIGHT_BUFFERS=1,,2: '' is not a number of buffers, expected a whole number of at least 0{{$}}
// FEW: {{^}}sendwright: SENDWRIGHT_BUFFERS=1,2: 2 numbers, expected 3, one for each rank{{$}}
// LARGE: {{^}}sendwright: SENDWRIGHT_BUFFERS=99999999999: '99999999999' is not a number of buffers
// FILE: {{^}}sendwright: {{.*}}.bad:2: 'x' is not a number of buffers, expected a whole number of at least 0{{$}}
// THREADS-DAG: {{^}}sendwright: SENDWRIGHT_BUFFERS is ignored: this run may call MPI from several threads at a time{{$}}
// THREADS-DAG: began

#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, value = 0, provided;
  if (argc > 1)
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  else
    MPI_Init(&argc, &argv);
  puts("began");
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank < 2 && argc == 1) { // rank 1 has a buffer; rank 0 need not
    if (rank == 0)
      MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_SELF);
    if (rank == 1)
      MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
