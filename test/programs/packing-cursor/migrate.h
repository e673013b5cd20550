#ifndef MIGRATE_H
#define MIGRATE_H
#include <mpi.h>

struct graph {
  int vertices;
  int *name;       /* of each vertex */
  int *first_edge; /* vertices + 1 */
  int *edges;
};
/* Vertex v goes to rank part[v]. The result is new memory; vertices come in the order of ranks. */
struct graph migrate(const struct graph *graph, const int *part, MPI_Comm communicator);
void graph_free(struct graph *graph);
#endif
