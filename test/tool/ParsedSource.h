// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses a piece of source that a unit test holds, with a small mpi.h in front of it. MPI_Request
// is a pointer, as in Open MPI, unless the source asks for MPICH's int.

#ifndef SENDWRIGHT_TEST_TOOL_PARSEDSOURCE_H
#define SENDWRIGHT_TEST_TOOL_PARSEDSOURCE_H

#include "test/tool/Language.h"

#include "clang/Frontend/ASTUnit.h"

#include <memory>
#include <string>
#include <vector>

namespace sendwright::test {

/// The file is input.c or input.cpp. Fails the running test where the source does not compile.
std::unique_ptr<clang::ASTUnit> parse(const std::string &source, Language language,
                                      std::vector<std::string> arguments = {});

} // namespace sendwright::test

#endif
