#include <mpi.h>

typedef MPI_Comm layer_communicator;
typedef MPI_Request layer_request;

void layer_receive(double *data, int count, int from, layer_communicator communicator, layer_request *request);
void layer_send(const double *data, int count, int to, layer_communicator communicator, layer_request *request);
void layer_wait(int count, layer_request *requests);
double layer_sum(double value, layer_communicator communicator);

/* library.c: exchanges `count` numbers with each neighbour. */
void begin_exchange(double *data, int count, layer_request *requests);
void end_exchange(layer_request *requests);
