/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the plugin would have written into a test program: sites, and their registration together
 * with the plan in the file that TEST_PLAN names. Also a log of what reaches MPI, because receivers
 * cannot see the order in which messages for different ranks leave.
 *
 * With -DMARKED_LOOPS the same program is built to be profiled: its loops are marked. */

#ifndef TEST_RUNTIME_PLANNED_LOOP_H
#define TEST_RUNTIME_PLANNED_LOOP_H

#include "../../../runtime/include/sendwright/runtime.h"

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef MARKED_LOOPS
#undef sendwright_batch
#define sendwright_batch(SITE) sendwright_mark(SITE)
enum { all_loops_are = SENDWRIGHT_SITE_DEFERRABLE };
#else
enum { all_loops_are = 0 };
#endif

/* A site that `site HASH` of write-plan refers to; open it with sendwright_batch(NAME). */
#define PLANNED_LOOP(NAME, HASH, FLAGS)                                                            \
  static struct sendwright_site NAME = {                                                           \
      "program.c", "main", __LINE__, 0, HASH, (FLAGS) | all_loops_are, 0};                         \
  __attribute__((constructor)) static void NAME##_register(void) { register_planned(&NAME); }

void register_planned(struct sendwright_site *site);

/* The sends that this rank handed to MPI since the last clear_log(), as "isend 3 start 2 bsend 1 ":
 * the function, without PMPI_, and the destination. */
extern char issue_log[];
void clear_log(void);
/* The buffer of the last such send. */
extern const void *issued_buffer;

/* Ends the job with a message if the log differs. */
void expect_log(const char *expected);
/* The same if a condition does not hold. */
#define EXPECT(CONDITION) expect_true(CONDITION, #CONDITION, __FILE__, __LINE__)
void expect_true(int condition, const char *text, const char *file, int line);

/* The number of this rank, and of all ranks. */
int my_rank(void);
int rank_count(void);

#ifdef __cplusplus
}
#endif

#endif
