// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Epochs and super epochs one by one, as tables and as JSON.

#ifndef SENDWRIGHT_TOOL_COMMAND_ANALYZE_EPOCHLISTREPORT_H
#define SENDWRIGHT_TOOL_COMMAND_ANALYZE_EPOCHLISTREPORT_H

#include "analysis/epochs/EpochList.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace sendwright {

/// Adds `epoch_list` and `super_epoch_list` (docs/file-formats.md).
void addEpochLists(nlohmann::ordered_json &json, const Profile &profile,
                   const EpochAnalysis &analysis, const EpochList &list);

/// Prints a line for each epoch and for each super epoch.
void printEpochLists(std::FILE *out, const Profile &profile, const EpochAnalysis &analysis,
                     const EpochList &list);

} // namespace sendwright

#endif
