// RUN: cd %T && %errors %cxx -std=c++20 %plugin -Wno-unused -ferror-limit=0 -c %s | %FileCheck %s --implicit-check-not=error:

double *one, *two, *three, *four;
void start() {
  // CHECK: errors-of-circular-alignments.cpp:[[#@LINE+1]]:33: error: hpf: 'two' moves with 'one' (line [[#@LINE+8]]), expected an array that does not
  #pragma hpf align one(i) with two(i)
  #pragma hpf align four(i) with one(i)
}
void also() {
  // CHECK: :[[#@LINE+1]]:33: error: hpf: 'three' moves with 'two' (line [[#@LINE-4]]), expected an array that does not
  #pragma hpf align two(i) with three(i)
  // CHECK: :[[#@LINE+1]]:35: error: hpf: 'one' moves with 'three' (line [[#@LINE-1]]), expected an array that does not
  #pragma hpf align three(i) with one(i)
}
