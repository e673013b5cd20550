// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes to texts made of lines and words: whole lines, whole words, the numbers in them.

#ifndef SENDWRIGHT_TEST_FUZZ_TEXTMUTATIONS_H
#define SENDWRIGHT_TEST_FUZZ_TEXTMUTATIONS_H

#include "test/fuzz/Draw.h"

#include <string>
#include <vector>

namespace sendwright::fuzz {

/// Changes one line, word or number. `words` are the words of the text's format.
void mutateText(std::string &text, const std::vector<std::string> &words, Draw &draw);

/// Mostly a few such changes; sometimes libFuzzer's own changes of bytes.
std::string mutatedText(std::string text, const std::vector<std::string> &words, unsigned seed);

} // namespace sendwright::fuzz

#endif
