/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* What one rank sends and receives in one exchange. Indices of the arrays are ranks; zero bytes
 * means no message. */

#ifndef EXCHANGE_H
#define EXCHANGE_H

struct exchange {
  int me, ranks;
  int *send_bytes, *send_offsets;
  int *receive_bytes, *receive_offsets;
  unsigned char *outgoing, *incoming;
};

/* Both come from exchange_loop.c, compiled as it is and rebuilt with a plan. Messages leave in
 * the order of `order`, a permutation of the ranks. */
void exchange_as_written(const struct exchange *e, const int *order);
void exchange_rebuilt(const struct exchange *e, const int *order);

#endif
