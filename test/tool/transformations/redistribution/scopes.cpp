// Where directives work: namespaces, variables of the unit and of blocks, lambdas, templates, loops, members.
//
// RUN: %cxx -std=c++20 %plugin -Wall -Wextra -Werror %argument-output-dir=%t -c %s -o %t.o
// RUN: sed 's#//.*##' %t/scopes.cpp | %FileCheck %s
// RUN: %cxx -std=c++20 %plugin -O2 -fno-exceptions -c %s -o %t.o
// RUN: %cxx -std=c++20 %generate -c %s -o %t.o

#include <array>
#include <cstdlib>
#include <memory_resource>
#include <span>
#include <vector>

namespace solver {
#pragma hpf processors P(4)
double *field;
#pragma hpf dynamic field
namespace inner {
extern std::vector<float> values;
void start(const std::vector<long> &sizes) {
  // CHECK: sendwright_hpf_distribute_static({{.*}}, field, P, sendwright_gen_block(sizes));
#pragma hpf distribute field(gen_block(sizes)) onto P
  #pragma hpf dynamic values
  #pragma hpf distribute values(gen_block(sizes)) onto P
}
} // namespace inner
using inner::values;
void step(std::span<const int> sizes) {
  // CHECK: sendwright_hpf_redistribute({{.*}}, field, sendwright_gen_block(sizes));
#pragma hpf redistribute field(gen_block(sizes))
#pragma hpf redistribute values(gen_block(sizes))
}
} // namespace solver

struct with_methods {
  std::array<unsigned char, 4> sizes;
  void balance(std::vector<double> &list) const {
#pragma hpf processors Q(2, 2)
#pragma hpf distribute list(gen_block(sizes), block) onto Q(2, 2) extent(*, 8)
#pragma hpf dynamic list
    for (int round = 0; round < 3; round++) {
#pragma hpf redistribute list(block, block)
    }
  }
};

std::array<int, 4> computed();
void lambdas() {
  static double *kept = nullptr;
  double *A = nullptr;
  std::pmr::vector<short> of_resource;
#pragma hpf processors P(4)
  // CHECK: sendwright_hpf_distribute({{.*}}, A, P, sendwright_gen_block(computed()));
#pragma hpf distribute A(gen_block(computed())) onto P
#pragma hpf distribute of_resource(gen_block(std::vector<int>{1, 2, 3, 4})) onto P
  // CHECK: sendwright_hpf_static_array(kept);
  // CHECK-NEXT: sendwright_hpf_distribute_static({{.*}}, kept, P, sendwright_gen_block((int[4]){1, 2, 3, 4}));
#pragma hpf distribute kept(gen_block((int[4]){1, 2, 3, 4})) onto P
#pragma hpf dynamic A, kept, of_resource
  auto move = [&](const int *sizes) {
    // CHECK: sendwright_hpf_redistribute({{.*}}, A, sendwright_gen_block(sizes));
#pragma hpf redistribute A(gen_block(sizes))
#pragma hpf redistribute (gen_block(sizes)) :: kept, of_resource
  };
  int sizes[] = {1, 2, 3, 4};
  move(sizes);
  auto own = [](int n) {
    double *A = nullptr;
#pragma hpf processors P(n)
#pragma hpf distribute A(block) onto P extent(n)
#pragma hpf dynamic A
#pragma hpf redistribute A(cyclic)
    std::free(A);
  };
  own(3);
  for (int i = 0; i < 2; i++) {
    std::vector<int> B(8);
#pragma hpf distribute B(block) onto P extent(32)
#pragma hpf dynamic B
#pragma hpf redistribute B(cyclic(2))
  }
}

// In a template the text is edited once, and the compiler judges each instantiation.
template <typename Element, int Ranks> void generic(std::vector<Element> &list, Element *&pointer) {
  // CHECK: sendwright_hpf_processors(P, Ranks);
#pragma hpf processors P(Ranks)
  const int sizes[Ranks] = {};
#pragma hpf distribute (gen_block(sizes)) onto P :: list, pointer
#pragma hpf dynamic list, pointer
#pragma hpf redistribute (block) :: list, pointer
}
template void generic<double, 4>(std::vector<double> &, double *&);
template void generic<with_methods, 2>(std::vector<with_methods> &, with_methods *&);
[[maybe_unused]] auto in_initializer = [](std::vector<char> &list) {
#pragma hpf processors P(2)
#pragma hpf distribute list(block) onto P extent(5)
#pragma hpf dynamic list
#pragma hpf redistribute list(cyclic)
};

extern "C" void linked(float *&A) {
#pragma hpf processors P(2)
#pragma hpf distribute A(block) onto P extent(5)
#pragma hpf dynamic A
  if (A) {
#pragma hpf redistribute A(cyclic)
  } else
    goto end;
end:
#ifdef __cpp_exceptions
  try {
    std::vector<int> inside;
#pragma hpf distribute inside(block) onto P extent(5)
  } catch (...) {
  }
#endif
}
