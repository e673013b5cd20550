// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The work W_p between two communication phases, as a person gives it: one number for all ranks, or
// a file with a number for each rank. Plain numbers are in units of one send. Numbers with a suffix
// (s, ms, us) are times, converted by the time of one send.

#ifndef SENDWRIGHT_ANALYSIS_ORDERING_WORKFILE_H
#define SENDWRIGHT_ANALYSIS_ORDERING_WORKFILE_H

#include <cstddef>
#include <string>
#include <vector>

namespace sendwright {

/// `argument` is a number or a file name ("-": standard input; a file that is named like a number
/// is ./NAME). Files hold as many numbers as there are ranks, separated by white space; `#` starts
/// a comment. Returns W in units of one send for each of `ranks` ranks; `secondsPerSend` is one
/// unit. Throws FormatError for anything but a number of at least 0, and for a wrong count of
/// numbers.
std::vector<double> readWork(const std::string &argument, std::size_t ranks, double secondsPerSend);

} // namespace sendwright

#endif
