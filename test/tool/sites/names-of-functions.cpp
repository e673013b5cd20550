// A site's function is its qualified name without template arguments; lambdas are named after the
// enclosing function; equal loops of one function are distinguished by their order, even if only one
// of two overloads is instantiated.
//
// RUN: %cxx -std=c++20 %generate -S -emit-llvm %s -o %t.ll && sed -n 's/.*c"\(.*\)\\00".*/\1/p' %t.ll | sort -u > %t.names
// RUN: %FileCheck %s < %t.names
// RUN: grep '^@sendwright_site_twice' %t.ll | %FileCheck %s --check-prefix=ORDINAL
//
// CHECK-DAG: {{^}}outer::(anonymous)::Halo::exchange{{$}}
// CHECK-DAG: {{^}}outer::(anonymous)::Halo::Halo{{$}}
// CHECK-DAG: {{^}}outer::(anonymous)::Halo::operator(){{$}}
// CHECK-DAG: {{^}}outer::run::lambda::lambda{{$}}
// CHECK-DAG: {{^}}twice{{$}}
// ORDINAL-COUNT-2: i32 1, i64
// ORDINAL-NOT: sendwright_site

#include <mpi.h>
namespace outer {
namespace {
template <class T> struct Halo {
  Halo() { for (int i = 0; i < 1; i++) MPI_Send(this, 0, MPI_INT, i, 0, MPI_COMM_WORLD); }
  void exchange() { for (int i = 0; i < 2; i++) MPI_Send(this, 0, MPI_INT, i, 0, MPI_COMM_WORLD); }
  void operator()() { for (int i = 0; i < 3; i++) MPI_Send(this, 0, MPI_INT, i, 0, MPI_COMM_WORLD); }
};
} // namespace
void run() {
  Halo<int> halo;
  halo.exchange();
  halo();
  [&] { [](auto n) { for (int i = 0; i < n; i++) MPI_Send(&i, 1, MPI_INT, i, 0, MPI_COMM_WORLD); }(3); }();
}
} // namespace outer
template <class T> void twice(T *, int n) { for (int i = 0; i < n; i++) MPI_Send(&n, 1, MPI_INT, i, 0, MPI_COMM_WORLD); }
template <class T> void twice(T, int n) { for (int i = 0; i < n; i++) MPI_Send(&n, 1, MPI_INT, i, 0, MPI_COMM_WORLD); }
void once() { twice(1, 2); }
