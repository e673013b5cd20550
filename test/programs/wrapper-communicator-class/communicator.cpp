#include "communicator.hpp"

#include <stdexcept>
#include <string>

namespace amr {

Communicator::Communicator(MPI_Comm parent) {
  MPI_Comm_dup(parent, &communicator);
  MPI_Comm_rank(communicator, &rank_);
  MPI_Comm_size(communicator, &size_);
}

Communicator::~Communicator() { MPI_Comm_free(&communicator); }

void Communicator::check(int code) {
  if (code != MPI_SUCCESS)
    throw std::runtime_error("MPI error " + std::to_string(code));
}

void Communicator::stopUnless(bool good) {
  if (!good)
    MPI_Abort(MPI_COMM_WORLD, 1);
}

std::size_t Communicator::waiting(int from, int tag, MPI_Datatype type) const {
  MPI_Status status;
  int count = 0;
  MPI_Probe(from, tag, communicator, &status);
  MPI_Get_count(&status, type, &count);
  return static_cast<std::size_t>(count);
}

} // namespace amr
