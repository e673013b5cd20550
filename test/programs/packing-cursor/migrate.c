#include "migrate.h"

#include <stdlib.h>

void graph_free(struct graph *graph) {
  free(graph->name);
  free(graph->first_edge);
  free(graph->edges);
}

static struct graph unpack(const int *words, int count) {
  struct graph graph = {0, malloc((count + 1) * sizeof(int)), malloc((count + 1) * sizeof(int)),
                        malloc((count + 1) * sizeof(int))};
  int edges = 0;
  graph.first_edge[0] = 0;
  for (int at = 0; at < count;) {
    graph.name[graph.vertices++] = words[at++];
    for (int degree = words[at++]; degree > 0; --degree)
      graph.edges[edges++] = words[at++];
    graph.first_edge[graph.vertices] = edges;
  }
  return graph;
}

struct graph migrate(const struct graph *graph, const int *part, MPI_Comm communicator) {
  int rank, ranks, cursor = 0, previous = 0, received = 0;
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &ranks);
  const int room = 2 * graph->vertices + graph->first_edge[graph->vertices];
  int *buffer = malloc((room + 1) * sizeof *buffer), *counts = calloc(ranks, sizeof *counts),
      *incoming = malloc(ranks * sizeof *incoming);
  for (int v = 0; v < graph->vertices; ++v)
    counts[part[v]] += 2 + graph->first_edge[v + 1] - graph->first_edge[v];
  MPI_Alltoall(counts, 1, MPI_INT, incoming, 1, MPI_INT, communicator);
  for (int p = 0; p < ranks; ++p)
    received += incoming[p];
  int *words = malloc((received + 1) * sizeof *words);
  MPI_Request *requests = malloc(2 * ranks * sizeof *requests);
  for (int p = 0, at = 0; p < ranks; at += incoming[p++])
    MPI_Irecv(words + at, incoming[p], MPI_INT, p, 1, communicator, &requests[p]);

  for (int p = 0; p < ranks; ++p) { // -> reordered
    for (int v = 0; v < graph->vertices; ++v) {
      if (part[v] != p)
        continue;
      buffer[cursor++] = graph->name[v];
      buffer[cursor++] = graph->first_edge[v + 1] - graph->first_edge[v];
      for (int e = graph->first_edge[v]; e < graph->first_edge[v + 1]; ++e)
        buffer[cursor++] = graph->edges[e];
    }
    MPI_Isend(&buffer[previous], cursor - previous, MPI_INT, p, 1, communicator,
              &requests[ranks + p]);
    previous = cursor;
  }
  MPI_Waitall(2 * ranks, requests, MPI_STATUSES_IGNORE);
  struct graph moved = unpack(words, received);
  free(buffer), free(counts), free(incoming), free(words), free(requests);
  return moved;
}
