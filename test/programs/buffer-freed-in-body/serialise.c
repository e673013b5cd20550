#include "serialise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void send_all(const char *const *text, const int *to, int count, int length,
              MPI_Comm communicator) {
  for (int i = 0; i < count; ++i) { // -> reordered
    char *buffer = malloc(length + 16);
    if (!buffer)
      MPI_Abort(communicator, 1);
    const int bytes = snprintf(buffer, length + 16, "%d:%s", i, text[i]);
    MPI_Send(buffer, bytes + 1, MPI_CHAR, to[i], 9, communicator);
    memset(buffer, '?', bytes);
    free(buffer);
  }
}
