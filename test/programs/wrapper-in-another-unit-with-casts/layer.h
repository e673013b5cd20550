#ifndef LAYER_H
#define LAYER_H
#include <stddef.h>
#include <stdint.h>

/* Refers to MPI only by void pointers, so that its users do not include mpi.h. */
typedef void *layer_handle;
typedef int64_t index_type;
typedef float real_type;
enum layer_type { layer_index, layer_real };

layer_handle layer_world(void);
index_type layer_rank(layer_handle communicator), layer_ranks(layer_handle communicator);
index_type layer_isend(const void *data, size_t count, enum layer_type type, index_type to,
                       index_type tag, layer_handle communicator, layer_handle *request);
index_type layer_send(const void *data, size_t count, enum layer_type type, index_type to,
                      index_type tag, layer_handle communicator);
index_type layer_recv(void *data, size_t room, enum layer_type type, index_type from,
                      index_type tag, layer_handle communicator);
void layer_wait(index_type count, layer_handle *requests);

/* typed.c */
index_type send_indices(const index_type *data, index_type count, index_type to,
                        layer_handle communicator);
index_type post_reals(const real_type *data, index_type count, index_type to,
                      layer_handle communicator, layer_handle *request);
#endif
