// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/trace/RunFile.h"

#include "analysis/file/Container.h"
#include "analysis/file/MatrixFile.h"
#include "analysis/trace/TextTrace.h"

namespace sendwright {

Profile readRun(const std::string &name) {
  const std::string bytes = readTextFile(name);
  const std::string shown = name == "-" ? "<stdin>" : name;
  return guessFileKind(bytes) == FileGuess::Other
             ? parseTextTrace(bytes, shown)
             : decodeProfile(bytes.data(), bytes.size(), shown);
}

} // namespace sendwright
