#include "layer.h"

index_type send_indices(const index_type *data, index_type count, index_type to,
                        layer_handle communicator) {
  return layer_send((const void *)data, (size_t)count, layer_index, to, 1, communicator);
}

index_type post_reals(const real_type *data, index_type count, index_type to,
                      layer_handle communicator, layer_handle *request) {
  return layer_isend((const void *)data, (size_t)count, layer_real, to, 2, communicator, request);
}
