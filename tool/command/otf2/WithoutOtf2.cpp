// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stands for the reader and the writer in a build without the library.

#include "tool/command/otf2/Otf2Archive.h"

#include "analysis/file/FormatError.h"

namespace sendwright {

namespace {

[[noreturn]] void failWithoutOtf2(const std::string &name) {
  throw FormatError(name + ": this build has no OTF2, expected one with the library (Debian: "
                           "libopen-trace-format2-dev)");
}

} // namespace

void writeOtf2Archive(const Profile &, const Timeline &, const TimedRun &, const std::string &,
                      const std::string &name) {
  failWithoutOtf2(name);
}

Profile readOtf2Archive(const std::string &name) { failWithoutOtf2(name); }

} // namespace sendwright
