// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/redistribution/Failure.h"

#include "analysis/file/Escaping.h"
#include "runtime/base/WorldRanks.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <vector>

namespace sendwright::redistribution {

namespace {

constexpr std::size_t longestText = 512;

std::string textOf(const PrivateGroup &group, int root, const std::string &own) {
  char text[longestText] = "";
  if (group.rank == root)
    std::snprintf(text, sizeof text, "rank %d: %s", root, own.c_str());
  PMPI_Bcast(text, sizeof text, MPI_CHAR, root, group.communicator);
  return text;
}

std::string replaced(std::string text, const char *what, std::size_t number) {
  const std::size_t at = text.find(what);
  return at == std::string::npos ? text
                                 : text.replace(at, std::strlen(what), std::to_string(number));
}

/// A fact's value as it is spelled in a directive.
std::string spelled(const std::string &label, long long value) {
  static const char *const kinds[] = {"*", "block", "cyclic", "gen_block",
                                      "indirect"}; // DimensionFormat::Kind
  const bool isKind = label.find("kind") != std::string::npos;
  return isKind && value >= 0 && value < 5 ? kinds[value] : std::to_string(value);
}

/// The first fact that differs from rank 0's, or "".
std::string firstDifference(const Proposal &own, const std::vector<long long> &values) {
  std::string difference;
  std::size_t at = 0;
  own.visitFacts([&](const char *label, const ArrayMove *move, std::size_t dimension,
                     std::size_t index, long long value) {
    const bool known = at < values.size();
    if (difference.empty() && (!known || values[at] != value)) {
      difference = move && move->array->name ? std::string(move->array->name) + ": " : "";
      difference += replaced(replaced(label, "%d", dimension + 1), "%i", index + 1) + " is " +
                    spelled(label, value);
      if (known)
        difference += ", expected " + spelled(label, values[at]) + " as on rank 0";
    }
    ++at;
  });
  return difference;
}

/// Compares rank 0's facts on all ranks; the first rank that differs says how.
std::string explainDifference(const PrivateGroup &group, const Proposal &own) {
  std::vector<long long> values;
  own.visitFacts([&](const char *, const ArrayMove *, std::size_t, std::size_t, long long value) {
    values.push_back(value);
  });
  int count = static_cast<int>(values.size());
  PMPI_Bcast(&count, 1, MPI_INT, 0, group.communicator);
  values.resize(static_cast<std::size_t>(count));
  PMPI_Bcast(values.data(), count, MPI_LONG_LONG, 0, group.communicator);
  const std::string difference = firstDifference(own, values);
  const int differing = difference.empty() ? group.ranks : group.rank;
  int first = group.ranks;
  PMPI_Allreduce(&differing, &first, 1, MPI_INT, MPI_MIN, group.communicator);
  if (first == group.ranks)
    return "the ranks differ, expected the same on all";
  return textOf(group, first, difference);
}

/// One error code for all failures; its text is that of the latest.
int codeOf(const std::string &text) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  static int code = MPI_SUCCESS;
  int failureClass = 0;
  if (code == MPI_SUCCESS && (PMPI_Add_error_class(&failureClass) != MPI_SUCCESS ||
                              PMPI_Add_error_code(failureClass, &code) != MPI_SUCCESS))
    return MPI_ERR_OTHER;
  char limited[MPI_MAX_ERROR_STRING];
  std::snprintf(limited, sizeof limited, "%s", text.c_str());
  PMPI_Add_error_string(code, limited);
  return code;
}

bool hasHandlerOfItsOwn(MPI_Comm communicator) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  if (PMPI_Comm_get_errhandler(communicator, &handler) != MPI_SUCCESS)
    return false;
  return handler != MPI_ERRORS_ARE_FATAL && handler != MPI_ERRORS_RETURN;
}

} // namespace

std::string explainFailure(const PrivateGroup &group, const Proposal &own, const Vote &result) {
  if (result.anyProblem())
    return textOf(group, static_cast<int>(result.problemAt), own.problem);
  return explainDifference(group, own);
}

void reportFailure(MPI_Comm communicator, const sendwright_site *site, const std::string &text,
                   bool foundAlone) {
  const std::string line = printable("sendwright: redistribute at " +
                                     std::string(site && site->file ? site->file : "?") + ":" +
                                     std::to_string(site ? site->line : 0) + ": " + text);
  if ((foundAlone || rankIn(communicator) == 0) && !hasHandlerOfItsOwn(communicator))
    std::fprintf(stderr, "%s\n", line.c_str());
  PMPI_Comm_call_errhandler(communicator, codeOf(line));
}

} // namespace sendwright::redistribution
