#ifndef FIELDS_HPP
#define FIELDS_HPP
#include <mpi.h>

#include <vector>

class Field {
public:
  Field(MPI_Comm parent, int seed);
  ~Field() { MPI_Comm_free(&communicator); }
  void relax(int steps);
  std::vector<double> values;

private:
  void exchange();
  MPI_Comm communicator;
  int rank, ranks;
  std::vector<double> halo;
};
#endif
