// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/file/Activity.h"

#include "analysis/file/FormatError.h"
#include "analysis/file/Progress.h"

#include <new>
#include <stdexcept>

namespace sendwright {

namespace {

/// The line of the innermost activity that the last exception left. The line is moved here because
/// there may be no memory for a copy.
thread_local std::string interrupted;

} // namespace

Activity::Activity(const char *what, const std::string &file)
    : text(file + ": %s while " + what), exceptions(std::uncaught_exceptions()) {
  interrupted.clear();
  if (!Progress::watched())
    return;
  ongoing = file + ": " + what;
  Progress::beginActivity(&ongoing);
}

Activity::~Activity() {
  if (!ongoing.empty())
    Progress::endActivity(&ongoing);
  if (std::uncaught_exceptions() > exceptions && interrupted.empty())
    interrupted = std::move(text);
}

std::string describeFailure(const std::exception &error, const std::string &otherwise) {
  if (const auto *problem = dynamic_cast<const FormatError *>(&error))
    return problem->what();
  const bool memory = dynamic_cast<const std::bad_alloc *>(&error) ||
                      dynamic_cast<const std::length_error *>(&error);
  std::string line = interrupted.empty() ? otherwise + ": %s" : interrupted;
  const std::size_t place = line.rfind("%s"); // a file's name may contain it
  line.replace(place, 2, memory ? "memory ran out" : "Sendwright itself failed");
  return line + (memory ? ", expected a smaller file or more memory"
                        : ", expected an answer or a line that says why not (please report it with "
                          "the file)");
}

} // namespace sendwright
