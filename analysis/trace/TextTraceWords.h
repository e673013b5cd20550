// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words of text traces, for both reader and writer.

#ifndef SENDWRIGHT_ANALYSIS_TRACE_TEXTTRACEWORDS_H
#define SENDWRIGHT_ANALYSIS_TRACE_TEXTTRACEWORDS_H

#include "analysis/mpi/MpiFunctions.h"

#include <string>
#include <string_view>

namespace sendwright {

/// The function called `word` that sends or receives a message ("isend": MPI_Isend), or null.
const MpiFunction *findMessage(std::string_view word);

/// The inverse: the function's name in lower case, without MPI_. A matched receive has the word of
/// the receive that it stands for; "" for other functions.
std::string messageWord(const MpiFunction &function);

/// The collective called `word` ("reduce_scatter": MPI_Reduce_scatter), or null.
const MpiFunction *findCollective(std::string_view word);

/// The inverse; "" for other functions.
std::string collectiveWord(const MpiFunction &function);

/// A file's name as one word: characters that would end the word or begin a comment are written
/// %XX, as in URLs.
std::string encodeTraceFile(std::string_view file);
std::string decodeTraceFile(std::string_view word);

} // namespace sendwright

#endif
