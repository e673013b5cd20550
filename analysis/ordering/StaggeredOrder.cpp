// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The innermost loops look up which edge has which colour at a vertex. A vertex with many edges
// keeps an array over all colours, with a bit for each colour to find free colours; a vertex with
// few edges (fewer than a sixteenth of the colours) keeps a sorted list. So a rank that sends to
// everyone does not make every receiver pay for as many colours.

#include "analysis/ordering/StaggeredOrder.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

namespace sendwright {

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// The colours in use at one vertex, each with its edge.
class ColouredEdges {
public:
  void prepare(std::uint32_t degree, std::uint32_t colours) {
    if (degree > colours / 16) {
      edgeOf.assign(colours, none);
      used.assign(colours / 64 + 1, 0);
    } else {
      sparse.reserve(degree);
    }
  }

  /// The edge with that colour, or none.
  std::uint32_t find(std::uint32_t colour) const {
    if (!edgeOf.empty())
      return edgeOf[colour];
    auto at = position(colour);
    return at == sparse.end() || at->first != colour ? none : at->second;
  }

  void add(std::uint32_t colour, std::uint32_t edge) {
    if (edgeOf.empty()) {
      sparse.insert(position(colour), {colour, edge});
      return;
    }
    edgeOf[colour] = edge;
    used[colour / 64] |= std::uint64_t(1) << (colour % 64);
  }

  void remove(std::uint32_t colour) {
    if (edgeOf.empty()) {
      sparse.erase(position(colour));
      return;
    }
    edgeOf[colour] = none;
    used[colour / 64] &= ~(std::uint64_t(1) << (colour % 64));
  }

  /// The first colour from `colour` on that no edge has; may be one past the last colour.
  std::uint32_t firstFree(std::uint32_t colour) const {
    if (edgeOf.empty()) {
      for (auto at = position(colour); at != sparse.end() && at->first == colour; ++at)
        ++colour;
      return colour;
    }
    std::size_t word = colour / 64;
    std::uint64_t free = ~used[word] & (~std::uint64_t(0) << (colour % 64));
    while (free == 0 && ++word < used.size())
      free = ~used[word];
    return free ? static_cast<std::uint32_t>(word * 64 + std::countr_zero(free))
                : static_cast<std::uint32_t>(edgeOf.size());
  }

private:
  using Entry = std::pair<std::uint32_t, std::uint32_t>;

  std::vector<Entry>::const_iterator position(std::uint32_t colour) const {
    return std::lower_bound(sparse.begin(), sparse.end(), Entry{colour, 0});
  }

  std::vector<std::uint32_t> edgeOf;
  std::vector<std::uint64_t> used;
  std::vector<Entry> sparse;
};

struct Edge {
  std::uint32_t sender, receiver; ///< vertices: receivers come after all senders
  std::uint32_t index;            ///< in the sender's list
  std::uint32_t colour;
  std::uint64_t bytes;
};

class EdgeColouring {
public:
  EdgeColouring(std::vector<Edge> &edges, std::size_t vertices) : edges(edges), at(vertices) {
    std::vector<std::uint32_t> degree(vertices);
    for (const Edge &edge : edges) {
      ++degree[edge.sender];
      ++degree[edge.receiver];
    }
    for (std::uint32_t d : degree)
      colours = std::max(colours, d);
    for (std::size_t vertex = 0; vertex < vertices; ++vertex)
      at[vertex].prepare(degree[vertex], colours);
  }

  std::uint32_t run() {
    for (std::uint32_t edge = 0; edge < edges.size(); ++edge)
      place(edge);
    return colours;
  }

private:
  void place(std::uint32_t number) {
    Edge &edge = edges[number];
    const std::uint32_t atSender = at[edge.sender].firstFree(0);
    const std::uint32_t atReceiver = at[edge.receiver].firstFree(0);
    std::uint32_t colour = firstCommon(edge, std::max(atSender, atReceiver));
    if (colour == none) {
      // Each end has a free colour, but they have none in common: free the lower colour at both.
      colour = std::min(atSender, atReceiver);
      if (colour == atSender)
        exchange(edge.receiver, atSender, atReceiver);
      else
        exchange(edge.sender, atReceiver, atSender);
    }
    setColour(number, colour);
  }

  std::uint32_t firstCommon(const Edge &edge, std::uint32_t from) const {
    for (std::uint32_t colour = from; colour < colours;) {
      colour = at[edge.sender].firstFree(colour);
      if (colour >= colours)
        break;
      std::uint32_t other = at[edge.receiver].firstFree(colour);
      if (other == colour)
        return colour;
      colour = other;
    }
    return none;
  }

