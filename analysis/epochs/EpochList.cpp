// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/epochs/EpochList.h"

#include "analysis/epochs/EpochWalk.h"
#include "analysis/file/Limits.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace sendwright {

namespace {

bool isEventOfRun(const CommunicationGraph &graph, Node node) {
  const NodeKind kind = graph.kind(node);
  return (isSendKind(kind) || isReceiveKind(kind)) && graph.link[node] != noNode;
}

/// Follows each rank through its epochs, which come in the rank's order.
class EpochLister {
public:
  EpochLister(const EpochAnalysis &analysis, const std::string &name)
      : analysis(analysis), graph(analysis.graph), name(name), cursors(graph.ranks()) {
    for (std::uint32_t rank = 0; rank < graph.ranks(); ++rank)
      cursors[rank].next = graph.begin[rank];
    list.superEpochs.resize(analysis.superEpochs.count);
  }

  EpochList run() {
    EpochWalk walk(graph, analysis.epochs);
    for (std::size_t epoch = 0; walk.next(); ++epoch)
      add(walk.ranges(), analysis.figures.complex[epoch]);
    for (ListedSuperEpoch &superEpoch : list.superEpochs) {
      std::sort(superEpoch.ranks.begin(), superEpoch.ranks.end());
      superEpoch.ranks.erase(std::unique(superEpoch.ranks.begin(), superEpoch.ranks.end()),
                             superEpoch.ranks.end());
    }
    return std::move(list);
  }

private:
  struct Cursor {
    Node next = 0;
    std::uint64_t events = 0;   // before `next`
    std::size_t superEpoch = 0; // index into SuperEpochs::ranks of the rank
  };

  void add(const std::vector<NodeRange> &ranges, bool isComplex) {
    ListedEpoch epoch;
    epoch.isComplex = isComplex;
    for (const NodeRange &range : ranges)
      epoch.ranks.push_back(follow(range, epoch.messages));
    if (epoch.messages == 0)
      return;
    limits::listedEpochs.check(name, listed += epoch.ranks.size());
    std::sort(epoch.ranks.begin(), epoch.ranks.end(),
              [](const EpochRank &one, const EpochRank &other) { return one.rank < other.rank; });
    epoch.superEpoch = superEpochOf(epoch.ranks.front());
    ListedSuperEpoch &superEpoch = list.superEpochs[epoch.superEpoch];
    ++superEpoch.epochs;
    superEpoch.complexEpochs += isComplex;
    superEpoch.messages += epoch.messages;
    for (const EpochRank &rank : epoch.ranks)
      superEpoch.ranks.push_back(rank.rank);
    list.epochs.push_back(std::move(epoch));
  }

  EpochRank follow(const NodeRange &range, std::uint64_t &messages) {
    Cursor &cursor = cursors[range.rank];
    EpochRank part{range.rank, range.first, range.last, 0, 0};
    for (; cursor.next < range.first; ++cursor.next)
      cursor.events += isEventOfRun(graph, cursor.next);
    part.eventsBefore = cursor.events;
    for (; cursor.next <= range.last; ++cursor.next) {
      cursor.events += isEventOfRun(graph, cursor.next);
      messages += isSendKind(graph.kind(cursor.next));
    }
    part.events = cursor.events - part.eventsBefore;
    return part;
  }

  std::uint32_t superEpochOf(const EpochRank &part) {
    const std::vector<RankSuperEpoch> &own = analysis.superEpochs.ranks[part.rank];
    std::size_t &place = cursors[part.rank].superEpoch;
    while (place + 1 < own.size() && own[place].end < graph.position(part.last))
      ++place;
    return own[place].superEpoch;
  }

  const EpochAnalysis &analysis;
  const CommunicationGraph &graph;
  const std::string &name;
  std::vector<Cursor> cursors; // by rank
  std::uint64_t listed = 0;    // ranks of epochs
  EpochList list;
};

/// Columns by the longest path, over the arcs that hold in every execution.
class ColumnLayout {
public:
  ColumnLayout(const CommunicationGraph &graph, EpochDrawing &drawing)
      : drawing(drawing), successors(drawing.vertices.size()), waits(drawing.vertices.size()) {
    for (const EpochArc &arc : drawing.arcs)
      if (!arc.isMessage || graph.kind(drawing.vertices[arc.to].node) == NodeKind::Receive) {
        successors[arc.from].push_back(arc.to);
        ++waits[arc.to];
      }
  }

