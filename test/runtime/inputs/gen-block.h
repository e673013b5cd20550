/* A gen_block distribution of one dimension, for tests of redistribute. */

#ifndef GEN_BLOCK_H
#define GEN_BLOCK_H

#include <sendwright/redistribution.h>

#include <string.h>

/* `extent`: -1 if the blocks are the array. The sizes must outlive the result. */
static struct sendwright_distribution gen_block(const int *sizes, int count, long long extent) {
  struct sendwright_distribution d;
  memset(&d, 0, sizeof d);
  d.dimensions = 1;
  d.dimension[0].kind = SENDWRIGHT_GEN_BLOCK;
  d.dimension[0].sizes = sizes;
  d.dimension[0].size_bytes = sizeof(int);
  d.dimension[0].sizes_signed = 1;
  d.dimension[0].size_count = count;
  d.extents[0] = extent;
  return d;
}

#endif
