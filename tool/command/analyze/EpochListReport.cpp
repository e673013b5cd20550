// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/analyze/EpochListReport.h"

#include "analysis/file/Escaping.h"

#include <string>
#include <vector>

namespace sendwright {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t mostRankRuns = 4; // of consecutive ranks, in a table

/// Where a rank's part of an epoch begins in the source; empty if unknown.
std::string firstPlace(const Profile &profile, const CommunicationGraph &graph,
                       const EpochRank &part) {
  const NodeType &type = graph.types[graph.type[part.first]];
  if (type.kind == NodeKind::Start)
    return "";
  const RankProfile &rank = profile.ranks[type.rank];
  return callPlace(profile, rank, rank.events[type.event]);
}

/// "0 to 3, 7"; of many, the first.
std::string ranksText(const std::vector<std::uint32_t> &ranks) {
  std::string text;
  std::size_t runs = 0;
  for (std::size_t first = 0; first < ranks.size();) {
    std::size_t end = first + 1;
    while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1)
      ++end;
    if (++runs > mostRankRuns)
      return text + ", ... (" + std::to_string(ranks.size()) + " ranks)";
    text += (first ? ", " : "") + std::to_string(ranks[first]);
    if (end - first > 1)
      text += (end - first > 2 ? " to " : ", ") + std::to_string(ranks[end - 1]);
    first = end;
  }
  return text;
}

const char *kindText(const ListedEpoch &epoch) { return epoch.isComplex ? "complex" : "simple"; }

Json epochJson(std::size_t number, const ListedEpoch &epoch, const Profile &profile,
               const CommunicationGraph &graph) {
  Json ranks = Json::array();
  for (const EpochRank &part : epoch.ranks)
    ranks.push_back({{"rank", part.rank},
                     {"first_event", part.eventsBefore},
                     {"events", part.events},
                     {"place", firstPlace(profile, graph, part)}});
  return {{"epoch", number},
          {"kind", kindText(epoch)},
          {"super_epoch", epoch.superEpoch},
          {"messages", epoch.messages},
          {"ranks", std::move(ranks)}};
}

} // namespace

void addEpochLists(Json &json, const Profile &profile, const EpochAnalysis &analysis,
                   const EpochList &list) {
  Json &epochs = json["epoch_list"] = Json::array();
  for (std::size_t number = 0; number < list.epochs.size(); ++number)
    epochs.push_back(epochJson(number, list.epochs[number], profile, analysis.graph));
  Json &superEpochs = json["super_epoch_list"] = Json::array();
  for (std::size_t number = 0; number < list.superEpochs.size(); ++number) {
    const ListedSuperEpoch &superEpoch = list.superEpochs[number];
    superEpochs.push_back({{"super_epoch", number},
                           {"epochs", superEpoch.epochs},
                           {"complex_epochs", superEpoch.complexEpochs},
                           {"messages", superEpoch.messages},
                           {"ranks", superEpoch.ranks}});
  }
}

void printEpochLists(std::FILE *out, const Profile &profile, const EpochAnalysis &analysis,
                     const EpochList &list) {
  std::fprintf(out, "\n%8s  %-8s %12s %10s  %-24s  %s\n", "epoch", "kind", "super epoch",
               "messages", "ranks", "begins at");
  for (std::size_t number = 0; number < list.epochs.size(); ++number) {
    const ListedEpoch &epoch = list.epochs[number];
    std::vector<std::uint32_t> ranks;
    for (const EpochRank &part : epoch.ranks)
      ranks.push_back(part.rank);
    std::fprintf(out, "%8zu  %-8s %12u %10llu  %-24s  %s\n", number, kindText(epoch),
                 epoch.superEpoch, static_cast<unsigned long long>(epoch.messages),
                 ranksText(ranks).c_str(),
                 printable(firstPlace(profile, analysis.graph, epoch.ranks.front())).c_str());
  }
  std::fprintf(out, "\n%12s %10s %10s %10s  %s\n", "super epoch", "epochs", "complex", "messages",
               "ranks");
  for (std::size_t number = 0; number < list.superEpochs.size(); ++number) {
    const ListedSuperEpoch &superEpoch = list.superEpochs[number];
    std::fprintf(out, "%12zu %10llu %10llu %10llu  %s\n", number,
                 static_cast<unsigned long long>(superEpoch.epochs),
                 static_cast<unsigned long long>(superEpoch.complexEpochs),
                 static_cast<unsigned long long>(superEpoch.messages),
                 ranksText(superEpoch.ranks).c_str());
  }
}

} // namespace sendwright
