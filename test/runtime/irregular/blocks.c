// On planned communicators MPI_Alltoallv delivers what MPI would: blocks that change from call to call, none
// at all, blocks for oneself, datatypes with gaps that differ at both ends, elements without a size; calls that
// meet from different lines; and a communicator in another order, freed and made again. On a communicator that
// the plan does not name, MPI does the call. Likewise where blocks up to a size travel through other ranks.
//
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o %t %runtime
// RUN: printf 'ranks 6\nirregular MPI_Alltoallv\nirregular MPI_Alltoallv members=5,4,3,2,1,0\n' | %write_plan %t.plan
// RUN: env TEST_PLAN=%t.plan %mpirun 6 %t 0 | %FileCheck %s
// RUN: printf 'ranks 6\nirregular MPI_Alltoallv members=5,4,3,2,1,0\nirregular MPI_Alltoallv grid=2x3 largest=48\n' | %write_plan %t.routes
// RUN: env TEST_PLAN=%t.routes %mpirun 6 %t 0 | %FileCheck %s
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_DISABLE=1 %mpirun 6 %t 76 | %FileCheck %s
// RUN: %mpirun 6 %t 76 | %FileCheck %s
//
// CHECK-NOT: sendwright:
// CHECK: all that was sent has arrived

#include "../inputs/irregular.h"

enum { room = 2048 };
static const double untouched = -1;

/* A call with doubles, every second element of both buffers; blocks lie apart. */
static void exchange(int call, MPI_Comm comm, MPI_Datatype type, int from_another_line) {
  int rank, size, counts[6], places[6], in_counts[6], in_places[6];
  double out[room], in[room];
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int at = 0; at < room; ++at)
    in[at] = out[at] = untouched;
  for (int other = 0; other < size; ++other) {
    counts[other] = elements(call, rank, other);
    in_counts[other] = elements(call, other, rank);
    places[other] = 20 * (size - 1 - other);
    in_places[other] = 20 * other + 1;
    for (int element = 0; element < counts[other]; ++element)
      out[2 * (places[other] + element)] = value(call, rank, other, element);
  }
  if (from_another_line)
    MPI_Alltoallv(out, counts, places, type, in, in_counts, in_places, type, comm);
  else
    MPI_Alltoallv(out, counts, places, type, in, in_counts, in_places, type, comm);
  for (int other = 0, at = 0; other < size; ++other)
    for (; at < (other + 1 < size ? 2 * in_places[other + 1] : room); ++at) {
      const int element = at / 2 - in_places[other];
      const int is_there = at % 2 == 0 && element >= 0 && element < in_counts[other];
      EXPECT(in[at] == (is_there ? value(call, other, rank, element) : untouched));
    }
}

/* Blocks of one struct of two doubles at the sender, two doubles at the receiver. */
static void exchange_with_other_types(int call, MPI_Comm comm, MPI_Datatype pair) {
  int rank, size, counts[6], places[6], in_counts[6], in_places[6];
  double out[room], in[room];
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int other = 0; other < size; ++other) {
    counts[other] = elements(call, rank, other);
    in_counts[other] = 2 * elements(call, other, rank);
    places[other] = 20 * other;
    in_places[other] = 20 * other;
    for (int element = 0; element < 2 * counts[other]; ++element)
      out[2 * places[other] + element] = value(call, rank, other, element);
  }
  MPI_Alltoallv(out, counts, places, pair, in, in_counts, in_places, MPI_DOUBLE, comm);
  for (int other = 0; other < size; ++other)
    for (int element = 0; element < in_counts[other]; ++element)
      EXPECT(in[in_places[other] + element] == value(call, other, rank, element));
}

/* Elements without a size: nobody has anything, whatever the counts say. */
static void exchange_nothing(MPI_Comm comm) {
  int counts[6] = {3, 0, 1, 4, 2, 5}, places[6] = {0};
  int none[6] = {0};
  char byte = 7;
  MPI_Datatype empty;
  MPI_Type_contiguous(0, MPI_CHAR, &empty);
  MPI_Type_commit(&empty);
  MPI_Alltoallv(&byte, counts, places, empty, &byte, counts, places, empty, comm);
  MPI_Alltoallv(&byte, none, places, MPI_CHAR, &byte, none, places, MPI_CHAR, comm);
  MPI_Type_free(&empty);
  EXPECT(byte == 7);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Datatype gap, pair;
  MPI_Type_create_resized(MPI_DOUBLE, 0, 2 * sizeof(double), &gap);
  MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
  MPI_Type_commit(&gap);
  MPI_Type_commit(&pair);
  for (int round = 0; round < 3; ++round) {
    MPI_Comm reversed;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -my_rank(), &reversed);
    for (int call = 0; call < 5; ++call) {
      exchange(call + 10 * round, MPI_COMM_WORLD, gap, my_rank() % 2);
      exchange(call + 10 * round + 5, reversed, gap, my_rank() % 2);
    }
    MPI_Comm_free(&reversed);
  }
  for (int call = 50; call < 90; ++call)
    exchange_with_other_types(call, MPI_COMM_WORLD, pair);
  for (int call = 0; call < 3; ++call)
    exchange_nothing(MPI_COMM_WORLD);
  EXPECT(left_to_mpi == atoi(argv[1]));
  left_to_mpi = 0;
  MPI_Comm copy; // the same members, another instance
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  exchange(99, copy, gap, 0);
  EXPECT(left_to_mpi == 1);
  MPI_Comm_free(&copy);
  MPI_Type_free(&gap);
  MPI_Type_free(&pair);
  if (my_rank() == 0)
    printf("all that was sent has arrived\n");
  MPI_Finalize();
}
