// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/recording/RecordedLoads.h"

#include "analysis/redistribution/LoadHistory.h"

#include <utility>

namespace sendwright {

namespace {

constexpr std::size_t mostRecordedLoads = 16; // a hundred kilobytes each at most

} // namespace

void RecordedLoads::add(const sendwright_site &site, const LoadedArray &array, LoadPeriod period) {
  std::size_t at = 0;
  for (; at < recorded.size(); ++at) {
    const RecordedLoad &known = recorded[at];
    if (sites[at] == &site && known.array == array.name && known.rows == array.rows &&
        known.rowBytes == array.rowBytes && known.processors == array.processors)
      break;
  }
  if (at == mostRecordedLoads)
    return;
  if (at == recorded.size()) {
    sites.reserve(at + 1);
    RecordedLoad load;
    load.site = {site.file, site.function, site.line, site.ordinal, site.hash, ""};
    load.array = array.name;
    load.rows = array.rows;
    load.rowBytes = array.rowBytes;
    load.processors = array.processors;
    recorded.push_back(std::move(load));
    sites.push_back(&site);
  }
  addPeriod(recorded[at], std::move(period));
}

} // namespace sendwright
