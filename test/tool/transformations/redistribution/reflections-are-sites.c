// In a build to be profiled, what begins a reflection stands in a scope, and what ends it behind the scope. All arrays
// of a directive share a scope; reflect_end has none. Nothing moves to another line.
//
// RUN: %cc %generate -Wall -Wextra -pedantic-errors -Werror -std=c99 %argument-output-dir=%t -c %s -o %t.o
// RUN: sed 's#//.*##' %t/reflections-are-sites.c | %FileCheck %s
// RUN: %cxx -x c++ -std=c++98 %generate -Wall -Wextra -pedantic-errors -Werror -Wconversion -c %s -o %t.o
// RUN: %cc %plugin -Wall -Wextra -Werror %argument-output-dir=%t.without -c %s -o %t.o
// RUN: ! sed 's#//.*##' %t.without/reflections-are-sites.c | grep sendwright_mark

void step(double *first, int n);
void step(double *first, int n) {
  double *A = first, *B = first;
#pragma hpf processors P(2)
#pragma hpf distribute (block, *) onto P extent(n, n) :: A, B
#pragma hpf shadow A(1, 1)
#pragma hpf shadow B(1, 1)
  // CHECK: {{^}}  { sendwright_mark(sendwright_site_step_[[SITE:[0-9a-f]+]]_deferrable);
  // CHECK-NEXT: {{^}}  sendwright_hpf_reflect_begin(sendwright_site_step_[[SITE]], A, 0, 2, sendwright_cells(0), sendwright_cells(0));
  // CHECK-NEXT: {{^}}  sendwright_hpf_reflect_begin(sendwright_site_step_[[SITE]], B, 0, 2, sendwright_cells(0), sendwright_cells(0));
  // CHECK-NEXT: {{^}}  }
  // CHECK-NEXT: {{^}}  sendwright_hpf_reflect_end(sendwright_site_step_[[SITE]], A);
  // CHECK-NEXT: {{^}}  sendwright_hpf_reflect_end(sendwright_site_step_[[SITE]], B);
#pragma hpf reflect A, B
  // CHECK: {{^}}  { sendwright_mark(sendwright_site_step_[[BEGIN:[0-9a-f]+]]_deferrable);
  // CHECK-NEXT: {{^}}  sendwright_hpf_reflect_begin(sendwright_site_step_[[BEGIN]], A, 1, 2, sendwright_cells(1), sendwright_cells(1));
  // CHECK-NEXT: {{^}}  }
#pragma hpf reflect_begin A corners periodic
  // CHECK-NOT: sendwright_mark
  // CHECK: {{^}}  sendwright_hpf_reflect_end(sendwright_site_step_{{[0-9a-f]+}}, A);
#pragma hpf reflect_end A
}
