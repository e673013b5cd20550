#include "particles.hpp"

#include <algorithm>
#include <cmath>
#include <set>

Slab::Slab(MPI_Comm communicator) : communicator(communicator) {
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &ranks);
  MPI_Type_contiguous(sizeof(Particle), MPI_BYTE, &type);
  MPI_Type_commit(&type);
}

Slab::~Slab() { MPI_Type_free(&type); }

int Slab::owner(const Particle &particle) const {
  return static_cast<int>(particle.position * ranks);
}

void Slab::move(double time) {
  for (Particle &particle : particles) {
    particle.position += time * particle.velocity;
    particle.position -= std::floor(particle.position);
    ++particle.moves;
  }
}

void Slab::exchange() {
  const std::set<int> near{(rank + 1) % ranks, (rank + ranks - 1) % ranks,
                           (rank + ranks / 2) % ranks, (rank + ranks - ranks / 2) % ranks};
  const std::vector<int> neighbours(near.begin(), near.end());
  std::vector<std::vector<Particle>> leaving(neighbours.size());
  for (std::size_t n = 0; n < neighbours.size(); ++n)
    std::copy_if(particles.begin(), particles.end(), std::back_inserter(leaving[n]),
                 [&](const Particle &particle) { return owner(particle) == neighbours[n]; });
  particles.erase(std::remove_if(particles.begin(), particles.end(),
                                 [&](const Particle &particle) { return owner(particle) != rank; }),
                  particles.end());

  std::vector<int> counts(neighbours.size());
  std::vector<MPI_Request> requests;
  for (std::size_t n = 0; n < neighbours.size(); ++n) // -> reordered
  {
    counts[n] = static_cast<int>(leaving[n].size());
    requests.push_back(MPI_REQUEST_NULL);
    MPI_Isend(&counts[n], 1, MPI_INT, neighbours[n], 5, communicator, &requests.back());
    if (counts[n] == 0)
      continue;
    requests.push_back(MPI_REQUEST_NULL);
    MPI_Isend(leaving[n].data(), counts[n], type, neighbours[n], 5, communicator, &requests.back());
  }
  for (int neighbour : neighbours) {
    int count = 0;
    MPI_Recv(&count, 1, MPI_INT, neighbour, 5, communicator, MPI_STATUS_IGNORE);
    particles.resize(particles.size() + count);
    if (count > 0)
      MPI_Recv(&particles[particles.size() - count], count, type, neighbour, 5, communicator,
               MPI_STATUS_IGNORE);
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}
