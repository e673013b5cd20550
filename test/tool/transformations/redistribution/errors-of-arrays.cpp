// Something that cannot name a block of a distributed array is an error that says what it is.
//
// RUN: cd %T && %errors %cxx -std=c++17 %plugin -Wno-unused -ferror-limit=0 -c %s | %FileCheck %s --implicit-check-not=error:

#include <array>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

struct incomplete;
struct with_string {
  std::string name;
};
struct plain {
  int kind;
  double values[3];
};
double *global;
extern double unknown[];
thread_local double *of_thread;
extern "C" int MPI_Alloc_mem(long, void *, void *);

void f(double *parameter, double *&reference, std::vector<double> &list, const std::vector<double> &constant, int n) {
  #pragma hpf processors P(4)
  // CHECK: errors-of-arrays.cpp:[[#@LINE+1]]:26: error: hpf: 'nothing' is not declared here, expected a variable that is declared earlier
  #pragma hpf distribute nothing(block) onto P extent(n)
  // CHECK: :[[#@LINE+1]]:26: error: hpf: 'later' is not declared here
  #pragma hpf distribute later(block) onto P extent(n)
  double *later = nullptr;
  // CHECK: :[[#@LINE+1]]:26: error: hpf: 'f' is not a variable, expected a pointer to this rank's block in memory from malloc(), a std::vector, or an array
  #pragma hpf distribute f(block) onto P extent(n)
  // CHECK: :[[#@LINE+1]]:26: error: hpf: 'parameter' is a parameter, a copy of the caller's variable, which would not name the new block; expected the caller's own variable or, in C++, a reference to it
  #pragma hpf distribute parameter(block) onto P extent(n)
  #pragma hpf distribute reference(block) onto P extent(n)
  #pragma hpf distribute list(block) onto P extent(n)
  // CHECK: :[[#@LINE+1]]:26: error: hpf: 'constant' is of type 'const std::vector<double>' and cannot name a new block, expected a variable that can change
  #pragma hpf distribute constant(block) onto P extent(n)
  const double *to_constants = nullptr;
  // CHECK: :[[#@LINE+1]]:26: error: hpf: 'to_constants' has elements of type 'const double', expected elements that can be written
  #pragma hpf distribute to_constants(block) onto P extent(n)
  double *const itself = nullptr;
  // CHECK: :[[#@LINE+1]]:26: error: hpf: 'itself' is of type 'double *const' and cannot name a new block
  #pragma hpf distribute itself(block) onto P extent(n)
  double **rows = nullptr;
  // CHECK: :[[#@LINE+1]]:26: error: hpf: 'rows' has elements of type 'double *', which mean nothing on another rank, expected the elements of the block one after another, in C order
  #pragma hpf distribute rows(block) onto P extent(n)
  void *anything = nullptr;
  // CHECK: :[[#@LINE+1]]:26: error: hpf: 'anything' has elements of type 'void', whose size is not known
  #pragma hpf distribute anything(block) onto P extent(n)
  incomplete *hidden = nullptr;
  // CHECK: :[[#@LINE+1]]:26: error: hpf: 'hidden' has elements of type 'incomplete', whose size is not known
  #pragma hpf distribute hidden(block) onto P extent(n)
  with_string *strings = nullptr;
  // CHECK: :[[#@LINE+1]]:26: error: hpf: 'strings' has elements of type 'with_string', which is not trivially copyable, expected elements that can be moved as bytes
  #pragma hpf distribute strings(block) onto P extent(n)
  plain *structures = nullptr;
  #pragma hpf distribute structures(block) onto P extent(n)
  std::vector<std::string> words;
  // CHECK: :[[#@LINE+1]]:26: error: hpf: 'words' has elements of type 'std::basic_string<char>', which is not trivially copyable
  #pragma hpf distribute words(block) onto P extent(n)
  std::vector<bool> bits;
  // CHECK: :[[#@LINE+1]]:26: error: hpf: 'bits' is of type 'std::vector<bool>', whose elements are bits, expected elements that have an address
  #pragma hpf distribute bits(block) onto P extent(n)
  std::unique_ptr<double[]> owner;
  // CHECK: :[[#@LINE+1]]:26: error: hpf: 'owner' is of type 'std::unique_ptr<double[]>', whose memory must not be passed to free(), expected a pointer
  #pragma hpf distribute owner(block) onto P extent(n)
  double fixed[10];
  double variable[n];
  #pragma hpf distribute variable(block) onto P
  double (*cube)[2][3] = nullptr;
  #pragma hpf distribute cube(block, *, *) onto P extent(n, *, *)
  const double constants[10] = {};
  // CHECK: :[[#@LINE+1]]:26: error: hpf: 'constants' has elements of type 'const double', expected elements that can be written
  #pragma hpf distribute constants(block) onto P
  double *pointers[10];
  // CHECK: :[[#@LINE+1]]:26: error: hpf: 'pointers' has elements of type 'double *', which mean nothing on another rank
  #pragma hpf distribute pointers(block) onto P
  char many[1][1][1][1][1][1][1][2];
  // CHECK: :[[#@LINE+1]]:26: error: hpf: 'many' has 8 dimensions, expected at most seven
  #pragma hpf distribute many(*, *, *, *, *, *, block) onto P
  // CHECK: :[[#@LINE+1]]:26: error: hpf: 'unknown' is an array of unknown length, expected its length
  #pragma hpf distribute unknown(block) onto P
  std::array<std::string, 4> texts;
  // CHECK: :[[#@LINE+1]]:26: error: hpf: 'texts' has elements of type 'std::basic_string<char>', which is not trivially copyable
  #pragma hpf distribute texts(block) onto P
  // CHECK: :[[#@LINE+1]]:26: error: hpf: 'n' is of type 'int', expected a pointer
  #pragma hpf distribute n(block) onto P extent(n)
  // CHECK: :[[#@LINE+1]]:26: error: hpf: 'of_thread' is thread-local, expected a variable of the process
  #pragma hpf distribute of_thread(block) onto P extent(n)
  double *created = new double[8];
  // CHECK: :[[#@LINE+1]]:26: error: hpf: 'created' points to memory of new in line [[#@LINE-1]], expected memory of malloc()
  #pragma hpf distribute created(block) onto P extent(n)
  double *given = fixed;
  // CHECK: :[[#@LINE+1]]:26: error: hpf: 'given' points to an array in line [[#@LINE-1]], expected memory of malloc()
  #pragma hpf distribute given(block) onto P extent(n)
  double *of_mpi;
  MPI_Alloc_mem(100, nullptr, &of_mpi);
  // CHECK: :[[#@LINE+1]]:26: error: hpf: 'of_mpi' points to memory of MPI_Alloc_mem in line [[#@LINE-1]], expected memory of malloc()
  #pragma hpf distribute of_mpi(block) onto P extent(n)
  auto [first, second] = structures[0];
  // CHECK: :[[#@LINE+1]]:26: error: hpf: 'first' is not a variable
  #pragma hpf distribute first(block) onto P extent(n)
}
struct owner {
  double *member;
  static double *shared;
  void move(int n) {
    #pragma hpf processors P(4)
    // CHECK: :[[#@LINE+1]]:28: error: hpf: 'member' is a member of a class, expected a variable that is not a member
    #pragma hpf distribute member(block) onto P extent(n)
    // CHECK: :[[#@LINE+1]]:28: error: hpf: 'shared' is a member of a class, expected a variable that is not a member
    #pragma hpf distribute shared(block) onto P extent(n)
  }
};
