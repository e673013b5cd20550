// A wait moves behind statements that provably need nothing of what it completes, and the program
// prints the same. Elsewhere a remark names the statement that is in the way. All waits take long
// enough, because the threshold is 0.
//
// RUN: %mpicc -O1 -g %s -o %t.written -lm
// RUN: %mpirun 2 %t.written > %t.expected
// RUN: %mpicc -O1 -g %generate %s -o %t.profiled -lm %runtime
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 2 %t.profiled > %t.out
// RUN: cmp %t.expected %t.out
// RUN: %sendwright plan --machine %source_root/examples/platforms/infiniband.json --threshold 0 %t.prof -o %t.plan > %t.said
// RUN: %FileCheck %s --check-prefix=WAITS < %t.said
// RUN: %sendwright show %t.plan | %FileCheck %s --check-prefix=WAITS
// RUN: %sendwright show --json %t.plan | %FileCheck %s --check-prefix=JSON
// RUN: %mpicc -O1 -g %use=%t.plan -fplugin-arg-sendwright-remarks=all -fplugin-arg-sendwright-output-dir=%t.text %s -o %t -lm %runtime 2> %t.remarks
// RUN: %FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: cat $(find %t.text -name later-waits.c) | %FileCheck %s --check-prefix=TEXT
// RUN: %mpirun 2 %t > %t.out
// RUN: cmp %t.expected %t.out

#include <math.h>
#include <mpi.h>
#include <stdio.h>

enum { count = 1000 };

static double inner[count], halo[count], row[count];
static int rank;

static void fill(double *values, double from) {
  for (int index = 0; index < count; ++index)
    values[index] = from + index;
}

static double sum(const double *values) {
  double result = 0;
  for (int index = 0; index < count; ++index)
    result += values[index];
  return result;
}

static double moves(void) {
  MPI_Request requests[2];
  double largest = 0;
  MPI_Irecv(halo, count, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(row, count, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
  // WAITS: long waits; the compiler moves each behind what does not need it, or says why not:
  // WAITS-NEXT: later-waits.c:[[#@LINE+4]] in moves: {{[0-9.]+ [mu]?s}} of one rank's run ({{[0-9.e-]+}} %)
  // JSON: "long_waits":[{"call":"{{[^"]*}}later-waits.c:[[#@LINE+3]]","function":"moves","seconds":
  // REMARK: later-waits.c:[[#@LINE+2]]:3: remark: MPI_Waitall takes {{.*}} of the run: moved by 'early-completion' behind 3 statements that it does not concern; line [[#@LINE+12]] uses 'halo', which it receives
  // TEXT: {{^}}  /* early-completion: MPI_Waitall moved below */
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  for (int index = 1; index < count - 1; ++index) {
    double mean = 0.5 * (inner[index - 1] + inner[index + 1]);
    inner[index] = sqrt(mean * mean + row[index]);
  }
  int half = count / 2;
  if (inner[half] > largest)
    largest = inner[half];
  // TEXT: {{^}}    largest = inner[half];
  // TEXT-NEXT: {{^}}  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  inner[0] += halo[0] + largest;
  return inner[0];
}

static double sends(void) {
  MPI_Request request, other;
  MPI_Isend(row, count, MPI_DOUBLE, 1 - rank, 1, MPI_COMM_WORLD, &request);
  MPI_Irecv(halo, count, MPI_DOUBLE, 1 - rank, 1, MPI_COMM_WORLD, &other);
  // REMARK: later-waits.c:[[#@LINE+1]]:3: remark: MPI_Wait takes {{.*}} of the run, and is left as written: line [[#@LINE+2]] uses 'halo', which it receives
  MPI_Wait(&other, MPI_STATUS_IGNORE);
  inner[1] += halo[1];
  // REMARK: later-waits.c:[[#@LINE+1]]:3: remark: MPI_Wait takes {{.*}} of the run: moved by 'early-completion' behind a statement that it does not concern; line [[#@LINE+3]] changes 'row', which it sends
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  inner[2] += row[2] + halo[2];
  row[3] = 1;
  return inner[1] + inner[2];
}

static double behind_pointers(double *values, double *others) {
  MPI_Request request;
  MPI_Status status;
  MPI_Irecv(values, count, MPI_DOUBLE, 1 - rank, 2, MPI_COMM_WORLD, &request);
  MPI_Send(row, count, MPI_DOUBLE, 1 - rank, 2, MPI_COMM_WORLD);
  // REMARK: later-waits.c:[[#@LINE+1]]:3: remark: MPI_Wait takes {{.*}} of the run, and is left as written: line [[#@LINE-2]] may use memory that other pointers lead to
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  inner[3] += 1;
  MPI_Irecv(halo, count, MPI_DOUBLE, 1 - rank, 3, MPI_COMM_WORLD, &request);
  MPI_Send(row, count, MPI_DOUBLE, 1 - rank, 3, MPI_COMM_WORLD);
  MPI_Wait(&request, &status);
  others[0] = 1;
  return sum(values);
}

static double calls(double *others) {
  MPI_Request request, another;
  MPI_Irecv(halo, count, MPI_DOUBLE, 1 - rank, 4, MPI_COMM_WORLD, &request);
  MPI_Isend(row, count, MPI_DOUBLE, 1 - rank, 4, MPI_COMM_WORLD, &another);
  // REMARK: later-waits.c:[[#@LINE+1]]:3: remark: MPI_Wait takes {{.*}} of the run, and is left as written: line [[#@LINE+2]] calls 'fill'
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  fill(inner, 3);
  // REMARK: later-waits.c:[[#@LINE+1]]:3: remark: MPI_Wait takes {{.*}} of the run, and is left as written: line [[#@LINE+2]] uses 'others', which may lead to what it completes
  MPI_Wait(&another, MPI_STATUS_IGNORE);
  others[1] = 2;
  return halo[4] + inner[4];
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double other[count], more[count] = {0};
  fill(inner, 1);
  fill(row, rank);
  double all = moves() + sends() + behind_pointers(other, more) + calls(more);
  if (rank == 0)
    printf("%.17g\n", all + more[0] + more[1]);
  MPI_Finalize();
}
