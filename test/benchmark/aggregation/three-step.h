/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Locality-aware aggregation in three steps, as G. Collom, R. P. Li and A. Bienz describe it in
 * "Optimizing Irregular Communication with Neighborhood Collectives and Locality-Aware Parallelism"
 * (2023): ranks are divided into regions, such as the ranks of a node. A region sends one message
 * to another. What it is to hold is gathered first at a rank of the region, and scattered at the
 * end by the rank that receives it. Regions are dealt out among the ranks of a region, those with
 * the most data first. Messages within a region go directly, beside the three steps.
 *
 * All requests are persistent. Equal values for several ranks of a region are not told apart from
 * others: this is the paper's way without its removal of duplicates. */

#ifndef AGGREGATION_THREE_STEP_H
#define AGGREGATION_THREE_STEP_H

#include "pattern.h"

struct three_step;

/* Sets everything up, for messages of `bytes` and regions of `region` neighbouring ranks. `out` and
 * `in` hold this rank's messages one after another, by destination and by source; they must outlive
 * the result. */
struct three_step *three_step_begin(const struct pattern *pattern, int bytes, int region, char *out,
                                    char *in);
void three_step_exchange(struct three_step *exchange);
void three_step_end(struct three_step *exchange);

#endif
