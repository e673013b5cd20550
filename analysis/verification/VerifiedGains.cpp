// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/verification/VerifiedGains.h"

#include "analysis/file/Escaping.h"
#include "analysis/file/FigureText.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace sendwright {

namespace {

using OutputJson = nlohmann::ordered_json;

std::string hexDigits(std::uint64_t number) {
  return formatted("%016llx", static_cast<unsigned long long>(number));
}

OutputJson identityOf(const VerifiedSite &verified) {
  if (!verified.function.empty())
    return {{"calls", verified.function},
            {"callers", verified.callers},
            {"digest", hexDigits(verified.digest)}};
  return {{"file", verified.site.file},         {"line", verified.site.line},
          {"function", verified.site.function}, {"instantiation", verified.site.instantiation},
          {"ordinal", verified.site.ordinal},   {"hash", hexDigits(verified.site.hash)}};
}

OutputJson jsonOfSite(const VerifiedSite &verified) {
  OutputJson json = identityOf(verified);
  json.update({{"transformation", verified.transformation}, {"executions", verified.executions}});
  if (!verified.gain) {
    json["problem"] = verified.problem;
    return json;
  }
  const MeasuredGain &gain = *verified.gain;
  json.update({{"pairs", gain.pairs},
               {"as_written", gain.asWritten},
               {"as_planned", gain.asPlanned},
               {"gain_percent", gain.percent},
               {"lowest_percent", gain.lowest},
               {"highest_percent", gain.highest}});
  return json;
}

/// Columns are as wide as their longest text; all but the first are right-aligned.
std::string alignedRows(const std::vector<std::vector<std::string>> &rows) {
  std::vector<std::size_t> widths;
  for (const std::vector<std::string> &row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t column = 0; column + 1 < row.size(); ++column)
      widths[column] = std::max(widths[column], row[column].size());
  }
  std::string text;
  for (const std::vector<std::string> &row : rows) {
    std::string line;
    for (std::size_t column = 0; column < row.size(); ++column) {
      const std::string padding(std::max(widths[column], row[column].size()) - row[column].size(),
                                ' ');
      line += column == 0                ? row[column] + padding
              : column + 1 == row.size() ? "  " + row[column]
                                         : "  " + padding + row[column];
    }
    text += line + "\n";
  }
  return text;
}

std::string gainTextOf(const MeasuredGain &gain) {
  return formatted("%.1f %% (%.1f to %.1f)", gain.percent, gain.lowest, gain.highest);
}

} // namespace

std::string VerifiedSite::display() const {
  return function.empty() ? site.display()
                          : printable(function) + " on " + std::to_string(callers) + " ranks";
}

const VerifiedSite *VerifiedGains::find(const SiteIdentity &site,
                                        const std::string &transformation) const {
  const auto found = std::ranges::find_if(sites, [&](const VerifiedSite &one) {
    return one.transformation == transformation && one.function.empty() && one.site.sameAs(site);
  });
  return found == sites.end() ? nullptr : &*found;
}

std::string describe(const MeasuredGain &gain) {
  return timeText(gain.asWritten) + " as written, " + timeText(gain.asPlanned) +
         " as planned: gain " + gainTextOf(gain) + ", from " + std::to_string(gain.pairs) +
         " pairs";
}

std::string tableOf(const VerifiedGains &gains) {
  std::vector<std::vector<std::string>> rows = {
      {"site", "executions", "as written", "as planned", "gain (95 % confidence)"}};
  for (const VerifiedSite &one : gains.sites) {
    rows.push_back({one.display() + " (" + printable(one.transformation) + ")",
                    std::to_string(one.executions)});
    if (one.gain)
      rows.back().insert(rows.back().end(), {timeText(one.gain->asWritten),
                                             timeText(one.gain->asPlanned), gainTextOf(*one.gain)});
    else
      rows.back().insert(rows.back().end(), {"-", "-", printable(one.problem)});
  }
  return alignedRows(rows);
}

/// A site on each line, so that messages about the file have a place.
std::string encodeVerifiedGains(const VerifiedGains &gains) {
  std::string text =
      "{\"verified_gains\": 1, \"ranks\": " + std::to_string(gains.ranks) + ",\n \"sites\": [";
  for (const VerifiedSite &one : gains.sites)
    text += (&one == &gains.sites.front() ? "\n  " : ",\n  ") +
            jsonOfSite(one).dump(-1, ' ', false, OutputJson::error_handler_t::replace);
  return text + "\n ]}\n";
}

} // namespace sendwright
