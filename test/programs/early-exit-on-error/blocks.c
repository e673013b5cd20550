#include "checks.h"
#include "result.h"

int main(int argc, char **argv) {
  struct block blocks[8];
  unsigned in[16], got[3] = {0, 0, 0};
  int rank, ranks, sent, counts[16], due[16];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int count = ranks - 1;
  for (int b = 0; b < count; ++b) {
    blocks[b].owner = (rank + b + 1) % ranks;
    blocks[b].length = 5 + (rank + b) % 10;
    for (int i = 0; i < blocks[b].length; ++i)
      blocks[b].values[i] = 100 * rank + 10 * b + i;
    blocks[b].sum = sum_of(&blocks[b]) + (rank == 2 && b == 2);
  }
  int results[2];
  results[0] = send_blocks(blocks, count, MPI_COMM_WORLD);
  const int usable = rank == 2 ? 2 : count;
  for (int p = 0; p < ranks; ++p)
    counts[p] = 0;
  for (int b = 0; b < usable; ++b)
    counts[blocks[b].owner] = 1;
  MPI_Alltoall(counts, 1, MPI_INT, due, 1, MPI_INT, MPI_COMM_WORLD);
  for (int p = 0; p < ranks; ++p)
    if (due[p]) {
      MPI_Recv(in, 16, MPI_UNSIGNED, p, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      got[0] = 31 * got[0] + in[0] + in[4];
    }
  MPI_Barrier(MPI_COMM_WORLD);
  int more = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &more, MPI_STATUS_IGNORE);
  got[1] = more;
  MPI_Request sums[16];
  unsigned values[16] = {0};
  for (int p = 0; p < ranks; ++p)
    MPI_Irecv(&values[p], 1, MPI_UNSIGNED, due[p] ? p : MPI_PROC_NULL, 2, MPI_COMM_WORLD, &sums[p]);
  results[1] = send_sums(blocks, count, MPI_COMM_WORLD, &sent);
  MPI_Waitall(ranks, sums, MPI_STATUSES_IGNORE);
  for (int p = 0; p < ranks; ++p)
    got[2] = 31 * got[2] + values[p];
  print_result(MPI_COMM_WORLD, "got", got, sizeof got);
  printf("%s",
         rank == 2 && (results[0] != broken || results[1] != broken || sent != 2) ? "wrong\n" : "");
  return MPI_Finalize();
}
