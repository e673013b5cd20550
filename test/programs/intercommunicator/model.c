#include "model.h"

void model_step(struct model *model) {
  double in[16];
  MPI_Request requests[16];
  for (int p = 0; p < model->ranks; ++p)
    MPI_Irecv(&in[p], 1, MPI_DOUBLE, p, 1, model->own, &requests[p]);
  for (int p = 0; p < model->ranks; ++p) // -> reordered
    MPI_Send(&model->cell[p], 1, MPI_DOUBLE, p, 1, model->own);
  MPI_Waitall(model->ranks, requests, MPI_STATUSES_IGNORE);
  for (int p = 0; p < model->ranks; ++p)
    model->cell[cells - 1 - p] += 0.25 * in[p];
}

void model_couple(struct model *model) {
  double flux[16];
  MPI_Request requests[16];
  for (int p = 0; p < model->others; ++p)
    MPI_Irecv(&flux[p], 1, MPI_DOUBLE, p, 2, model->other, &requests[p]);
  for (int p = 0; p < model->others; ++p) // -> left: sends go to another group
    MPI_Send(&model->cell[cells - 1 - p], 1, MPI_DOUBLE, p, 2, model->other);
  MPI_Waitall(model->others, requests, MPI_STATUSES_IGNORE);
  for (int p = 0; p < model->others; ++p)
    model->cell[p] = 0.5 * (model->cell[p] + flux[p]);
}
