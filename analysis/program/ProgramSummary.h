// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all units of a profiled program say about their source, joined. Decoding the units' text
// takes longer than using it, so whoever handles a profile decodes it once and passes this on.

#ifndef SENDWRIGHT_ANALYSIS_PROGRAM_PROGRAMSUMMARY_H
#define SENDWRIGHT_ANALYSIS_PROGRAM_PROGRAMSUMMARY_H

#include "analysis/program/UnitSummary.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace sendwright {

struct ProgramSummary {
  std::map<std::string, FunctionFacts> functions; ///< by symbol; the worse if units disagree
  std::set<std::string> files; ///< of units that describe themselves, without folders
  std::map<std::string, std::vector<std::string>> symbols; ///< that each of the files defines
  std::vector<CollectiveInSource> collectives;             ///< in the order of the units
  std::vector<LoopInSource> loops; ///< likewise; a loop of a header once for each unit
};

/// Decodes the units of a profile. `name`: the profile's, for messages. Throws FormatError for text
/// that no plugin writes. Linear in the text.
ProgramSummary decodeUnits(const Profile &profile, const std::string &name);

/// For each site of the profile, why the compiler would leave it as written, part of a sentence; ""
/// if it would not, or if no unit mentions it. A loop of a header counts as left alone if all units
/// that have it leave it. Linear in the sites and, for each loop, in the functions that it reaches.
std::vector<std::string> loopRefusals(const Profile &profile, const ProgramSummary &program);

/// Loops that call functions which send, in units that are not marked because they do not include
/// mpi.h: a profile attributes nothing to these loops. Functions that send in loops of their own do
/// not count. Linear in the loops.
std::vector<SiteIdentity> unmarkedSendLoops(const ProgramSummary &program);

} // namespace sendwright

#endif
