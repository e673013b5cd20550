// If sizes and processors are constants, the schedule is a table in the unit, and is shown to the reader. It
// starts from the preceding directive in the text.
//
// RUN: %cc %plugin -Wall -Wextra -pedantic-errors -Werror -std=c99 %argument-output-dir=%t -c %s -o %t.o
// RUN: sed 's#//.*##' %t/schedule-of-constants.c | %FileCheck %s
// RUN: llvm-nm-19 %t.o | %FileCheck %s --check-prefix=TABLE
// RUN: %cxx -x c++ -std=c++11 %plugin -Wall -Wextra -pedantic-errors -Werror -c %s -o %t.o
// RUN: llvm-nm-19 %t.o | %FileCheck %s --check-prefix=TABLE
//
// TABLE: sendwright_schedule_balance_{{[0-9a-f]+}}
// TABLE: sendwright_schedule_balance_{{[0-9a-f]+}}_messages

#define RANKS 3
void balance(double *first, const int *sizes);
void balance(double *first, const int *sizes) {
  double *A = first;
  static const int before[RANKS] = {4, 4, 4}, after[RANKS] = {2, 3, 7};
#pragma hpf processors P(RANKS)
#pragma hpf distribute A(gen_block(before)) onto P
#pragma hpf dynamic A
  // CHECK: {{^}}  /* elements of each rank before: 4 4 4
  // CHECK-NEXT: {{^}}     elements of each rank after:  2 3 7
  // CHECK-NEXT: {{^}}     rank 0 sends 2 to 1
  // CHECK-NEXT: {{^}}     rank 1 sends 3 to 2
  // CHECK-NEXT: {{^}}     the busiest port is occupied for 3 elements, all ranks are done after 3 */
  // CHECK-NEXT: {{^}}  sendwright_hpf_redistribute_all(sendwright_site_balance_[[SITE:[0-9a-f]+]], SENDWRIGHT_SCHEDULE_AUTO, &sendwright_schedule_balance_[[SITE]], sendwright_arrays(&sendwright_array_A), sendwright_gen_block(after));
#pragma hpf redistribute A(gen_block(after))
  // CHECK: elements of each rank before: 2 3 7
  // CHECK: elements of each rank after:  4 4 4
#pragma hpf redistribute A(block) schedule(asynchronous)
  // CHECK: {{^}}  sendwright_hpf_redistribute(sendwright_site_balance_{{[0-9a-f]+}}, A, sendwright_gen_block(sizes));
#pragma hpf redistribute A(gen_block(sizes))
  // CHECK: {{^}}  sendwright_hpf_redistribute(sendwright_site_balance_{{[0-9a-f]+}}, A, sendwright_gen_block(after));
#pragma hpf redistribute A(gen_block(after))
}
