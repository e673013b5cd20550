/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Loaded before MPI, lets a single process believe that it is rank ONE_OF_MANY_RANK of
 * ONE_OF_MANY_RANKS ranks: messages to others go nowhere, and what others say is what this rank
 * says; but the sum by which ranks find that their parts of a plan fit together (the last words of
 * their agreement, LeastOfRanks.h) is zero, for numbers of ranks that are powers of two. So the
 * memory of a rank can be measured with more ranks than a machine has room for. Nothing that a
 * program computes from messages is right. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { wordsOfSums = 4 };

static int setting(const char *name) { return atoi(getenv(name)); }

#define REAL(NAME) ((__typeof__(&NAME))dlsym(RTLD_NEXT, #NAME))

int PMPI_Comm_size(MPI_Comm communicator, int *size) {
  *size = setting("ONE_OF_MANY_RANKS");
  return communicator == MPI_COMM_SELF ? REAL(PMPI_Comm_size)(communicator, size) : MPI_SUCCESS;
}
int MPI_Comm_size(MPI_Comm communicator, int *size) { return PMPI_Comm_size(communicator, size); }

int PMPI_Comm_rank(MPI_Comm communicator, int *rank) {
  *rank = setting("ONE_OF_MANY_RANK");
  return communicator == MPI_COMM_SELF ? REAL(PMPI_Comm_rank)(communicator, rank) : MPI_SUCCESS;
}
int MPI_Comm_rank(MPI_Comm communicator, int *rank) { return PMPI_Comm_rank(communicator, rank); }

int PMPI_Group_size(MPI_Group group, int *size) {
  (void)group;
  *size = setting("ONE_OF_MANY_RANKS");
  return MPI_SUCCESS;
}

int PMPI_Group_translate_ranks(MPI_Group group, int count, const int ranks[], MPI_Group other,
                               int result[]) {
  (void)group, (void)other;
  memcpy(result, ranks, (size_t)count * sizeof *ranks);
  return MPI_SUCCESS;
}

int PMPI_Sendrecv(const void *sent, int count, MPI_Datatype type, int to, int tag, void *received,
                  int room, MPI_Datatype as, int from, int receivedTag, MPI_Comm communicator,
                  MPI_Status *status) {
  (void)to, (void)tag, (void)room, (void)as, (void)from, (void)receivedTag, (void)communicator,
      (void)status;
  int size = 0;
  PMPI_Type_size(type, &size);
  memcpy(received, sent, (size_t)count * (size_t)size);
  if (type == MPI_UNSIGNED_LONG_LONG && count > wordsOfSums)
    for (int index = count - wordsOfSums; index < count; ++index)
      ((unsigned long long *)received)[index] = -((const unsigned long long *)sent)[index];
  return MPI_SUCCESS;
}

int PMPI_Send(const void *data, int count, MPI_Datatype type, int to, int tag,
              MPI_Comm communicator) {
  (void)data, (void)count, (void)type, (void)to, (void)tag, (void)communicator;
  return MPI_SUCCESS;
}

/* A request of a process that is not there. */
static int none(MPI_Request *request) {
  return REAL(PMPI_Irecv)(NULL, 0, MPI_CHAR, MPI_PROC_NULL, 0, MPI_COMM_SELF, request);
}

int PMPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag,
               MPI_Comm communicator, MPI_Request *request) {
  (void)data, (void)count, (void)type, (void)to, (void)tag, (void)communicator;
  return none(request);
}

int PMPI_Irecv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm communicator,
               MPI_Request *request) {
  (void)data, (void)count, (void)type, (void)from, (void)tag, (void)communicator;
  return none(request);
}

int PMPI_Send_init(const void *data, int count, MPI_Datatype type, int to, int tag,
                   MPI_Comm communicator, MPI_Request *request) {
  (void)to, (void)communicator;
  return REAL(PMPI_Send_init)(data, count, type, MPI_PROC_NULL, tag, MPI_COMM_SELF, request);
}

int PMPI_Recv_init(void *data, int count, MPI_Datatype type, int from, int tag,
                   MPI_Comm communicator, MPI_Request *request) {
  (void)from, (void)communicator;
  return REAL(PMPI_Recv_init)(data, count, type, MPI_PROC_NULL, tag, MPI_COMM_SELF, request);
}
