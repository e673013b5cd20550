#ifndef PARTICLES_HPP
#define PARTICLES_HPP
#include <mpi.h>

#include <vector>

struct Particle {
  double position, velocity;
  int name;
  int moves;
};

class Slab {
public:
  explicit Slab(MPI_Comm communicator);
  ~Slab();
  void move(double time);
  void exchange();
  std::vector<Particle> particles;

private:
  int owner(const Particle &particle) const;
  MPI_Comm communicator;
  MPI_Datatype type;
  int rank, ranks;
};
#endif
