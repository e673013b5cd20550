/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Who sends to whom: the same on all ranks, computed or read by each. */

#ifndef AGGREGATION_PATTERN_H
#define AGGREGATION_PATTERN_H

struct pattern {
  int ranks;
  unsigned char *sends; /* by source and destination: whether there is a message */
};

/* "halo": the neighbours of a block in a box of blocks, 26 at most; "power-law": degrees fall as
 * one over the square root of a rank's place, from 78 % of the ranks; otherwise the name of a file
 * with a communication matrix. The caller frees `sends`. */
struct pattern pattern_of(const char *name, int ranks);

static inline int sends(const struct pattern *pattern, int from, int to) {
  return pattern->sends[from * pattern->ranks + to];
}

#endif
