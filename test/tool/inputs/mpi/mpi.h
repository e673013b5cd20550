/* The part of MPI that the rewriting tests use. None of it is ever run. */
#ifndef MPI_H
#define MPI_H
typedef struct communicator *MPI_Comm;
typedef struct datatype *MPI_Datatype;
typedef struct request *MPI_Request;
typedef struct { int MPI_SOURCE, MPI_TAG, MPI_ERROR; } MPI_Status;
extern struct communicator *world;
extern struct datatype *integer, *real;
extern MPI_Status *no_status;
#define MPI_COMM_WORLD (world)
#define MPI_INT (integer)
#define MPI_DOUBLE (real)
#define MPI_ANY_SOURCE (-1)
#define MPI_SUCCESS 0
#define MPI_ANY_TAG (-1)
#define MPI_STATUS_IGNORE (no_status)
#define MPI_STATUSES_IGNORE (no_status)
#ifdef __cplusplus
extern "C" {
#endif
int MPI_Send(const void *buffer, int count, MPI_Datatype type, int destination, int tag,
             MPI_Comm communicator);
int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int destination, int tag,
              MPI_Comm communicator, MPI_Request *request);
int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int source, int tag,
              MPI_Comm communicator, MPI_Request *request);
int MPI_Sendrecv(const void *out, int sent, MPI_Datatype sentType, int destination, int sentTag,
                 void *in, int received, MPI_Datatype receivedType, int source, int receivedTag,
                 MPI_Comm comm, MPI_Status *status);
int MPI_Recv(void *buffer, int count, MPI_Datatype type, int source, int tag,
             MPI_Comm communicator, MPI_Status *status);
int MPI_Wait(MPI_Request *request, MPI_Status *status);
int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses);
int MPI_Abort(MPI_Comm comm, int code);
int MPI_Barrier(MPI_Comm communicator);
int MPI_Comm_size(MPI_Comm communicator, int *size);
int MPI_Comm_rank(MPI_Comm communicator, int *rank);
#ifdef __cplusplus
}
#endif
#endif
