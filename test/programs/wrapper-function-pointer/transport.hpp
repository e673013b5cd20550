#ifndef TRANSPORT_HPP
#define TRANSPORT_HPP
#include <mpi.h>

struct Operations {
  int (*send)(const double *data, int count, int to, MPI_Request *request);
  void (*finish)(int count, MPI_Request *requests);
};
const Operations *operationsNamed(const char *name);
/// In a unit that the plugin does not see.
int sendOpaquely(const double *data, int count, int to, MPI_Request *request);
/// Sends a row to every other rank, through one of four functions.
extern "C" void send_rows(const double *values, int ranks, int rank, int kind);
extern "C" int send_row_opaquely(const double *row, int to);

class Transport {
public:
  virtual ~Transport() = default;
  virtual void send(const double *data, int count, int to) const = 0;
};

class Direct final : public Transport {
public:
  explicit Direct(int tag) : tag(tag) {}
  void send(const double *data, int count, int to) const override;

private:
  int tag;
};
/// Direct, patient, or in a unit that the plugin does not see.
const Transport *transportNamed(const char *name);
const Transport *opaqueTransport();
#endif
