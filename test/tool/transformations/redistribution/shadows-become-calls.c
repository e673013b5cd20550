// shadow and reflect become calls on their lines.
//
// RUN: %cc %plugin -Wall -Wextra -pedantic-errors -Werror -std=c99 %argument-output-dir=%t -c %s -o %t.o
// RUN: sed 's#//.*##' %t/shadows-become-calls.c | %FileCheck %s
// RUN: llvm-nm-19 -u %t.o | %FileCheck %s --check-prefix=CALLS
// RUN: %cxx -x c++ -std=c++98 %plugin -Wall -Wextra -pedantic-errors -Werror -Wconversion -c %s -o %t.o
//
// CALLS: sendwright_reflect_begin
// CALLS: sendwright_reflect_end
// CALLS: sendwright_shadow

void step(double *first, int n);
void step(double *first, int n) {
  double *A = first, *B = first;
#pragma hpf processors P(2)
#pragma hpf distribute (block, *) onto P extent(n, n) :: A, B
  // CHECK: {{^}}  sendwright_hpf_shadow(sendwright_site_step_{{[0-9a-f]+}}, A, 2, sendwright_cells(1), sendwright_cells(n + 1), sendwright_cells(0), sendwright_cells(0));
#pragma hpf shadow A(1:n + 1, 0)
#pragma hpf SHADOW B(1, 1:2)
  // CHECK: sendwright_hpf_reflect_begin(sendwright_site_step_[[SITE:[0-9a-f]+]], A, 0, 2, sendwright_cells(0), sendwright_cells(0));
  // CHECK: sendwright_hpf_reflect_begin(sendwright_site_step_[[SITE]], B, 0, 2, sendwright_cells(0), sendwright_cells(0));
  // CHECK: sendwright_hpf_reflect_end(sendwright_site_step_[[SITE]], A);
  // CHECK: sendwright_hpf_reflect_end(sendwright_site_step_[[SITE]], B);
#pragma hpf reflect A, B
  // CHECK: {{^}}  sendwright_hpf_reflect_begin(sendwright_site_step_{{[0-9a-f]+}}, A, 1, 2, sendwright_cells(1), sendwright_cells(1));
#pragma hpf reflect_begin A corners periodic
  // CHECK: {{^}}  sendwright_hpf_reflect_end(sendwright_site_step_{{[0-9a-f]+}}, A);
#pragma hpf reflect_end A
  // CHECK: sendwright_hpf_reflect_begin(sendwright_site_step_{{[0-9a-f]+}}, B, 0, 2, sendwright_cells(n), sendwright_cells(0));
#pragma hpf reflect B periodic(n, 0)
}
