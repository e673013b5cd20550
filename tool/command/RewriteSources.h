// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `sendwright rewrite`: the rewriting of the plugin without the compiling, for a person to read.

#ifndef SENDWRIGHT_TOOL_COMMAND_REWRITESOURCES_H
#define SENDWRIGHT_TOOL_COMMAND_REWRITESOURCES_H

#include "tool/unit/Options.h"

#include <string>
#include <vector>

namespace sendwright {

struct RewriteRequest {
  std::vector<std::string> sources; ///< empty: all of the build directory
  unsigned jobs = 0;                ///< at once; 0: as many as there are processors
  Options options;                  ///< plan, output directory (empty: print a diff), remarks
  std::string buildDirectory;       ///< holds compile_commands.json; empty: flags are given
  std::vector<std::string> flags;   ///< of the compiler; with a build directory they are added
};

/// Rewrites the sources, several at once. Prints a unified diff on standard output, or writes the
/// rewritten files into the output directory; remarks and compile errors go to standard error, with
/// the progress through a build directory, and for several sources a table of all loops. A source
/// that does not compile does not keep the others from being rewritten. MPI's include folders are
/// added to the flags, as the compiler wrapper names them. Returns the exit status; throws
/// FormatError for a plan or a build directory that cannot be read.
int rewriteSources(const RewriteRequest &request);

} // namespace sendwright

#endif
