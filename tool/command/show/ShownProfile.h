// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A profile as `sendwright show` prints it: gathered over all ranks, without expanding the
// grammars.

#ifndef SENDWRIGHT_TOOL_COMMAND_SHOW_SHOWNPROFILE_H
#define SENDWRIGHT_TOOL_COMMAND_SHOW_SHOWNPROFILE_H

#include "analysis/trace/Profile.h"

#include <nlohmann/json.hpp>

namespace sendwright {

/// Everything that is shown. `name` is for messages. Linear in the profile's compressed size,
/// except for the exchanges. Throws FormatError if what the profile's units say is damaged.
nlohmann::ordered_json profileJson(const Profile &profile, const std::string &name,
                                   std::size_t fileSize);

/// The same as tables, on standard output.
void printProfile(const nlohmann::ordered_json &shown);

/// The profile's exchanges (ShownExchanges.cpp), from at most its first two million events.
nlohmann::ordered_json exchangesJson(const Profile &profile);
void printExchanges(const nlohmann::ordered_json &exchanges);

} // namespace sendwright

#endif
