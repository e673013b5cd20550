// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of a process that are removed when it ends, as commands and writers take names of files,
// not memory. They lie in memory if the system has a folder for that.

#ifndef SENDWRIGHT_TEST_FUZZ_SCRATCH_H
#define SENDWRIGHT_TEST_FUZZ_SCRATCH_H

#include <string>
#include <string_view>

namespace sendwright::fuzz {

/// The path of the scratch file with this name, whether it exists or not.
std::string scratchFile(const std::string &name);

/// Writes the scratch file with this name and returns its path. Ends the process on failure.
std::string writeScratch(const std::string &name, std::string_view bytes);

/// The bytes of any file. Ends the process on failure.
std::string readScratch(const std::string &path);

} // namespace sendwright::fuzz

#endif
