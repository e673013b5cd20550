// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/trace/SentMessages.h"

#include "analysis/file/FormatError.h"
#include "analysis/trace/CommunicatorNumbers.h"
#include "analysis/trace/Matching.h"
#include "analysis/trace/TextTrace.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sendwright {

namespace {

constexpr std::size_t namedPlaces = 5; // in a message

std::uint64_t saturatingProduct(std::uint64_t one, std::uint64_t other) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(one, other, &product) ? UINT64_MAX : product;
}

std::uint64_t saturatingSum(std::uint64_t one, std::uint64_t other) {
  std::uint64_t sum = 0;
  return __builtin_add_overflow(one, other, &sum) ? UINT64_MAX : sum;
}

std::string placeText(const std::string &file, unsigned line) {
  return file + ":" + std::to_string(line);
}

/// True if `end` is the whole path or its last components.
bool endsPath(std::string_view path, std::string_view end) {
  return path.ends_with(end) &&
         (path.size() == end.size() || path[path.size() - end.size() - 1] == '/');
}

/// The first of `words` as a list for a message, and how many more there are.
std::string listOf(const std::vector<std::string> &words) {
  std::string text;
  for (std::size_t index = 0; index < std::min(words.size(), namedPlaces); ++index)
    text += (index ? ", " : "") + words[index];
  if (words.size() > namedPlaces)
    text += " and " + std::to_string(words.size() - namedPlaces) + " more";
  return text;
}

/// The sites of the named file, or else all, those with the nearest lines first.
std::vector<std::string> nearestPlaces(const Profile &profile, const SitePlace &place) {
  std::set<std::pair<unsigned, std::string>> here, all; // by distance
  for (const SiteIdentity &site : profile.sites) {
    const unsigned distance =
        site.line > place.line ? site.line - place.line : place.line - site.line;
    const std::string text = placeText(site.file, site.line);
    all.emplace(distance, text);
    if (endsPath(site.file, place.file))
      here.emplace(distance, text);
  }
  std::vector<std::string> words;
  for (const auto &[distance, text] : here.empty() ? all : here)
    words.push_back(text);
  return words;
}

/// By site: whether it is at the place.
std::vector<bool> sitesAt(const Profile &profile, const std::string &name, const SitePlace &place) {
  std::vector<bool> chosen(profile.sites.size());
  std::set<std::string> files;
  for (std::size_t index = 0; index < chosen.size(); ++index) {
    const SiteIdentity &site = profile.sites[index];
    chosen[index] = site.line == place.line && endsPath(site.file, place.file);
    if (chosen[index])
      files.insert(site.file);
  }
  const std::string text = placeText(place.file, place.line);
  if (files.size() > 1)
    throw FormatError(name + ": " + text + " is in several files, expected one of " +
                      listOf({files.begin(), files.end()}));
  if (!files.empty())
    return chosen;
  const std::vector<std::string> nearest = nearestPlaces(profile, place);
  throw FormatError(name + ": no loop or block that communicates at " + text + ", expected " +
                    (nearest.empty() ? "a profile with sites" : listOf(nearest)));
}

/// The communicator with this number in text traces, as an index into `numbers`.
std::uint32_t communicatorCalled(const CommunicatorNumbers &numbers, const Profile &profile,
                                 const std::string &name, unsigned number) {
  const std::vector<unsigned> names = textCommunicators(numbers, profile.ranks.size());
  const auto found = std::find(names.begin(), names.end(), number);
  if (found == names.end()) {
    const std::set<unsigned> sorted(names.begin(), names.end());
    std::vector<std::string> words;
    words.reserve(sorted.size());
    for (const unsigned each : sorted)
      words.push_back(std::to_string(each));
    throw FormatError(name + ": no communicator " + std::to_string(number) + ", expected one of " +
                      listOf(words));
  }
  const auto index = static_cast<std::uint32_t>(found - names.begin());
  if (numbers[index].intercommunicator)
    throw FormatError(name + ": communicator " + std::to_string(number) +
                      " is an intercommunicator, whose two sides number their ranks each, expected "
                      "another");
  return index;
}

/// Collects the rows.
class MatrixBuilder {
public:
  explicit MatrixBuilder(std::size_t ranks) : places(ranks) {
    matrix.rows.resize(ranks);
    matrix.sizeDeclared = true;
  }

  void add(std::size_t source, int destination, std::uint64_t items) {
    std::vector<MatrixEntry> &row = matrix.rows[source];
    const auto [found, isNew] = places[source].try_emplace(destination, row.size());
    if (isNew)
      row.push_back({destination, 0});
    std::uint64_t &sum = row[found->second].items;
    sum = saturatingSum(sum, items);
  }

  CommunicationMatrix take() { return std::move(matrix); }

private:
  CommunicationMatrix matrix;
  std::vector<std::unordered_map<int, std::size_t>> places; // by sender and destination
};

} // namespace

void forEachSend(
    const Profile &profile,
    const std::function<void(std::size_t rank, const Event &event, std::uint64_t count)> &visit) {
  for (std::size_t index = 0; index < profile.ranks.size(); ++index) {
    const RankProfile &rank = profile.ranks[index];
    const std::vector<std::uint64_t> counts =
        rank.sequence.occurrences(static_cast<std::uint32_t>(rank.events.size()));
    for (std::size_t number = 0; number < rank.events.size(); ++number) {
      const Event &event = rank.events[number];
      if (event.kind != EventKind::Call || !sendsMessage(event) || event.peer < 0 ||
          static_cast<std::size_t>(event.peer) >= profile.ranks.size())
        continue;
      const std::uint64_t measured =
          number < rank.statistics.size() ? rank.statistics[number].count : 0;
      if (const std::uint64_t count = std::max(counts[number], measured); count > 0)
        visit(index, event, count);
    }
  }
}

CommunicationMatrix matrixOfRun(const Profile &profile, const std::string &name,
                                const MatrixChoice &choice) {
  std::vector<bool> sites;
  if (choice.site)
    sites = sitesAt(profile, name, *choice.site);
  CommunicatorNumbers numbers;
  std::uint32_t wanted = CommunicatorNumbers::none;
  std::unordered_map<int, int> ownRanks; // of the communicator, by world rank
  if (choice.communicator) {
    numbers = CommunicatorNumbers(profile, IntercommunicatorNumbers::BySide);
    wanted = communicatorCalled(numbers, profile, name, *choice.communicator);
    for (const int member : numbers[wanted].members)
      ownRanks.try_emplace(member, static_cast<int>(ownRanks.size()));
  }
  MatrixBuilder builder(choice.communicator ? ownRanks.size() : profile.ranks.size());
  forEachSend(profile, [&](std::size_t rank, const Event &event, std::uint64_t count) {
    if (choice.site && (event.site < 0 || !sites[static_cast<std::size_t>(event.site)]))
      return;
    const std::uint64_t items = choice.bytes ? saturatingProduct(count, event.bytes) : count;
    if (!choice.communicator) {
      builder.add(rank, event.peer, items);
      return;
    }
    const auto source = ownRanks.find(static_cast<int>(rank));
    const auto destination = ownRanks.find(event.peer);
    if (numbers.of(rank, event.communicator) == wanted && source != ownRanks.end() &&
        destination != ownRanks.end())
      builder.add(static_cast<std::size_t>(source->second), destination->second, items);
  });
  return builder.take();
}

} // namespace sendwright
