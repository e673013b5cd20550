// A wait moves behind computation with vectors, members of the object and restricted pointers,
// where nothing else can lead to what it completes, and the program prints the same. Elsewhere a
// remark names the statement that is in the way. All waits take long enough, because the threshold
// is 0.
//
// RUN: %mpicxx -O1 -g %s -o %t.written
// RUN: %mpirun 2 %t.written > %t.expected
// RUN: %mpicxx -O1 -g %generate %s -o %t.profiled %runtime
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 2 %t.profiled > %t.out
// RUN: cmp %t.expected %t.out
// RUN: %sendwright plan --machine %source_root/examples/platforms/infiniband.json --threshold 0 %t.prof -o %t.plan
// RUN: %mpicxx -O1 -g %use=%t.plan -fplugin-arg-sendwright-remarks=all -fplugin-arg-sendwright-output-dir=%t.text %s -o %t %runtime 2> %t.remarks
// RUN: %FileCheck %s < %t.remarks
// RUN: cat $(find %t.text -name later-waits-in-classes.cpp) | %FileCheck %s --check-prefix=TEXT
// RUN: %mpirun 2 %t > %t.out
// RUN: cmp %t.expected %t.out

#include <array>
#include <cstdio>
#include <mpi.h>
#include <utility>
#include <vector>

static int rank;
static std::vector<double> global(100), other(100);

static void touch(std::vector<double> &values) { values[0] += 1; }

class Field {
public:
  explicit Field(int size) : count(size), inner(size, 1.5), halo(size), row(size, rank) {}

  double members() {
    std::vector<MPI_Request> requests(2, MPI_REQUEST_NULL);
    MPI_Irecv(halo.data(), count, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&row[0], static_cast<int>(row.size()), MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD,
              &requests[1]);
    // CHECK: classes.cpp:[[#@LINE+2]]:5: remark: MPI_Waitall takes {{.*}} moved by 'early-completion' behind 3 statements that it does not concern; line [[#@LINE+10]] uses 'halo', which it receives
    // TEXT: /* early-completion: MPI_Waitall moved below */
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    for (int index = 1; index < count - 1; ++index)
      inner[index] = 0.5 * (inner[index - 1] + inner[index + 1]) + row[index] * scale[1];
    for (double &value : inner)
      value *= 0.75;
    edges[0] = inner.front() + inner.back();
    // TEXT: edges[0] = inner.front() + inner.back();
    // TEXT-NEXT: MPI_Waitall(
    inner[0] += halo[0];
    return inner[0] + edges[0];
  }

  double exchanged() {
    MPI_Request requests[2];
    MPI_Irecv(halo.data(), count, MPI_DOUBLE, 1 - rank, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(row.data(), count, MPI_DOUBLE, 1 - rank, 1, MPI_COMM_WORLD, &requests[1]);
    std::swap(halo, inner);
    // CHECK: classes.cpp:[[#@LINE+1]]:5: remark: MPI_Waitall takes {{.*}} is left as written: line [[#@LINE-1]] calls 'swap', which may exchange 'halo' for another
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    halo[1] = 7;
    return inner[2] + halo[1];
  }

  double written() {
    MPI_Request requests[2];
    MPI_Irecv(halo.data(), count, MPI_DOUBLE, 1 - rank, 2, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(row.data(), count, MPI_DOUBLE, 1 - rank, 2, MPI_COMM_WORLD, &requests[1]);
    // CHECK: classes.cpp:[[#@LINE+1]]:5: remark: MPI_Waitall takes {{.*}} moved by 'early-completion' behind a statement that it does not concern; line [[#@LINE+3]] changes 'row', which it sends
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    inner[3] += 1;
    row[3] = 2;
    return inner[3] + halo[3];
  }

  double reference(std::vector<double> &mine) {
    MPI_Request requests[2];
    MPI_Irecv(halo.data(), count, MPI_DOUBLE, 1 - rank, 3, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(row.data(), count, MPI_DOUBLE, 1 - rank, 3, MPI_COMM_WORLD, &requests[1]);
    // CHECK: classes.cpp:[[#@LINE+1]]:5: remark: MPI_Waitall takes {{.*}} is left as written: line [[#@LINE+2]] uses 'mine', which may lead to what it completes
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    mine[4] += 1;
    return halo[4];
  }

  std::vector<double> &values() { return halo; }

private:
  int count;
  std::vector<double> inner, halo, row;
  std::array<double, 2> scale{1, 0.25};
  double edges[2] = {};
};

static double restricted(double *__restrict halo, const double *__restrict row,
                         double *__restrict inner, int count) {
  MPI_Request requests[2];
  MPI_Irecv(halo, count, MPI_DOUBLE, 1 - rank, 4, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(row, count, MPI_DOUBLE, 1 - rank, 4, MPI_COMM_WORLD, &requests[1]);
  // CHECK: classes.cpp:[[#@LINE+1]]:3: remark: MPI_Waitall takes {{.*}} moved by 'early-completion' behind a statement that it does not concern; line [[#@LINE+4]] does more than compute
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  for (int index = 0; index < count; ++index)
    inner[index] += row[index];
  return halo[5] + inner[5];
}

static double locals() {
  std::vector<double> halo(100), row(100, rank), passed(100);
  MPI_Request request, another;
  MPI_Irecv(halo.data(), 100, MPI_DOUBLE, 1 - rank, 5, MPI_COMM_WORLD, &request);
  touch(passed);
  MPI_Send(row.data(), 100, MPI_DOUBLE, 1 - rank, 5, MPI_COMM_WORLD);
  // CHECK: classes.cpp:[[#@LINE+1]]:3: remark: MPI_Wait takes {{.*}} moved by 'early-completion' behind a statement that it does not concern; line [[#@LINE+3]] calls 'MPI_Irecv'
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  row[0] = passed[0] = 3;
  MPI_Irecv(passed.data(), 100, MPI_DOUBLE, 1 - rank, 6, MPI_COMM_WORLD, &another);
  touch(row);
  MPI_Send(row.data(), 100, MPI_DOUBLE, 1 - rank, 6, MPI_COMM_WORLD);
  // CHECK: classes.cpp:[[#@LINE+1]]:3: remark: MPI_Wait takes {{.*}} is left as written: line [[#@LINE-2]] calls 'touch', which may exchange 'passed' for another
  MPI_Wait(&another, MPI_STATUS_IGNORE);
  row[1] = 4;
  return halo[6] + passed[6] + row[1];
}

static double copied() {
  MPI_Request pending;
  MPI_Irecv(global.data(), 100, MPI_DOUBLE, 1 - rank, 7, MPI_COMM_WORLD, &pending);
  MPI_Send(other.data(), 100, MPI_DOUBLE, 1 - rank, 7, MPI_COMM_WORLD);
  MPI_Request request = pending;
  // CHECK: classes.cpp:[[#@LINE+1]]:3: remark: MPI_Wait takes {{.*}} is left as written: its requests begin with the values of others
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  global[7] += 1;
  return global[7];
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Field field(1000);
  double all =
      field.members() + field.exchanged() + field.written() + field.reference(field.values());
  std::vector<double> halo(100), row(100, rank), inner(100, 2);
  all += restricted(halo.data(), row.data(), inner.data(), 100) + locals() + copied();
  if (rank == 0)
    std::printf("%.17g\n", all);
  MPI_Finalize();
}
