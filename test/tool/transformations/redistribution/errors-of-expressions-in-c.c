// RUN: cd %T && %errors %cc -ferror-limit=0 %plugin -Wno-unused -c %s > %t.out; %FileCheck %s < %t.out

void f(double *first, int n) {
  double wrong[4], *B = first, *C = first, *D = first;
  #pragma hpf processors Q(4)
  // CHECK: errors-of-expressions-in-c.c:[[#@LINE+1]]:{{[0-9]+}}: error: gen_block: expected an array of integers, or a pointer to one
  #pragma hpf distribute B(gen_block(wrong)) onto Q
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: subscripted value is not an array, pointer, or vector
  #pragma hpf distribute C(gen_block(n)) onto Q
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: indirect: expected an array of integers, or a pointer to one
  #pragma hpf distribute D(indirect(wrong)) onto Q extent(4)
  char *words[4];
  #pragma hpf dynamic
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: balance: expected an array of integers, float or double, or a pointer to one
  #pragma hpf redistribute D(balance(words))
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: balance: expected an array of integers for the sizes, or a pointer to one
  #pragma hpf redistribute D(balance(wrong, wrong))
}
int n;
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: initializer element is not a compile-time constant
#pragma hpf processors Outside(n)
