// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loads of arrays in a profile (Fields.h). They have a version of their own, and stand at the
// end of a rank's section, if the rank measured any.

#ifndef SENDWRIGHT_ANALYSIS_TRACE_LOADFIELDS_H
#define SENDWRIGHT_ANALYSIS_TRACE_LOADFIELDS_H

#include "analysis/trace/ProfileFields.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace sendwright {

inline constexpr std::uint64_t loadsVersion = 1;

template <typename Fields>
void describeLoadPeriod(Fields fields, Described<Fields, LoadPeriod> &period, std::int64_t rows) {
  fields.number(period.moved);
  fields.length(period.rows, 10);
  fields.expect(period.rows.size() <= mostLoadedParts, [&] {
    return "a load of " + std::to_string(period.rows.size()) + " parts, expected at most " +
           std::to_string(mostLoadedParts);
  });
  std::int64_t past = 0;
  for (auto &part : period.rows) {
    fields.relativeNumber(part.begin, past, past, rows, "first row of a load, relative,");
    fields.relativeNumber(part.end, part.begin, part.begin, rows, "row of a load, relative,");
    fields.expect(part.end > part.begin, [] { return "a load of no rows, expected at least 1"; });
    past = part.end;
    fields.finite(part.seconds, "a load");
    fields.expect(part.seconds >= 0 && part.seconds <= longestSeconds,
                  [] { return "a load that is no time, expected 0 to 10^12 s"; });
  }
}

template <typename Fields>
void describeLoad(Fields fields, Described<Fields, RecordedLoad> &load, std::size_t rankCount) {
  describeSite(fields, load.site);
  fields.text(load.array);
  fields.number(load.rows, static_cast<std::uint64_t>(mostLoadRows), "number of rows");
  fields.number(load.rowBytes, mostRowBytes, "bytes of a row");
  fields.number(load.processors, rankCount, "number of processors");
  fields.number(load.executionsEach, std::uint64_t{1} << 57, "executions of a period");
  fields.number(load.executions, std::uint64_t{1} << 62, "number of executions");
  fields.length(load.periods, 2);
  const std::size_t periods = load.periods.size();
  fields.expect(load.processors > 0 && load.executionsEach > 0,
                [] { return "a load without processors or executions, expected at least 1"; });
  fields.expect(periods <= mostLoadPeriods, [&] {
    return std::to_string(periods) + " periods of a load, expected at most " +
           std::to_string(mostLoadPeriods);
  });
  // Changed profiles are written unchecked, for tests of what reads them.
  const std::uint64_t each = load.executionsEach > 0 ? load.executionsEach : 1;
  fields.expect(
      periods == 0 ? load.executions == 0 : (load.executions + each - 1) / each == periods, [&] {
        return std::to_string(periods) + " periods of a load, expected one for each " +
               std::to_string(load.executionsEach) + " of " + std::to_string(load.executions) +
               " executions";
      });
  for (auto &period : load.periods)
    describeLoadPeriod(fields, period, load.rows);
}

template <typename Fields>
void describeLoads(Fields fields, Described<Fields, std::vector<RecordedLoad>> &loads,
                   std::size_t rankCount) {
  std::uint64_t version = loadsVersion;
  fields.number(version, UINT64_MAX, "version of loads");
  fields.expect(version == loadsVersion, [&] {
    return "version " + std::to_string(version) + " of loads, expected version " +
           std::to_string(loadsVersion);
  });
  fields.length(loads, leastSiteBytes + 7);
  for (auto &load : loads)
    describeLoad(fields, load, rankCount);
}

} // namespace sendwright

#endif
