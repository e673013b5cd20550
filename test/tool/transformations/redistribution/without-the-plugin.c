// Without the plugin directives are unknown pragmas; sendwright/required.h makes them an error, but not with
// the plugin, even if the source is preprocessed first.
//
// RUN: %cc -Wall -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=PLAIN
// RUN: sh -c '%cc -DREQUIRED -I%binary_root/include -c %s -o %t.o 2>&1; test $? = 1' | %FileCheck %s --check-prefix=REQUIRED
// RUN: for language in c c++; do for flags in "" -save-temps=obj -Werror; do \
// RUN:   %cc -x $language $flags -Wall %plugin -DREQUIRED -I%binary_root/include -c %s -o %t.o && \
// RUN:   %cc -x $language $flags -Wall %generate -DREQUIRED -I%binary_root/include -c %s -o %t.o || exit 1; done; done
// RUN: %cc %plugin -DREQUIRED -DNOTHING_ELSE -isystem %binary_root/include -c %s -o %t.o
// RUN: %cc %plugin -DREQUIRED -I%binary_root/include -E %s -o %t.i && %cc %plugin -c %t.i -o %t.o && llvm-nm-19 -u %t.o | grep sendwright_redistribute
//
// PLAIN: without-the-plugin.c:[[#@LINE+12]]:9: warning: unknown pragma ignored
// REQUIRED: error: use of undeclared identifier 'sendwright_plugin_required_by_this_file'

#ifdef REQUIRED
#include <sendwright/required.h>
#endif
#ifdef __cplusplus
#define nothing nullptr
#else
#define nothing 0
#endif
#ifndef NOTHING_ELSE
#pragma hpf processors P(6)
void f(const int *sizes);
void f(const int *sizes) {
  double *A = nothing;
  #pragma hpf distribute A(gen_block(sizes)) onto P
  #pragma hpf dynamic A
  #pragma hpf redistribute A(gen_block(sizes))
  (void)sizes;
  (void)A;
}
#endif