  /// Swaps two colours along the path that starts at `vertex` with `colour`. The path does not
  /// return to `vertex`, which has no edge of colour `other`. It cannot reach the other end of the
  /// edge to place, either: it would arrive there with the colour that is free there.
  void exchange(std::uint32_t vertex, std::uint32_t colour, std::uint32_t other) {
    path.clear();
    for (std::uint32_t next; (next = at[vertex].find(colour)) != none; std::swap(colour, other)) {
      path.push_back(next);
      vertex = edges[next].sender == vertex ? edges[next].receiver : edges[next].sender;
    }
    const std::uint32_t sum = colour + other;
    for (std::uint32_t number : path) {
      at[edges[number].sender].remove(edges[number].colour);
      at[edges[number].receiver].remove(edges[number].colour);
    }
    for (std::uint32_t number : path)
      setColour(number, sum - edges[number].colour);
  }

  void setColour(std::uint32_t number, std::uint32_t colour) {
    edges[number].colour = colour;
    at[edges[number].sender].add(colour, number);
    at[edges[number].receiver].add(colour, number);
  }

  std::vector<Edge> &edges;
  std::vector<ColouredEdges> at; // per vertex
  std::uint32_t colours = 0;
  std::vector<std::uint32_t> path;
};

std::vector<Edge> sortedEdges(const SizedLists &messages, const std::vector<double> &key) {
  const auto ranks = static_cast<std::uint32_t>(messages.size());
  std::vector<Edge> edges;
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    for (std::uint32_t index = 0; index < messages[rank].size(); ++index) {
      const SizedMessage &message = messages[rank][index];
      edges.push_back({rank, ranks + static_cast<std::uint32_t>(message.destination), index, none,
                       message.bytes});
    }
  auto distance = [&](const Edge &edge) { return (edge.receiver - edge.sender - 1) % ranks; };
  std::sort(edges.begin(), edges.end(), [&](const Edge &a, const Edge &b) {
    if (a.bytes != b.bytes)
      return a.bytes > b.bytes;
    double keyA = key[a.receiver - ranks], keyB = key[b.receiver - ranks];
    if (keyA != keyB)
      return keyA > keyB;
    if (distance(a) != distance(b))
      return distance(a) < distance(b);
    return a.sender != b.sender ? a.sender < b.sender : a.index < b.index;
  });
  return edges;
}

/// Any permutation of the rounds is as good a colouring: rounds with the heaviest messages go
/// first.
std::vector<std::uint32_t> positionsByWeight(const std::vector<Edge> &edges, std::uint32_t rounds) {
  std::vector<std::uint64_t> heaviest(rounds);
  for (const Edge &edge : edges)
    heaviest[edge.colour] = std::max(heaviest[edge.colour], edge.bytes);
  std::vector<std::uint32_t> byWeight(rounds), position(rounds);
  std::iota(byWeight.begin(), byWeight.end(), 0u);
  std::stable_sort(byWeight.begin(), byWeight.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return heaviest[a] > heaviest[b]; });
  for (std::uint32_t place = 0; place < rounds; ++place)
    position[byWeight[place]] = place;
  return position;
}

} // namespace

StaggeredOrder staggerMessages(const SizedLists &messages, const std::vector<double> &key) {
  std::vector<Edge> edges = sortedEdges(messages, key);
  StaggeredOrder result;
  result.rounds = EdgeColouring(edges, 2 * messages.size()).run();
  const std::vector<std::uint32_t> position = positionsByWeight(edges, result.rounds);

  result.round.resize(messages.size());
  result.order.resize(messages.size());
  for (std::size_t rank = 0; rank < messages.size(); ++rank)
    result.round[rank].resize(messages[rank].size());
  for (const Edge &edge : edges)
    result.round[edge.sender][edge.index] = position[edge.colour];
  for (std::size_t rank = 0; rank < messages.size(); ++rank) {
    const std::vector<std::uint32_t> &round = result.round[rank];
    result.order[rank].resize(round.size());
    std::iota(result.order[rank].begin(), result.order[rank].end(), 0u);
    std::sort(result.order[rank].begin(), result.order[rank].end(),
              [&](std::uint32_t a, std::uint32_t b) { return round[a] < round[b]; });
  }
  return result;
}

} // namespace sendwright
