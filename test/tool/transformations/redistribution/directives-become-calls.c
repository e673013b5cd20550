// Each directive becomes a call that says the same, on its line, in the compiled text and in what is shown.
//
// RUN: %cc %plugin -Wall -Wextra -Wunknown-pragmas -Werror %argument-output-dir=%t -c %s -o %t.o
// RUN: %FileCheck %s < %t/directives-become-calls.c
// RUN: llvm-nm-19 -u %t.o | %FileCheck %s --check-prefix=CALLS
// RUN: %sendwright rewrite %s --output-dir %t/shown -- %mock
// RUN: for file in %t/directives-become-calls.c %t/shown/directives-become-calls.c; do sed 's/_[0-9a-f]\{8\}//' $file > $file.plain; done
// RUN: diff %t/directives-become-calls.c.plain %t/shown/directives-become-calls.c.plain
// RUN: %sendwright rewrite %s --diff -- %mock | %FileCheck %s --check-prefix=DIFF
//
// CALLS: sendwright_distribute
// CALLS: sendwright_forget
// CALLS: sendwright_redistribute
//
// DIFF: {{^}}+#include <sendwright/directives.h>
// DIFF: {{^}}-#pragma hpf processors P(6)
// DIFF-NEXT: {{^}}-#pragma hpf distribute A(gen_block(old)) onto P
// DIFF-NEXT: {{^}}-#pragma hpf dynamic A
// DIFF-NEXT: {{^}}+  sendwright_hpf_processors(P, 6);
// DIFF-NEXT: {{^}}+  sendwright_hpf_distribute(sendwright_site_balance_{{[0-9a-f]+}}, A, P, sendwright_gen_block(old));
// DIFF-NEXT: {{^}}+  /* hpf dynamic A */

#include <mpi.h>
#include <stdlib.h>

struct particle {
  double position[3];
  int kind;
};
void use(double *, struct particle *, float (*)[7]);

