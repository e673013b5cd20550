/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Preloaded into a program that was rebuilt with a plan, replaces the embedded plan by the plan in
 * the file that TEST_PLAN names. */

#define _GNU_SOURCE
#include "../../../runtime/include/sendwright/runtime.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void *plan;
static size_t plan_size;

static void load_plan(const char *name) {
  FILE *file = fopen(name, "rb");
  long size;
  if (!file || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0)
    abort();
  rewind(file);
  plan = malloc((size_t)size + 1);
  if (!plan || fread(plan, 1, (size_t)size, file) != (size_t)size)
    abort();
  plan_size = (size_t)size;
  fclose(file);
}

__attribute__((visibility("default"))) void sendwright_register(struct sendwright_unit *unit) {
  void (*next)(struct sendwright_unit *) =
      (void (*)(struct sendwright_unit *))dlsym(RTLD_NEXT, "sendwright_register");
  const char *name = getenv("TEST_PLAN");
  if (name && unit->plan) {
    if (!plan)
      load_plan(name);
    unit->plan = plan;
    unit->plan_size = plan_size;
  }
  next(unit);
}
