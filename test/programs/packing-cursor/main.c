#include "migrate.h"
#include "result.h"

#include <stdlib.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int vertices = 30 + rank;
  struct graph graph = {vertices, malloc(vertices * sizeof(int)),
                        malloc((vertices + 1) * sizeof(int)), malloc(8 * vertices * sizeof(int))};
  graph.first_edge[0] = 0;
  for (int v = 0, edges = 0; v < vertices; graph.first_edge[++v] = edges) {
    graph.name[v] = 100 * rank + v;
    for (int degree = v % 7; degree > 0; --degree)
      graph.edges[edges++] = (graph.name[v] * 31 + degree * 17) % (100 * ranks);
  }
  for (int round = 0; round < 4; ++round) {
    int *part = malloc((graph.vertices + 1) * sizeof *part);
    for (int v = 0; v < graph.vertices; ++v)
      part[v] =
          (graph.name[v] / 3 + round * (graph.first_edge[v + 1] - graph.first_edge[v])) % ranks;
    struct graph moved = migrate(&graph, part, MPI_COMM_WORLD);
    free(part);
    graph_free(&graph);
    graph = moved;
    print_result(MPI_COMM_WORLD, "edges", graph.edges,
                 graph.first_edge[graph.vertices] * sizeof(int));
  }
  print_result(MPI_COMM_WORLD, "vertices", graph.name, graph.vertices * sizeof(int));
  graph_free(&graph);
  return MPI_Finalize();
}
