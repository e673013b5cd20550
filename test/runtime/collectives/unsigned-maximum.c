// The largest and the least of unsigned numbers are found as the loop finds them, also where the highest bit is
// set: MPI's own functions take some unsigned types for signed ones (Open MPI 4.1 MPI_UNSIGNED_LONG, MPICH 4.0
// all of them). There the operation is left to the loop. Fails where MPI is trusted.
//
// RUN: printf 'ranks 3\nsite 1\ncollective reduce bytes=16 binomial tree\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 3 %t

#include "../inputs/planned-loop.h"

#include "../../../runtime/include/sendwright/collectives.h"

#include <stdint.h>

enum { ranks = 3, count = 2, tag = 7 };

PLANNED_LOOP(loop, 1, 0)

/* Rank 1 has the largest numbers, rank 2 the least. */
#define TRY(TYPE, DATATYPE)                                                                        \
  for (int largest = 0; largest < 2; ++largest) {                                                  \
    const TYPE values[ranks] = {5, (TYPE) ~(TYPE)0, 1};                                            \
    TYPE block[count] = {values[self], values[self]}, came[count];                                 \
    const unsigned reduction = largest ? SENDWRIGHT_MAXIMUM : SENDWRIGHT_MINIMUM;                  \
    if (self != 0) {                                                                               \
      if (!sendwright_reduce_send(loop, block, count, DATATYPE, reduction, 0, tag, MPI_COMM_WORLD, 1, ranks)) \
        MPI_Send(block, count, DATATYPE, 0, tag, MPI_COMM_WORLD);                                  \
    } else if (!sendwright_reduce_receive(loop, block, count, DATATYPE, reduction, 0, tag,         \
                                          MPI_COMM_WORLD, 1, ranks, MPI_STATUS_IGNORE)) {          \
      for (int from = 1; from < ranks; ++from) {                                                   \
        MPI_Recv(came, count, DATATYPE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);             \
        for (int index = 0; index < count; ++index)                                                \
          if (largest ? came[index] > block[index] : came[index] < block[index])                   \
            block[index] = came[index];                                                            \
      }                                                                                            \
    }                                                                                              \
    for (int index = 0; self == 0 && index < count; ++index)                                       \
      EXPECT(block[index] == values[largest ? 1 : 2]);                                             \
  }

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int self = my_rank();
  TRY(unsigned char, MPI_UNSIGNED_CHAR)
  TRY(unsigned short, MPI_UNSIGNED_SHORT)
  TRY(unsigned, MPI_UNSIGNED)
  TRY(unsigned long, MPI_UNSIGNED_LONG)
  TRY(unsigned long long, MPI_UNSIGNED_LONG_LONG)
  TRY(uint64_t, MPI_UINT64_T)
  MPI_Finalize();
}
