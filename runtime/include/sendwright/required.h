/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* To be included by a program whose `#pragma hpf` directives must not be ignored: it is compiled
 * with Sendwright's plugin, or not at all. The compiler then says that the name below is not
 * declared. A macro would not do: what is preprocessed first (ccache, distcc, -save-temps) is not
 * seen by the plugin at that time. */

#ifndef SENDWRIGHT_REQUIRED_H
#define SENDWRIGHT_REQUIRED_H

typedef char sendwright_required[sizeof(sendwright_plugin_required_by_this_file)];

#endif /* SENDWRIGHT_REQUIRED_H */
