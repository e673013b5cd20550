#include "model.h"
#include "result.h"

int main(int argc, char **argv) {
  struct model model;
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int oceans = ranks / 2 + 1, atmosphere = rank >= oceans; /* of unequal size */
  MPI_Comm_split(MPI_COMM_WORLD, atmosphere, -rank, &model.own); /* backwards */
  MPI_Comm_rank(model.own, &model.rank);
  MPI_Comm_size(model.own, &model.ranks);
  MPI_Intercomm_create(model.own, 0, MPI_COMM_WORLD, atmosphere ? oceans - 1 : ranks - 1, 17,
                       &model.other);
  MPI_Comm_remote_size(model.other, &model.others);
  for (int i = 0; i < cells; ++i)
    model.cell[i] = rank + i / 10.0;
  for (int step = 0; step < 8; ++step) {
    model_step(&model);
    if (step % 2)
      model_couple(&model);
  }
  print_result(MPI_COMM_WORLD, "cells", model.cell, sizeof model.cell);
  MPI_Comm_free(&model.other);
  MPI_Comm_free(&model.own);
  return MPI_Finalize();
}
