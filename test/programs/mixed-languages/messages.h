#ifndef MESSAGES_H
#define MESSAGES_H
#include <mpi.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef int (*pack_function)(void *object, int rank, double *to);

void solve(double *values, int count, int steps); /* in C++ */

void message_post(const double *values, int count, int rank, MPI_Request *request);
void messages_post_all(const int *ranks, int count, const double *values, MPI_Request *requests);
void messages_post_packed(const int *ranks, int count, pack_function pack, void *object);
double message_take(int rank);
#ifdef __cplusplus
}
#endif
#endif
