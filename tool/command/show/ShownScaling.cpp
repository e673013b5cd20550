// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/show/ShownScaling.h"

#include "analysis/file/FigureText.h"

#include <utility>

namespace sendwright {

namespace {

using Json = nlohmann::ordered_json;

/// A power of "p^1.5" or "p log2 p", as text.
std::string rankText(const OverheadLaw &law, double power) {
  if (law.shape != OverheadShape::Linearithmic)
    return formatted("p^%.2f", law.exponent * power);
  return power == 1 ? "p log2 p" : formatted("(p log2 p)^%.2f", power);
}

const char *shapeText(OverheadShape shape) {
  switch (shape) {
  case OverheadShape::Linearithmic:
    return "p log2 p";
  case OverheadShape::Logarithmic:
    return "logarithmic";
  case OverheadShape::Power:
    break;
  }
  return "power";
}

Json overheadLawJson(const OverheadLaw &law) {
  Json json = {{"law", lawText(law)},
               {"factor", law.factor},
               {"shape", shapeText(law.shape)},
               {"exponent", law.exponent},
               {"work_exponent", law.workExponent},
               {"offset", law.offset},
               {"explained", law.explained},
               {"residual", nullptr}};
  if (law.residual)
    json["residual"] = *law.residual;
  return json;
}

} // namespace

ShownScaling shownScaling(ScalingReport report) {
  ShownScaling result{std::move(report), {}, 0};
  for (const ScalingRow &row : result.report.rows)
    if (row.run.ranks > 1 && (result.ranks.empty() || row.run.ranks > result.ranks.back()))
      result.ranks.push_back(row.run.ranks);
  if (!doubtsOf(result).empty())
    return result;
  for (; result.beyond < 2 && !result.ranks.empty(); ++result.beyond)
    result.ranks.push_back(2 * result.ranks.back());
  return result;
}

std::vector<LawDoubt> doubtsOf(const ShownScaling &shown) {
  return shown.report.laws.empty() ? std::vector<LawDoubt>()
                                   : doubtsOf(shown.report.laws[0], shown.report);
}

const char *sourceText(SerialTime source) {
  switch (source) {
  case SerialTime::Given:
    return "given by --serial";
  case SerialTime::OneRank:
    return "the run on one rank";
  case SerialTime::Computation:
    break;
  }
  return "the computation of all ranks in the run with the fewest ranks";
}

const char *doubtText(LawDoubt doubt) {
  switch (doubt) {
  case LawDoubt::FewRuns:
    return "few runs: predictions beyond them are guesses";
  case LawDoubt::NoResidual:
    return "too few runs to tell how good it is";
  case LawDoubt::Deviates:
    return "the runs deviate from it by a fifth of their overhead or more";
  case LawDoubt::Unexplained:
    return "it explains less than half of how the overhead differs between the runs";
  case LawDoubt::Implausible:
    return "no known program's overhead grows with such exponents";
  }
  return "";
}

std::string lawText(const OverheadLaw &law) {
  if (law.shape == OverheadShape::Logarithmic)
    return formatted("%.3g ", law.factor) + rankText(law, 1) +
           formatted(" T_s / (ln T_s + %.3g)", law.offset);
  return formatted("%.3g ", law.factor) + rankText(law, 1) +
         (law.workExponent != 0 ? formatted(" T_s^%.2f", law.workExponent) : "");
}

std::string isoefficiencyText(const OverheadLaw &law) {
  if (law.shape == OverheadShape::Logarithmic)
    return formatted("exp(%.3g E/(1-E) ", law.factor) + rankText(law, 1) + ")";
  return law.workExponent < 1 ? rankText(law, 1 / (1 - law.workExponent)) : "";
}

Json scalingJson(const ShownScaling &result) {
  const ScalingReport &report = result.report;
  Json json = {{"serial_from", sourceText(report.source)}, {"runs", Json::array()}};
  for (const ScalingRow &row : report.rows)
    json["runs"].push_back({{"profile", row.run.name},
                            {"ranks", row.run.ranks},
                            {"size", row.run.size},
                            {"seconds", row.run.seconds},
                            {"serial_seconds", row.serial},
                            {"speed_up", row.speedUp},
                            {"efficiency", row.efficiency},
                            {"communication_share", row.communication},
                            {"overhead_seconds", row.overhead}});
  json["scaled_down"] = Json::array();
  for (const ScaledDown &down : report.scaledDown)
    json["scaled_down"].push_back({{"ranks", down.ranks},
                                   {"size", down.size},
                                   {"seconds", down.seconds},
                                   {"bound_seconds", down.bound}});
  json["fitted_runs"] = report.fitted;
  json["size_follows_ranks"] = report.sizeFollowsRanks;
  json["laws"] = Json::array();
  for (const OverheadLaw &law : report.laws)
    json["laws"].push_back(overheadLawJson(law));
  json["doubts"] = Json::array();
  for (const LawDoubt doubt : doubtsOf(result))
    json["doubts"].push_back(doubtText(doubt));
  json["isoefficiency"] = Json::array();
  if (!report.laws.empty())
    for (double ranks : result.ranks)
      for (double efficiency : shownEfficiencies)
        if (const auto serial = report.laws[0].serialFor(ranks, efficiency))
          json["isoefficiency"].push_back(
              {{"ranks", ranks}, {"efficiency", efficiency}, {"serial_seconds", *serial}});
  return json;
}

} // namespace sendwright
