// What a planned loop or block calls through a pointer to a member goes through the runtime, as what
// it calls through a function pointer does: the pointer is edited, evaluated once, and keeps its type.
// A virtual function, which depends on the object, counts as unknown.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %plan_for %t/plan rewrite %cxx %s
// RUN: for standard in c++11 c++17 c++2b; do %cxx -std=$standard -Weverything -Wno-c++98-compat -Wno-c++98-compat-pedantic -Wno-unsafe-buffer-usage -Wno-missing-prototypes -Wno-padded -Wno-unknown-warning-option -Wno-pre-c++20-compat-pedantic -Wno-weak-vtables -Werror -pedantic %use=%t/plan %argument-remarks=none %argument-output-dir=%t -c %s -o %t/unit.o || exit 1; done
// RUN: %FileCheck %s < %t/pointer-to-member.cpp
// RUN: %clang -I%binary_root/include %mock -c %S/../inputs/batches.c -o %t/batches.o
// RUN: %cxx -O1 %use=%t/plan %argument-remarks=none -DMAIN %s %t/batches.o -o %t/program
// RUN: %t/program | %FileCheck %s --check-prefix=OUTPUT
// OUTPUT: sum 66, steps 4
// OUTPUT: calls 8

#include <mpi.h>
#include <cstdio>

struct Domain {
  int values[3];
  int &at(int i) { return values[i]; }
  int twice(int i) const { return 2 * values[i]; }
};
typedef int &(Domain::*Field)(int);
static int steps = 0;
static Field next(const Field *fields) {
  ++steps;
  return fields[0];
}

int pack(Domain &domain, const Domain *other, const Field *fields, int (Domain::*scaled)(int) const) {
  int sum = 0;
  // CHECK: {{^}}  { sendwright_batch(
  // CHECK: {{^}}    sum += (domain.*sendwright_checked_member(fields[0]))(i);
  for (int i = 0; i < 2; i++) {
    sum += (domain.*fields[0])(i);
    // CHECK: {{^}}    sum += (other->*sendwright_checked_member(scaled))(i);
    sum += (other->*scaled)(i);
    // CHECK: {{^}}    sum += (domain.*sendwright_checked_member((next(fields))))(i) + (domain.*sendwright_checked_member(next(fields)))(i);
    sum += (domain.*(next(fields)))(i) + (domain.*next(fields))(i);
    MPI_Send(&sum, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
  }
  return sum;
}

#ifdef MAIN
int main() {
  Domain domain = {{5, 8, 0}};
  const Field fields[] = {&Domain::at};
  const int sum = pack(domain, &domain, fields, &Domain::twice);
  std::printf("sum %d, steps %d\n", sum + 1, steps);
}
#endif
