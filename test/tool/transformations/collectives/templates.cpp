// Collective operations in function templates and in members of class templates: one text for all
// instantiations, if all need the same. Otherwise the loop stays, and a remark says so.
//
// RUN: %plan_for %t.plan replace %cxx -std=c++17 %s
// RUN: %sendwright rewrite %s --plan %t.plan --diff --remarks none -- %mock -std=c++17 > %t.diff
// RUN: sed -n 's/^+.*(!\(.*\)) {$/\1/p; s/^+.*\(else.*\) }$/\1/p' %t.diff | %FileCheck %s --match-full-lines --implicit-check-not=sendwright
// RUN: W="-Wall -Wextra -Wpedantic -Wshadow -Wold-style-cast -Wzero-as-null-pointer-constant -Werror"; \
// RUN: for standard in c++14 c++2b; do \
// RUN:   %cxx -std=$standard $W %use=%t.plan %argument-remarks=none -c %s -o %t.o && llvm-nm-19 -u %t.o | grep -q sendwright_collective || exit 1; done
// RUN: %cxx -std=c++17 -c %s %use=%t.plan -o %t.o 2>&1 | grep remark | %FileCheck %s --check-prefix=REMARK --implicit-check-not=remark:

#include <mpi.h>

#include <vector>

template <typename Value> struct Type;
template <> struct Type<int> {
  static constexpr MPI_Datatype &value = integer;
};
template <> struct Type<double> {
  static constexpr MPI_Datatype &value = real;
};

template <typename Value> void broadcast(Value *values, int count, int rank, int size) {
  if (rank == 0)
    // REMARK: :[[#@LINE+2]]:5: remark: send loop replaced by 'collectives': broadcast by
    // CHECK: sendwright_broadcast([[BROADCAST:sendwright_site_broadcast_[0-9a-f]+]], values, count, Type<Value>::value, 0, 1, MPI_COMM_WORLD, 1, size, SENDWRIGHT_NO_STATUS)
    for (int i = 1; i < size; i++)
      MPI_Send(values, count, Type<Value>::value, i, 1, MPI_COMM_WORLD);
  else
    // CHECK-NEXT: sendwright_broadcast([[BROADCAST]], values, count, Type<Value>::value, 0, 1, MPI_COMM_WORLD, 1, size, MPI_STATUS_IGNORE)
    MPI_Recv(values, count, Type<Value>::value, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

template <typename Value, int Block> class Matrix {
public:
  MPI_Comm comm = nullptr;
  int rank = 0, size = 1;
  std::vector<Value> out, in;

  void transpose();
};

template <typename Value, int Block> void Matrix<Value, Block>::transpose() {
  // REMARK: :[[#@LINE+2]]:3: remark: send loop replaced by 'collectives': all-to-all by
  // CHECK-NEXT: sendwright_pairwise_all_to_all(sendwright_site_Matrix_transpose_{{[0-9a-f]+}}, out.data() + ((0) * Block), out.data() + ((1) * Block), Block, Type<Value>::value, in.data() + ((0) * Block), in.data() + ((1) * Block), Block, Type<Value>::value, 3, comm, 0, size)
  for (int i = 1; i < size; ++i) {
    const int to = (rank + i) % size, from = (rank - i + size) % size;
    MPI_Sendrecv(&out[to * Block], Block, Type<Value>::value, to, 3, &in[from * Block], Block, Type<Value>::value,
                 from, 3, comm, MPI_STATUS_IGNORE);
  }
}

// Not what the datatype says for all.
template <typename Value> void sum(Value *total, const Value *mine, int rank, int size) {
  if (rank == 0) {
    Value part;
    // REMARK: :[[#@LINE+1]]:5: remark: loop not replaced by 'collectives': it looks like a reduction, but it differs between instantiations of its template
    for (int i = 1; i < size; i++) {
      MPI_Recv(&part, 1, MPI_INT, i, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      *total += part;
    }
  } else
    MPI_Send(mine, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
}

// One that is not used says nothing.
template <typename Value> void unused(Value *values, int rank, int size) {
  if (rank == 0)
    for (int i = 1; i < size; i++)
      MPI_Send(values, 1, Type<Value>::value, i, 1, MPI_COMM_WORLD);
  else
    MPI_Recv(values, 1, Type<Value>::value, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void use(Matrix<int, 3> &one, Matrix<double, 4> &other, int *numbers, double *reals) {
  broadcast(numbers, 1, one.rank, one.size);
  broadcast(reals, 1, one.rank, one.size);
  one.transpose();
  other.transpose();
  sum(numbers, numbers, one.rank, one.size);
  sum(reals, reals, one.rank, one.size);
}
