/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the plugin would have written into a test program: sites, and their registration together
 * with the plan in the file that TEST_PLAN names. And a log of what reaches MPI, since the order in
 * which messages for different ranks leave cannot be seen at their receivers.
 *
 * With -DMARKED_LOOPS the same program has what is written to profile it: its loops are marked. */

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

/* A site that `site HASH` of write-plan speaks of; open it with sendwright_batch(NAME). */
#define PLANNED_LOOP(NAME, HASH, FLAGS)                                                            \
  static struct sendwright_site NAME = {                                                           \
      "program.c", "main", __LINE__, 0, HASH, (FLAGS) | all_loops_are, 0};                         \
  __attribute__((constructor)) static void NAME##_register(void) { register_planned(&NAME); }

void register_planned(struct sendwright_site *site);

/* The sends that this rank handed to MPI since the last clear_log(), as "isend 3 start 2 bsend 1 ":
 * the function, without PMPI_, and the destination. */
extern char issue_log[];
void clear_log(void);
/* The buffer of the last of them. */
extern const void *issued_buffer;

/* Ends the job with a line when the log is another. */
void expect_log(const char *expected);
/* The same when a condition does not hold. */
#define EXPECT(CONDITION) expect_true(CONDITION, #CONDITION, __FILE__, __LINE__)
void expect_true(int condition, const char *text, const char *file, int line);

/* Number of this rank and of all. */
int my_rank(void);
int rank_count(void);

#ifdef __cplusplus
}
#endif

#endif
