/* Stands in for the runtime: prints the sites of the linked units before main runs. */
#include "sendwright/runtime.h"
#include <stdio.h>

void sendwright_register(struct sendwright_unit *unit) {
  unsigned long index;
  for (index = 0; index < unit->site_count; ++index) {
    const struct sendwright_site *site = unit->sites[index];
    printf("%s\t%s\t%u\t%u\t%llx\n", site->file, site->function, site->line, site->ordinal,
           site->hash);
  }
  fflush(stdout);
}
void sendwright_mark_begin(struct sendwright_scope *scope) { (void)scope; }
void sendwright_mark_begin_instance(struct sendwright_scope *scope, const char *function) {
  (void)scope, (void)function;
}
void sendwright_call(struct sendwright_site *site) { (void)site; }
void sendwright_mark_end(struct sendwright_scope *scope) { (void)scope; }
