// RUN: cd %T && %errors %cc %plugin -Wno-unused -ferror-limit=0 -c %s | %FileCheck %s --implicit-check-not=error:

#pragma hpf processors P(4)
#pragma hpf dynamic

void f(int n) {
  #pragma hpf template T(n)
  #pragma hpf template G(6, 10)
  // CHECK: errors-of-used-templates.c:[[#@LINE+1]]:28: error: hpf: 'T' has 1 dimension, as its template says, found 2
  #pragma hpf distribute T(block, *) onto P
  // CHECK: :[[#@LINE+1]]:55: error: hpf: '12' is 12, expected 10, as the template 'G' says
  #pragma hpf distribute G(block, *) onto P extent(6, 12)
  {
    const int sizes[] = {1, 2, 1, 1};
    #pragma hpf template G(6, 10)
    // CHECK: :[[#@LINE+1]]:40: error: hpf: 'sizes' sums to 5, expected at least the extent of 6
    #pragma hpf distribute G(gen_block(sizes), *) onto P
  }
}
