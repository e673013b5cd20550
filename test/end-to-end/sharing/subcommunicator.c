// On a communicator of the ranks in reverse, with a derived datatype; the last two ranks are not in
// it.
//
// RUN: %same_shared %s && %FileCheck %s < %t/remarks
// CHECK: subcommunicator.c:[[#@LINE+24]]:5: remark: send loop shared by 'message-sharing':

#include "hub.h"

int main(int argc, char **argv) {
  MPI_Comm few;
  MPI_Datatype every_third;
  begin(&argc, &argv);
  MPI_Comm_split(MPI_COMM_WORLD, rank < ranks - 2 ? 0 : MPI_UNDEFINED, -rank, &few);
  if (few == MPI_COMM_NULL)
    return finish();
  MPI_Comm_rank(few, &rank);
  MPI_Comm_size(few, &ranks);
  partners = 0;
  for (int other = 0; other < ranks; ++other)
    if (rank == 0 || other == 0 || (rank - other) * (rank - other) == 1)
      add_partner(other);
  MPI_Type_vector(20, 1, 3, MPI_INT, &every_third);
  MPI_Type_commit(&every_third);
  for (int round = 0; round < rounds; ++round) {
    MPI_Request request[2 * most];
    fill(round);
    for (int k = 0; k < partners; ++k)
      MPI_Irecv(inbox[k], 1, every_third, partner[k], 4, few, &request[k]);
    for (int k = 0; k < partners; ++k)
      MPI_Isend(outbox[k] + round, 1, every_third, partner[k], 4, few, &request[partners + k]);
    MPI_Waitall(2 * partners, request, MPI_STATUSES_IGNORE);
    for (int k = 0; k < partners; ++k)
      take(partner[k], inbox[k], 60);
  }
  MPI_Type_free(&every_third);
  MPI_Comm_free(&few);
  return finish();
}
