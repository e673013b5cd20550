#include "handle.h"

#include <stdlib.h>

struct handle *handle_create(MPI_Comm communicator, int tag) {
  struct handle *handle = calloc(1, sizeof *handle);
  handle->communicator = communicator;
  handle->tag = tag;
  return handle;
}

static void add(struct message **list, int rank, int count) {
  struct message *message = calloc(1, sizeof *message);
  message->rank = rank;
  message->count = count;
  message->data = malloc(count * sizeof(long));
  message->request = MPI_REQUEST_NULL;
  while (*list)
    list = &(*list)->next;
  *list = message;
}

void handle_add(struct handle *handle, int rank, int send_count, int receive_count) {
  add(&handle->sends, rank, send_count);
  add(&handle->receives, rank, receive_count);
}

static void free_list(struct message *list) {
  while (list) {
    struct message *next = list->next;
    free(list->data);
    free(list);
    list = next;
  }
}

void handle_free(struct handle *handle) {
  free_list(handle->sends);
  free_list(handle->receives);
  free(handle);
}
