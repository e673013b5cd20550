#include "fields.hpp"
#include "result.h"

#include <thread>

int main(int argc, char **argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_MULTIPLE)
    MPI_Abort(MPI_COMM_WORLD, 1);
  {
    Field pressure(MPI_COMM_WORLD, 1), velocity(MPI_COMM_WORLD, 2);
    std::thread second([&] { velocity.relax(10); });
    pressure.relax(10);
    second.join();
    print_result(MPI_COMM_WORLD, "pressure", pressure.values.data(),
                 pressure.values.size() * sizeof(double));
    print_result(MPI_COMM_WORLD, "velocity", velocity.values.data(),
                 velocity.values.size() * sizeof(double));
  }
  return MPI_Finalize();
}
