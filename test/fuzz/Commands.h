// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs `sendwright COMMAND...` in this process, for fuzzers. A command that ends as commands may
// (with output, or with one line about a wrong file or argument) returns; anything else it throws
// is not caught, which is a finding.

#ifndef SENDWRIGHT_TEST_FUZZ_COMMANDS_H
#define SENDWRIGHT_TEST_FUZZ_COMMANDS_H

#include <string>
#include <vector>

namespace sendwright::fuzz {

/// Whether the command did what it was asked to do. Discards its output, and the standard output of
/// the process.
bool run(const std::vector<std::string> &arguments);

/// The command `report`, with these files and options, into a scratch file. Its data must be JSON
/// without markup, and a report that fails must leave no page.
bool report(const std::vector<std::string> &files);

/// Ends the process with the reason why this input is a finding.
[[noreturn]] void finding(const std::string &what);

/// A file of the fuzzers' own inputs (test/fuzz/inputs).
std::string inputFile(const std::string &name);

} // namespace sendwright::fuzz

#endif
