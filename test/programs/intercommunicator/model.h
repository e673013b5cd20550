#ifndef MODEL_H
#define MODEL_H
#include <mpi.h>

enum { cells = 12 };
struct model {
  MPI_Comm own, other; /* the model's ranks, and between the two models */
  int rank, ranks, others;
  double cell[cells];
};
void model_step(struct model *model);
void model_couple(struct model *model);
#endif
