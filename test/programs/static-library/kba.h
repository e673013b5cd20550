#ifndef KBA_H
#define KBA_H
#include <mpi.h>

enum { kba_cells = 24 };

struct kba {
  MPI_Comm communicator;
  int rank, ranks;
  double cell[kba_cells];
  double inbox[16][kba_cells];
};

/* The library. */
void kba_sweep(struct kba *kba);
void kba_wave(struct kba *kba);
int kba_pack(const struct kba *kba, int to, double *out);
void kba_send_faces(const struct kba *kba, int stride);
void kba_send_one(const double *values, int count, int to, MPI_Comm communicator);
void kba_receive(struct kba *kba, int stride);
/* To be defined by the program. */
void transport_post(const double *values, int count, int to, MPI_Comm communicator,
                    MPI_Request *request);
#endif
