#include <mpi.h>
void vendor_axpy(double factor, const int *x);
extern volatile int switched_off;
static void wait_for_nothing(void) {
  while (switched_off) {}
}
void with_vendor(int n, const int *peers, const int *x) {
  for (int i = 0; i < n; i++) {
    vendor_axpy(2, x);
    MPI_Send(x, 1, MPI_INT, peers[i], 0, MPI_COMM_WORLD);
  }
}
void with_wait(int n, const int *peers, const int *x) {
  for (int i = 0; i < n; i++) {
    wait_for_nothing();
    MPI_Send(x, 1, MPI_INT, peers[i], 1, MPI_COMM_WORLD);
  }
}
