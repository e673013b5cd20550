/* The part of MPI that the tests of rewriting mention. Nothing of it is ever run. */
#ifndef MPI_H
#define MPI_H
typedef struct communicator *MPI_Comm;
typedef struct datatype *MPI_Datatype;
typedef struct request *MPI_Request;
extern struct communicator *world;
extern struct datatype *integer;
#define MPI_COMM_WORLD (world)
#define MPI_INT (integer)
#ifdef __cplusplus
extern "C" {
#endif
int MPI_Send(const void *buffer, int count, MPI_Datatype type, int destination, int tag,
             MPI_Comm communicator);
int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int destination, int tag,
              MPI_Comm communicator, MPI_Request *request);
int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int source, int tag,
              MPI_Comm communicator, MPI_Request *request);
int MPI_Comm_rank(MPI_Comm communicator, int *rank);
#ifdef __cplusplus
}
#endif
#endif
