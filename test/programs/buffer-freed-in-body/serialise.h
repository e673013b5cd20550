#ifndef SERIALISE_H
#define SERIALISE_H
#include <mpi.h>
#ifdef __cplusplus
extern "C" {
#endif
/* Sends text[i] with its number to rank to[i]; `length` bytes each at most. */
void send_all(const char *const *text, const int *to, int count, int length, MPI_Comm communicator);
#ifdef __cplusplus
}
#endif
#endif
