// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The language of a piece of source in a unit test.

#ifndef SENDWRIGHT_TEST_TOOL_LANGUAGE_H
#define SENDWRIGHT_TEST_TOOL_LANGUAGE_H

namespace sendwright::test {

enum class Language { C, Cxx };

} // namespace sendwright::test

#endif
