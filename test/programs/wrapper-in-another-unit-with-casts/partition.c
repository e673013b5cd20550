/* A diffusion of load between parts of a graph: boundary vertices and their loads go to the
 * neighbours. */
#include "layer.h"
#include "result.h"

enum { vertices = 40, most = 8 };

struct part {
  index_type neighbours, rank[most], first[most + 1];
  index_type vertex[most * vertices];
  real_type load[most * vertices], all[vertices];
};

static void send_boundaries(const struct part *part, layer_handle communicator) {
  for (index_type i = 0; i < part->neighbours; ++i) // -> reordered
    send_indices(part->vertex + part->first[i], part->first[i + 1] - part->first[i], part->rank[i],
                 communicator);
}

static void post_loads(const struct part *part, layer_handle *requests, layer_handle communicator) {
  for (index_type i = 0; i < part->neighbours; ++i) // -> reordered
    post_reals(part->load + part->first[i], part->first[i + 1] - part->first[i], part->rank[i],
               communicator, &requests[i]);
}

static void diffuse(struct part *part, layer_handle communicator) {
  layer_handle requests[most];
  index_type vertex[vertices], count;
  real_type load[vertices];
  for (index_type i = 0; i < part->first[part->neighbours]; ++i)
    part->load[i] = part->all[part->vertex[i]];
  send_boundaries(part, communicator);
  post_loads(part, requests, communicator);
  for (index_type i = 0; i < part->neighbours; ++i) {
    count = layer_recv(vertex, vertices, layer_index, part->rank[i], 1, communicator);
    layer_recv(load, vertices, layer_real, part->rank[i], 2, communicator);
    for (index_type k = 0; k < count; ++k)
      part->all[vertex[k]] += 0.125f * (load[k] - part->all[vertex[k]]);
  }
  layer_wait(part->neighbours, requests);
}

int main(int argc, char **argv) {
  static struct part part;
  MPI_Init(&argc, &argv);
  layer_handle world = layer_world();
  const index_type rank = layer_rank(world), ranks = layer_ranks(world);
  for (index_type i = 0; i < vertices; ++i)
    part.all[i] = (real_type)(rank * vertices + i);
  for (index_type other = 0, at = 0; other < ranks; ++other)
    if (other != rank && (other + rank) % 3 != 1) {
      part.rank[part.neighbours] = other;
      for (index_type v = rank % 4; v < vertices; v += 2 + other)
        part.vertex[at++] = v;
      part.first[++part.neighbours] = at;
    }
  for (int step = 0; step < 6; ++step)
    diffuse(&part, world);
  print_result(MPI_COMM_WORLD, "loads", part.all, sizeof part.all);
  return MPI_Finalize();
}
