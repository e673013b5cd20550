#include "level.h"

struct level level_enter(MPI_Comm all, int depth) {
  struct level level = {MPI_COMM_NULL, -1, 0};
  int rank;
  MPI_Comm_rank(all, &rank);
  MPI_Comm_split(all, rank % (1 << depth) == 0 ? 0 : MPI_UNDEFINED, depth % 2 ? -rank : rank,
                 &level.active);
  if (level.active != MPI_COMM_NULL) {
    MPI_Comm_rank(level.active, &level.rank);
    MPI_Comm_size(level.active, &level.ranks);
  }
  return level;
}

void level_leave(struct level *level) {
  if (level->active != MPI_COMM_NULL)
    MPI_Comm_free(&level->active);
}

void level_smooth(const struct level *level, double *values, int count) {
  MPI_Request requests[32];
  double in[16];
  int pending = 0;
  for (int p = 0; p < level->ranks; ++p)
    MPI_Irecv(&in[p], 1, MPI_DOUBLE, p, level->ranks, level->active, &requests[pending++]);
  for (int p = 0; p < level->ranks; ++p) // -> reordered
    MPI_Isend(&values[p % count], 1, MPI_DOUBLE, p, level->ranks, level->active,
              &requests[pending++]);
  MPI_Waitall(pending, requests, MPI_STATUSES_IGNORE);
  for (int p = 0; p < level->ranks; ++p)
    values[(p + level->rank) % count] = 0.5 * values[(p + level->rank) % count] + 0.5 * in[p];
}
