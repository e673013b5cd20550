/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* For programs whose `#pragma hpf` directives must not be ignored: a program that includes this
 * file compiles only with Sendwright's plugin. Without the plugin, the compiler says that the
 * name below is not declared. A macro would not work: when the source is preprocessed first
 * (ccache, distcc, -save-temps), the plugin does not see it. */

#ifndef SENDWRIGHT_REQUIRED_H
#define SENDWRIGHT_REQUIRED_H

typedef char sendwright_required[sizeof(sendwright_plugin_required_by_this_file)];

#endif /* SENDWRIGHT_REQUIRED_H */
