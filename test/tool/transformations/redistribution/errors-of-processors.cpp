// RUN: cd %T && %errors %cxx -std=c++17 %plugin -Wno-unused -ferror-limit=0 -c %s | %FileCheck %s --implicit-check-not=error:

#define NONE (2 - 2)
enum { negative = -3 };
#define Macro Other
#pragma hpf processors Global(6)

void f(int n) {
  // CHECK: errors-of-processors.cpp:[[#@LINE+1]]:28: error: hpf: 'NONE' is 0, expected at least one processor
  #pragma hpf processors P(NONE)
  // CHECK: :[[#@LINE+1]]:31: error: hpf: 'negative' is -3, expected at least one processor
  #pragma hpf processors Q(2, negative)
  // CHECK: :[[#@LINE+1]]:26: error: hpf: 'P' are declared in line [[#@LINE-3]] already, expected another name
  #pragma hpf processors P(n)
  // CHECK: :[[#@LINE+1]]:26: error: hpf: 'Macro' is a macro, expected another name
  #pragma hpf processors Macro(n)
  {
    // Another block may have its own.
    #pragma hpf processors P(n)
  }
  #pragma hpf processors Global(7)
  // CHECK: :[[#@LINE+1]]:37: error: hpf: 'negative' is -3, expected a rank
  #pragma hpf processors A(2) ranks(negative:1)
  // CHECK: :[[#@LINE+1]]:39: error: hpf: '3' is 3, expected at least 4, the first rank
  #pragma hpf processors B(2) ranks(4:3)
  // CHECK: :[[#@LINE+1]]:41: error: hpf: 'NONE' is 0, expected a distance of at least 1
  #pragma hpf processors C(2) ranks(0:1:NONE)
  // CHECK: :[[#@LINE+1]]:40: error: hpf: found 3 ranks, expected 4, one for each processor
  #pragma hpf processors D(2, 2) ranks(0:4:2)
  #pragma hpf processors E(2) ranks(n:4:2)
  switch (n) {
  case 1:
    // CHECK: :[[#@LINE+1]]:5: error: hpf: the label in line [[#@LINE+2]] is reached without it, expected it before the jump or in a block of its own
    #pragma hpf processors R(n)
  case 2: {
    #pragma hpf processors S(n)
    break;
  }
  }
  if (n)
    goto end;
  // CHECK: :[[#@LINE+1]]:3: error: hpf: the label in line [[#@LINE+2]] is reached without it
  #pragma hpf processors T(n)
end:
  n++;
again:
  #pragma hpf processors U(n)
  if (n++ < 3)
    goto again;
}
