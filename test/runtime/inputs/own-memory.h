/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What Linux says of this process's memory. */

#ifndef TEST_RUNTIME_OWN_MEMORY_H
#define TEST_RUNTIME_OWN_MEMORY_H

#include <stdio.h>
#include <string.h>

/* In kB: "RssAnon", what it has and no file backs; "VmHWM", the most that it ever had. */
static long own_memory(const char *what) {
  char line[128];
  long kilobytes = 0;
  FILE *status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status))
    if (strncmp(line, what, strlen(what)) == 0 && line[strlen(what)] == ':') {
      sscanf(line + strlen(what) + 1, "%ld", &kilobytes);
      break;
    }
  if (status)
    fclose(status);
  return kilobytes;
}

#endif
