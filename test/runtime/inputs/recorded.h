/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* A program that is recorded without the plugin: it contains by hand what the plugin would write.
 * Include it in the file with main, and mark loops between MARK(first) and END_MARK, where first,
 * second and third are its sites. */

#ifndef SENDWRIGHT_TEST_RECORDED_H
#define SENDWRIGHT_TEST_RECORDED_H

#include "../../../runtime/include/sendwright/runtime.h"

#define RECORDED_SITE(name, line)                                                                  \
  static struct sendwright_site name                                                               \
      __attribute__((unused)) = {"program.c", "main", line, 0, line, 0, 0}
RECORDED_SITE(first, 1);
RECORDED_SITE(second, 2);
RECORDED_SITE(third, 3);

#define MARK(site)                                                                                 \
  {                                                                                                \
    sendwright_mark(site);
#define END_MARK }

static struct sendwright_site *recorded_sites[] = {&first, &second, &third};
static struct sendwright_unit recorded_unit = {SENDWRIGHT_RUNTIME_VERSION,
                                               SENDWRIGHT_UNIT_GENERATE,
                                               "program.c",
                                               recorded_sites,
                                               3,
                                               "{\"functions\": {}, \"collectives\": []}",
                                               0,
                                               0,
                                               0,
                                               0,
                                               0};

__attribute__((constructor)) static void register_recorded_unit(void) {
  sendwright_register(&recorded_unit);
}

#endif
