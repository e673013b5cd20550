// RUN: cd %T && %errors %cc -ferror-limit=0 %plugin -Wno-unused -c %s > %t.out; %FileCheck %s < %t.out

void f(double *first, int n) {
  double wrong[4], *B = first, *C = first, *D = first;
  #pragma hpf processors Q(4)
  // CHECK: errors-of-expressions-in-c.c:[[#@LINE+1]]:{{[0-9]+}}: error: gen_block: expected an array of integers, or a pointer to one
  #pragma hpf distribute B(gen_block(wrong)) onto Q
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: subscripted value is not an array, pointer, or vector
  #pragma hpf distribute C(gen_block(n)) onto Q
}
int n;
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: initializer element is not a compile-time constant
#pragma hpf processors Outside(n)