  void run() {
    std::vector<std::uint32_t> ready;
    for (std::uint32_t vertex = 0; vertex < waits.size(); ++vertex)
      if (waits[vertex] == 0)
        ready.push_back(vertex);
    while (!ready.empty()) {
      const std::uint32_t vertex = ready.back();
      ready.pop_back();
      const std::uint32_t column = drawing.vertices[vertex].column;
      drawing.columns = std::max(drawing.columns, column + 1);
      for (const std::uint32_t next : successors[vertex]) {
        drawing.vertices[next].column = std::max(drawing.vertices[next].column, column + 1);
        if (--waits[next] == 0)
          ready.push_back(next);
      }
    }
  }

private:
  EpochDrawing &drawing;
  std::vector<std::vector<std::uint32_t>> successors;
  std::vector<std::uint32_t> waits; // for how many predecessors
};

} // namespace

EpochList listEpochs(const EpochAnalysis &analysis, const std::string &name) {
  return EpochLister(analysis, name).run();
}

std::optional<std::size_t> largestEpoch(const EpochList &list) {
  if (list.epochs.empty())
    return std::nullopt;
  const auto found = std::max_element(
      list.epochs.begin(), list.epochs.end(), [](const ListedEpoch &one, const ListedEpoch &other) {
        return std::pair(one.isComplex, one.messages) < std::pair(other.isComplex, other.messages);
      });
  return static_cast<std::size_t>(found - list.epochs.begin());
}

std::uint64_t verticesOf(const ListedEpoch &epoch) {
  std::uint64_t vertices = 0;
  for (const EpochRank &rank : epoch.ranks)
    vertices += rank.last - rank.first + 1;
  return vertices;
}

EpochDrawing drawEpoch(const CommunicationGraph &graph, const ListedEpoch &epoch) {
  EpochDrawing drawing;
  std::unordered_map<Node, std::uint32_t> places;
  for (const EpochRank &rank : epoch.ranks) {
    const auto row = static_cast<std::uint32_t>(drawing.ranks.size());
    drawing.ranks.push_back(rank.rank);
    for (Node node = rank.first; node <= rank.last; ++node) {
      const auto vertex = static_cast<std::uint32_t>(drawing.vertices.size());
      if (node > rank.first)
        drawing.arcs.push_back({vertex - 1, vertex, false});
      places[node] = vertex;
      drawing.vertices.push_back({node, row, 0});
    }
  }
  for (std::uint32_t vertex = 0; vertex < drawing.vertices.size(); ++vertex) {
    const Node node = drawing.vertices[vertex].node;
    if (!isSendKind(graph.kind(node)))
      continue;
    if (const auto receive = places.find(graph.link[node]); receive != places.end())
      drawing.arcs.push_back({vertex, receive->second, true});
  }
  ColumnLayout(graph, drawing).run();
  return drawing;
}

std::string nodeText(const Profile &profile, const CommunicationGraph &graph, Node node) {
  const NodeType &type = graph.types[graph.type[node]];
  const std::string rank = "rank " + std::to_string(type.rank) + ": ";
  if (type.kind == NodeKind::Start)
    return rank + "start";
  const RankProfile &ofRank = profile.ranks[type.rank];
  const Event &event = ofRank.events[type.event];
  std::string text = rank + std::string(mpiFunction(event.function).name);
  const bool isSend = isSendKind(type.kind);
  if ((isSend || isReceiveKind(type.kind)) && graph.link[node] != noNode)
    text += (isSend ? " to rank " : " from rank ") + std::to_string(graph.rank(graph.link[node]));
  const std::string place = callPlace(profile, ofRank, event);
  return text + (place.empty() ? "" : " at " + place);
}

} // namespace sendwright
