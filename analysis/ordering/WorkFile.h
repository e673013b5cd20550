// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The work W_p between two communication phases, as a person gives it: a number for all ranks, or a
// file with a number for each. Plain numbers are in units of one send; with a suffix (s, ms, us)
// they are times, and become units by the time that one send takes.

#ifndef SENDWRIGHT_ANALYSIS_ORDERING_WORKFILE_H
#define SENDWRIGHT_ANALYSIS_ORDERING_WORKFILE_H

#include <cstddef>
#include <string>
#include <vector>

namespace sendwright {

/// `argument` is a number or a file's name ("-": standard input; a file that is named like a number
/// is ./NAME). Files hold numbers separated by white space, as many as there are ranks; `#` starts
/// a comment. Returns W in units of one send for each of `ranks` ranks; `secondsPerSend` is one
/// unit. Throws FormatError for what is no number of at least 0, and for a wrong number of them.
std::vector<double> readWork(const std::string &argument, std::size_t ranks, double secondsPerSend);

} // namespace sendwright

#endif