void balance(int me, const int *new_sizes, MPI_Comm mine, long long n) {
  int old[6] = {9, 8, 9, 16, 8, 10};
  double *A = malloc((unsigned)old[me] * sizeof *A);
#pragma hpf processors P(6)
#pragma hpf distribute A(gen_block(old)) onto P
#pragma hpf dynamic A
  struct particle *particles = NULL;
  float(*rows)[7] = NULL;
  unsigned short *B = NULL, *C = NULL;
  // CHECK: {{^}}  sendwright_hpf_processors_of(mine, Grid, 2, 3);
  #pragma HPF PROCESSORS Grid(2, 3) COMM(mine)
  // CHECK: {{^}}  sendwright_hpf_distribute(sendwright_site_balance_[[#%x,]], particles, Grid, sendwright_extent(2 * n, sendwright_block()), sendwright_extent(n, sendwright_cyclic_length(4)));
  #pragma hpf distribute particles(BLOCK, Cyclic(4)) onto Grid extent(2 * n, n)
  // CHECK: {{^}}  sendwright_hpf_distribute_rows(sendwright_site_balance_{{[0-9a-f]+}}, rows, P, sendwright_gen_block(&old[0]), sendwright_extent(sendwright_row(rows), sendwright_collapsed())); // a comment stays
  #pragma hpf distribute rows(gen_block(&old[0]), *) onto P(6) // a comment stays
  // CHECK: {{^}}  sendwright_hpf_distribute(sendwright_site_balance_[[SITE:[0-9a-f]+]], B, P, sendwright_extent(n, sendwright_block_length(n / 6 + 1)));
  // CHECK-NEXT: {{^}}  sendwright_hpf_distribute(sendwright_site_balance_[[SITE]], C, P, sendwright_extent(n, sendwright_block_length(n / 6 + 1)));
  #pragma hpf distribute (block(n / 6 + 1)) onto P extent(n) :: \
                         B, C
  // CHECK: {{^}}  /* hpf dynamic particles, rows, B, C */
  #pragma hpf dynamic :: particles, rows, B, C
  for (int round = 0; round < 2; round++) {
    // CHECK: {{^}}    sendwright_hpf_redistribute(sendwright_site_balance_{{[0-9a-f]+}}, A, sendwright_gen_block(new_sizes));
    #pragma hpf redistribute A(gen_block(new_sizes))
    // CHECK: {{^}}    sendwright_hpf_redistribute_all(sendwright_site_balance_{{[0-9a-f]+}}, SENDWRIGHT_SCHEDULE_MLC, SENDWRIGHT_NOT_KNOWN, sendwright_arrays(&sendwright_array_rows), sendwright_cyclic(), sendwright_collapsed());
    #pragma hpf redistribute rows(cyclic, *) schedule(mlc)
    // CHECK: {{^}}    sendwright_hpf_redistribute_all(sendwright_site_balance_{{[0-9a-f]+}}, SENDWRIGHT_SCHEDULE_AUTO, SENDWRIGHT_NOT_KNOWN, sendwright_arrays(&sendwright_array_B, &sendwright_array_C), sendwright_gen_block(new_sizes));
    #pragma hpf redistribute (gen_block(new_sizes)) :: B, C
    if (round) {
      #pragma hpf redistribute particles(cyclic, block) schedule(asynchronous)
    }
  }
  // CHECK: {{^}}  sendwright_hpf_processors_on(Some, sendwright_ranks(1, n, 2), 3);
  #pragma hpf processors Some(3) ranks(1:n:2)
  // CHECK: {{^}}  sendwright_hpf_processors_on_of(mine, First, sendwright_ranks(0, 1, 1), 2);
  #pragma hpf processors First(2) ranks(0:1) comm(mine)
  // CHECK: {{^}}  sendwright_hpf_redistribute_onto(sendwright_site_balance_{{[0-9a-f]+}}, Some, SENDWRIGHT_SCHEDULE_AUTO, SENDWRIGHT_NOT_KNOWN, sendwright_arrays(&sendwright_array_A), sendwright_indirect(new_sizes));
  #pragma hpf redistribute A(indirect(new_sizes)) onto Some
  // CHECK: {{^}}  sendwright_hpf_redistribute(sendwright_site_balance_{{[0-9a-f]+}}, A, sendwright_balance(A));
  #pragma hpf redistribute A(balance(A))
  // CHECK: {{^}}  sendwright_hpf_redistribute(sendwright_site_balance_{{[0-9a-f]+}}, rows, sendwright_balance_into(&old[0], old), sendwright_collapsed());
  #pragma hpf redistribute rows(balance(&old[0], old), *)
  // CHECK: {{^}}  sendwright_hpf_redistribute(sendwright_site_balance_{{[0-9a-f]+}}, A, sendwright_measured());
  #pragma hpf redistribute A(balance(measured))
  // CHECK: {{^}}  sendwright_hpf_redistribute(sendwright_site_balance_{{[0-9a-f]+}}, rows, sendwright_measured_into(old), sendwright_collapsed());
  #pragma hpf redistribute rows(BALANCE(Measured, old), *)
  // CHECK: {{^}}  sendwright_hpf_distribute_whole(sendwright_site_balance_{{[0-9a-f]+}}, whole, whole[0][0][0], Grid, sendwright_extent(sendwright_count(whole), sendwright_block()), sendwright_extent(sendwright_row(whole), sendwright_collapsed()), sendwright_extent(sendwright_row(whole[0]), sendwright_cyclic()));
  float whole[4][5][6];
  #pragma hpf distribute whole(block, *, cyclic) onto Grid
  // CHECK: {{^}}  sendwright_hpf_static_array(kept);
  // CHECK-NEXT: {{^}}  sendwright_hpf_distribute_static_whole(sendwright_site_balance_{{[0-9a-f]+}}, kept, kept[0], P, sendwright_extent(sendwright_count(kept), sendwright_gen_block(new_sizes)));
  static int kept[10];
  #pragma hpf distribute kept(gen_block(new_sizes)) onto P
  // CHECK: {{^}}  sendwright_hpf_distribute_nested(sendwright_site_balance_{{[0-9a-f]+}}, cubes, cubes[0][0][0], P, sendwright_extent(n, sendwright_block()), sendwright_extent(sendwright_row(cubes), sendwright_collapsed()), sendwright_extent(sendwright_row(cubes[0]), sendwright_collapsed()));
  short(*cubes)[2][3] = NULL;
  #pragma hpf distribute cubes(block, *, *) onto P extent(n, *, *)
  // CHECK: {{^}}  /* hpf dynamic */
  #pragma hpf dynamic
  use(A, particles, rows);
}
