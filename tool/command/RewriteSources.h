// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `sendwright rewrite`: rewrites as the plugin does, but does not compile, so that a person can
// read the result.

#ifndef SENDWRIGHT_TOOL_COMMAND_REWRITESOURCES_H
#define SENDWRIGHT_TOOL_COMMAND_REWRITESOURCES_H

#include "tool/unit/Options.h"

#include <string>
#include <vector>

namespace sendwright {

struct RewriteRequest {
  std::vector<std::string> sources; ///< empty: all sources of the build directory
  unsigned jobs = 0;                ///< number at once; 0: one for each processor
  Options options;                  ///< plan, output directory (empty: print a diff), remarks
  std::string buildDirectory;       ///< holds compile_commands.json; empty: flags are given
  std::vector<std::string> flags;   ///< compiler flags, added to those of the build directory
};

/// Rewrites the sources, several at once. Prints a unified diff on standard output, or writes the
/// rewritten files into the output directory; remarks and compile errors go to standard error, with
/// progress through a build directory and, for several sources, a table of all loops. A source that
/// does not compile does not stop the others. Adds the include folders that MPI's compiler wrapper
/// names to the flags. Returns the exit status; throws FormatError for a plan or a build directory
/// that cannot be read.
int rewriteSources(const RewriteRequest &request);

} // namespace sendwright

#endif
