// template, align and realign become calls on their lines.
//
// RUN: %cc %plugin -Wall -Wextra -pedantic-errors -Werror -std=c99 %argument-output-dir=%t -c %s -o %t.o
// RUN: sed 's#//.*##' %t/alignments-become-calls.c | %FileCheck %s
// RUN: llvm-nm-19 -u %t.o | %FileCheck %s --check-prefix=CALLS
// RUN: %cxx -x c++ -std=c++98 %plugin -Wall -Wextra -pedantic-errors -Werror -Wconversion -c %s -o %t.o
// RUN: %cxx -x c++ -std=c++20 %plugin -Wall -Wextra -pedantic-errors -Werror -c %s -o %t.o
//
// CALLS: sendwright_align
// CALLS: sendwright_realign

// CHECK: {{^}}sendwright_hpf_unit_template(Unit, 20, 30);
#pragma hpf template Unit(20, 30)
#pragma hpf processors Q(2, 2)
extern double *field;
extern float other[20][30];
#pragma hpf dynamic

void step(double *first, float (*second)[7], int n);
void step(double *first, float (*second)[7], int n) {
  double *A = first, *B = first, *C = first, *E = first;
  float(*rows)[7] = second;
  short whole[10];
#pragma hpf processors P(4)
  // CHECK: {{^}}  sendwright_hpf_template(T, n, 2 * n);
#pragma hpf template T(n, 2 * n)
  // CHECK: {{^}}  sendwright_hpf_distribute_template(sendwright_site_step_{{[0-9a-f]+}}, T, P, sendwright_extent(sendwright_template_extent(T, 1), sendwright_block()), sendwright_extent(sendwright_template_extent(T, 2), sendwright_collapsed()));
#pragma hpf distribute T(block, *) onto P
#pragma hpf distribute A(block) onto P extent(n)
  // CHECK: {{^}}  sendwright_hpf_align(sendwright_site_step_{{[0-9a-f]+}}, B, B[0], A, sendwright_along(1));
#pragma hpf align B(i) with A(i)
  // CHECK: {{^}}  sendwright_hpf_align(sendwright_site_step_{{[0-9a-f]+}}, rows, rows[0][0], B, sendwright_along(1), sendwright_extent(sendwright_row(rows), sendwright_collapsed()));
#pragma HPF ALIGN rows(i, *) WITH B(i)
  // CHECK: {{^}}  sendwright_hpf_align(sendwright_site_step_[[SITE:[0-9a-f]+]], C, C[0], T, sendwright_extent(n - 1, sendwright_along_from(1, 1)), sendwright_extent(3, sendwright_collapsed()));
  // CHECK-NEXT: {{^}}  sendwright_hpf_align(sendwright_site_step_[[SITE]], E, E[0], T, sendwright_extent(n - 1, sendwright_along_from(1, 1)), sendwright_extent(3, sendwright_collapsed()));
#pragma hpf align (i, *) with T(i + 1, *) extent(n - 1, 3) :: \
                  C, E
  // CHECK: {{^}}  sendwright_hpf_align_whole(sendwright_site_step_{{[0-9a-f]+}}, whole, whole[0], T, sendwright_extent(sendwright_count(whole), sendwright_along_from(1, n - 10)));
#pragma hpf align whole(i) with T(i + n - 10, *)
  // CHECK: {{^}}  sendwright_hpf_shadow(sendwright_site_step_{{[0-9a-f]+}}, rows, 2, sendwright_cells(1), sendwright_cells(1), sendwright_cells(0), sendwright_cells(0));
#pragma hpf shadow rows(1, 0)
#pragma hpf reflect rows
  // CHECK: {{^}}  sendwright_hpf_redistribute(sendwright_site_step_{{[0-9a-f]+}}, T, sendwright_cyclic(), sendwright_collapsed());
#pragma hpf redistribute T(cyclic, *)
  // CHECK: {{^}}  sendwright_hpf_redistribute(sendwright_site_step_{{[0-9a-f]+}}, A, sendwright_balance(A));
#pragma hpf redistribute A(balance(A))
  // CHECK: {{^}}  sendwright_hpf_realign(sendwright_site_step_{{[0-9a-f]+}}, T, sendwright_arrays(&sendwright_array_B), sendwright_along(1));
#pragma hpf realign B(row) with T(row, *)
  // CHECK: {{^}}  sendwright_hpf_realign(sendwright_site_step_{{[0-9a-f]+}}, A, sendwright_arrays(&sendwright_array_C, &sendwright_array_E), sendwright_along(1), sendwright_collapsed());
#pragma hpf realign (i, *) with A(i) :: C, E
}

// Variables and templates of the unit.
void start(int n);
void start(int n) {
  // CHECK: {{^}}  sendwright_hpf_distribute_static_template(sendwright_site_start_{{[0-9a-f]+}}, Unit, Q, sendwright_extent(sendwright_template_extent(Unit, 1), sendwright_block()), sendwright_extent(sendwright_template_extent(Unit, 2), sendwright_cyclic_length(n)));
#pragma hpf distribute Unit(block, cyclic(n)) onto Q
  // CHECK: {{^}}  sendwright_hpf_align_static(sendwright_site_start_{{[0-9a-f]+}}, field, field[0], Unit, sendwright_along(1), sendwright_along(2));
#pragma hpf align field(i, j) with Unit(i, j)
  // CHECK: {{^}}  sendwright_hpf_align_static_whole(sendwright_site_start_{{[0-9a-f]+}}, other, other[0][0], field, sendwright_extent(sendwright_count(other), sendwright_along(1)), sendwright_extent(sendwright_row(other), sendwright_along(2)));
#pragma hpf align other(i, j) with field(i, j)
}
void change(void);
void change(void) {
  // CHECK: {{^}}  sendwright_hpf_redistribute(sendwright_site_change_{{[0-9a-f]+}}, Unit, sendwright_cyclic(), sendwright_block());
#pragma hpf redistribute Unit(cyclic, block)
}
