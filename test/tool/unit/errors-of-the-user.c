// A unit with errors gets the user's errors, once, and nothing else.
//
// RUN: not_compiled() { %cc "$@" -c %s -o %t.o 2> %t.err; test $? = 1; }; not_compiled %generate
// RUN: %FileCheck %s < %t.err
// CHECK: errors-of-the-user.c:[[#@LINE+5]]:36: error: use of undeclared identifier 'undeclared'
// CHECK: 1 error generated.
// CHECK-NOT: error

void f(int n) {
  for (int i = 0; i < n; i++) n += undeclared;
}
