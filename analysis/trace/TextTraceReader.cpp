// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads text traces: a line is an event, whose words are the operands and then KEY=VALUE in any
// order. Equal events share a number as in recorded profiles, and each rank's numbers go through a
// GrammarBuilder.

#include "analysis/trace/TextTrace.h"

#include "analysis/file/FormatError.h"
#include "analysis/file/MatrixFile.h"
#include "analysis/trace/EventNumbers.h"
#include "analysis/trace/ProfileCodec.h"
#include "analysis/trace/TextTraceWords.h"

#include <algorithm>
#include <charconv>
#include <climits>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <unordered_map>

namespace sendwright {

namespace {

/// The KEY=VALUE words of a line; empty where absent.
struct Keys {
  std::string_view tag, comm, bytes, site, req, t, from, root;
};

struct KeyName {
  std::string_view name;
  std::string_view Keys::*value;
};

constexpr KeyName keyNames[] = {
    {"tag", &Keys::tag}, {"comm", &Keys::comm}, {"bytes", &Keys::bytes}, {"site", &Keys::site},
    {"req", &Keys::req}, {"t", &Keys::t},       {"from", &Keys::from},   {"root", &Keys::root}};

/// A request of the rank being read.
struct OpenRequest {
  std::size_t createdBy = 0; ///< position of the event in the rank's run
  std::optional<WildcardMatch> match;
};

class TextTraceParser {
public:
  TextTraceParser(std::string_view text, const std::string &name) : text(text), name(name) {}

  Profile parse() {
    for (std::size_t begin = 0; begin < text.size();) {
      std::size_t end = std::min(text.find('\n', begin), text.size());
      ++lineNumber;
      splitLine(text.substr(begin, end - begin));
      if (!words.empty())
        parseLine();
      begin = end + 1;
    }
    ++lineNumber; // what is missing would come after the last line
    if (stage == Stage::Version)
      fail("found the end, expected sendwright-trace 1");
    if (stage == Stage::Ranks)
      fail("found the end, expected ranks N");
    endRank();
    return std::move(assembler.profile);
  }

private:
  enum class Stage { Version, Ranks, Events };

  [[noreturn]] void fail(const std::string &problem) const {
    throw FormatError(name + ":" + std::to_string(lineNumber) + ": " + problem);
  }

  [[noreturn]] void failWord(std::string_view found, const std::string &expected) const {
    fail("found " + quoted(found) + ", expected " + expected);
  }

  // Lines.

  void splitLine(std::string_view line) {
    words.clear();
    line = line.substr(0, line.find('#'));
    for (std::size_t at = 0; at < line.size();) {
      std::size_t begin = line.find_first_not_of(" \t\r", at);
      if (begin == std::string_view::npos)
        break;
      at = std::min(line.find_first_of(" \t\r", begin), line.size());
      words.push_back(line.substr(begin, at - begin));
    }
  }

  void parseLine() {
    if (stage == Stage::Version) {
      if (words.size() != 2 || words[0] != "sendwright-trace" || words[1] != "1")
        failWord(words.size() > 1 && words[0] == "sendwright-trace" ? words[1] : words[0],
                 "sendwright-trace 1");
      stage = Stage::Ranks;
    } else if (stage == Stage::Ranks) {
      if (words.size() != 2 || words[0] != "ranks")
        failWord(words[0], "ranks N");
      assembler.profile.ranks.resize(readNumber(words[1], 1, mostTraceRanks, "a number of ranks"));
      startRanks();
      stage = Stage::Events;
    } else if (words[0] == "rank") {
      if (words.size() != 2)
        fail("found " + std::to_string(words.size() - 1) +
             " words after rank, expected its number");
      endRank();
      startRank(readRank(words[1], "a rank"));
    } else {
      if (!current)
        failWord(words[0], "rank R before the first event");
      if (current->truncated)
        failWord(words[0], "the next rank after truncated");
      parseEvent();
    }
  }

  void startRanks() {
    std::vector<RankProfile> &ranks = assembler.profile.ranks;
    lineOfRank.assign(ranks.size(), 0);
    std::vector<int> everyone(ranks.size());
    std::iota(everyone.begin(), everyone.end(), 0);
    world.members = std::move(everyone);
    for (RankProfile &rank : ranks)
      rank.communicators.push_back(world);
  }

  void startRank(int rank) {
    std::size_t &line = lineOfRank[static_cast<std::size_t>(rank)];
    if (line)
      fail("rank " + std::to_string(rank) + " has events already (line " + std::to_string(line) +
           "), expected each rank once");
    line = lineNumber;
    current = &assembler.profile.ranks[static_cast<std::size_t>(rank)];
    numbers = std::make_unique<EventNumbers>(*current);
  }

  void endRank() {
    if (!current)
      return;
    for (auto &[number, request] : open)
      if (request.match) { // never completed: the receive itself says what it took
        Event event = current->events[run[request.createdBy]];
        event.matches = {*request.match};
        event.matches[0].request = -1;
        run[request.createdBy] = numbers->of(event);
      }
    GrammarBuilder builder;
    for (std::uint32_t number : run)
      builder.append(number);
    current->sequence = builder.grammar();
    current = nullptr;
    run.clear();
    open.clear();
    numbers.reset();
    communicatorIndices.clear();
  }

  // Events.

  void parseEvent() {
    Event event;
    operands = 1;
    if (words[0] == "truncated") {
      readKeys({});
      current->truncated = true;
      return;
    }
    if (const MpiFunction *message = findMessage(words[0]))
      parseMessage(event, *message);
    else if (words[0] == "wait" || words[0] == "free" || words[0] == "cancel")
      parseCompletion(event);
    else if (words[0] == "collective")
      parseCollective(event);
    else if (words[0] == "compute")
      parseCompute(event);
    else
      failWord(words[0], "send, recv, isend, irecv, wait, collective, compute or another event");
    run.push_back(numbers->of(event));
  }

  std::string_view operand(const char *what) {
    if (operands >= words.size() || words[operands].find('=') != std::string_view::npos)
      fail(std::string("no operand after ") + std::string(words[0]) + ", expected " + what);
    return words[operands++];
  }

  /// Reads the rest of the line; only `allowed` keys may occur, each once.
  Keys readKeys(std::initializer_list<std::string_view Keys::*> allowed) {
    Keys keys;
    for (std::size_t i = operands; i < words.size(); ++i) {
      const std::size_t equals = words[i].find('=');
      auto key = std::find_if(std::begin(keyNames), std::end(keyNames), [&](const KeyName &each) {
        return equals != std::string_view::npos && each.name == words[i].substr(0, equals);
      });
      if (key == std::end(keyNames) ||
          std::find(allowed.begin(), allowed.end(), key->value) == allowed.end())
        failWord(words[i], allowed.size() == 0
                               ? "nothing more on the line"
                               : "the keys of " + std::string(words[0]) + ": " + namesOf(allowed));
      if (!(keys.*key->value).empty())
        fail(std::string(key->name) + "= twice, expected it once");
      if (equals + 1 == words[i].size())
        fail(std::string(key->name) + "= without a value, expected one");
      keys.*key->value = words[i].substr(equals + 1);
    }
    return keys;
  }

  static std::string namesOf(std::initializer_list<std::string_view Keys::*> allowed) {
    std::string names;
    for (std::string_view Keys::*value : allowed)
      for (const KeyName &key : keyNames)
        if (key.value == value)
          names += (names.empty() ? "" : " ") + std::string(key.name) + "=";
    return names;
  }

  void parseMessage(Event &event, const MpiFunction &function) {
    event.function = function.id;
    const bool receives = !isSend(function.role);
    const bool hasRequest = function.request >= 0;
    const std::string_view peer = operand("a rank");
    if (receives && peer == "*")
      event.peer = anySource;
    else
      event.peer = peer == "null" ? nullRank : readRank(peer, receives ? "a rank or *" : "a rank");
    Keys keys =
        !receives && !hasRequest
            ? readKeys({&Keys::bytes, &Keys::tag, &Keys::comm, &Keys::site, &Keys::t})
        : !receives
            ? readKeys({&Keys::req, &Keys::bytes, &Keys::tag, &Keys::comm, &Keys::site, &Keys::t})
        : !hasRequest
            ? readKeys({&Keys::bytes, &Keys::tag, &Keys::comm, &Keys::from, &Keys::site, &Keys::t})
            : readKeys({&Keys::req, &Keys::bytes, &Keys::tag, &Keys::comm, &Keys::from, &Keys::site,
                        &Keys::t});
    readCommonKeys(event, keys);
    if (receives && keys.tag == "*")
      event.tag = anyTag;
    else if (!keys.tag.empty())
      event.tag = static_cast<int>(readNumber(keys.tag, 0, INT_MAX, "a tag"));
    std::optional<WildcardMatch> match;
    if (!keys.from.empty()) {
      if (event.peer != anySource)
        fail("from= on a receive from " + std::string(peer) + ", expected it only with *");
      match = WildcardMatch{-1, readRank(keys.from, "a rank"), event.tag, event.bytes};
    }
    if (hasRequest)
      openRequest(event, keys.req, match);
    else if (match)
      event.matches = {*match};
  }

  void openRequest(Event &event, std::string_view value, std::optional<WildcardMatch> match) {
    if (value.empty())
      fail("no req= after " + std::string(words[0]) + ", expected the number of its request");
    const int number = static_cast<int>(readNumber(value, 0, INT_MAX, "a request"));
    if (match)
      match->request = number;
    if (!open.try_emplace(number, OpenRequest{run.size(), match}).second)
      fail("request " + std::to_string(number) +
           " is in use, expected a request that was waited for");
    event.requests = {number};
  }

  void parseCompletion(Event &event) {
    Keys keys = readKeys({&Keys::req, &Keys::site, &Keys::t});
    readCommonKeys(event, keys);
    if (keys.req.empty())
      fail("no req= after " + std::string(words[0]) + ", expected the requests");
    std::string_view rest = keys.req;
    while (true) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      completeRequest(event, rest.substr(0, comma));
      if (comma == rest.size())
        break;
      rest = rest.substr(comma + 1);
    }
    event.function = words[0] == "free"           ? MpiFunctionId::Request_free
                     : words[0] == "cancel"       ? MpiFunctionId::Cancel
                     : event.requests.size() == 1 ? MpiFunctionId::Wait
                                                  : MpiFunctionId::Waitall;
  }

  void completeRequest(Event &event, std::string_view value) {
    const int number = static_cast<int>(readNumber(value, 0, INT_MAX, "a request"));
    auto request = open.find(number);
    if (request == open.end())
      fail("request " + std::to_string(number) + " is not in use, expected a request in use");
    event.requests.push_back(number);
    if (words[0] == "cancel")
      return;
    if (const std::optional<WildcardMatch> &match = request->second.match)
      event.matches.push_back(*match);
    open.erase(request);
  }

  void parseCollective(Event &event) {
    const std::string_view word = operand("the name of a collective");
    const MpiFunction *function = findCollective(word);
    if (!function)
      failWord(word, "a collective of MPI in lower case, as barrier or allreduce");
    event.function = function->id;
    Keys keys =
        function->request < 0
            ? readKeys({&Keys::root, &Keys::bytes, &Keys::comm, &Keys::site, &Keys::t})
            : readKeys({&Keys::req, &Keys::root, &Keys::bytes, &Keys::comm, &Keys::site, &Keys::t});
    readCommonKeys(event, keys);
    if (!keys.root.empty())
      event.peer = readRank(keys.root, "a rank");
    if (function->request >= 0)
      openRequest(event, keys.req, {});
  }

  void parseCompute(Event &event) {
    event.kind = EventKind::Compute;
    event.seconds = readSeconds(operand("seconds"));
    readCommonKeys(event, readKeys({&Keys::site, &Keys::t}));
  }

  // Values.

  void readCommonKeys(Event &event, const Keys &keys) {
    if (!keys.bytes.empty())
      event.bytes = readNumber(keys.bytes, 0, UINT64_MAX, "a number of bytes");
    if (!keys.comm.empty())
      event.communicator =
          communicatorIndex(static_cast<int>(readNumber(keys.comm, 0, INT_MAX, "a communicator")));
    if (!keys.site.empty())
      event.site = readSite(keys.site);
    if (!keys.t.empty())
      event.time = readSeconds(keys.t);
  }

  int communicatorIndex(int number) {
    if (number == 0)
      return 0;
    auto [place, isNew] =
        communicatorIndices.try_emplace(number, static_cast<int>(current->communicators.size()));
    if (isNew) {
      if (current->communicators.size() == mostTraceCommunicators)
        fail("one communicator more than " + std::to_string(mostTraceCommunicators) +
             ", expected no more on one rank");
      current->communicators.push_back(world);
      current->communicators.back().instance = static_cast<unsigned>(number);
    }
    return place->second;
  }

  int readSite(std::string_view value) {
    const std::size_t colon = value.rfind(':');
    SiteIdentity site;
    if (colon == std::string_view::npos || colon == 0)
      failWord(value, "a site as FILE:LINE");
    site.file = decodeTraceFile(value.substr(0, colon));
    site.line = static_cast<unsigned>(
        readNumber(value.substr(colon + 1), 0, UINT_MAX, "a site as FILE:LINE"));
    return assembler.siteIndex(site);
  }

  int readRank(std::string_view word, const char *what) {
    return static_cast<int>(readNumber(word, 0, assembler.profile.ranks.size() - 1, what));
  }

  std::uint64_t readNumber(std::string_view word, std::uint64_t least, std::uint64_t most,
                           const char *what) {
    std::uint64_t value = 0;
    auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || value < least || value > most)
      failWord(word, std::string(what) + (most == UINT64_MAX ? ""
                                                             : " from " + std::to_string(least) +
                                                                   " to " + std::to_string(most)));
    return value;
  }

  double readSeconds(std::string_view word) {
    double value = 0;
    auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value) ||
        value < 0)
      failWord(word, "seconds, a number of at least 0");
    if (value > longestSeconds)
      failWord(word, "seconds, at most 10^12");
    return value + 0.0; // no negative zero
  }

  std::string_view text;
  const std::string &name;
  std::size_t lineNumber = 0;
  std::vector<std::string_view> words;
  std::size_t operands = 0; // number of words that are not keys, including the event's name
  Stage stage = Stage::Version;
  ProfileAssembler assembler;
  Communicator world;
  std::vector<std::size_t> lineOfRank; // 0: no events yet

  // The rank being read.
  RankProfile *current = nullptr;
  std::vector<std::uint32_t> run;
  std::map<int, OpenRequest> open;
  std::unique_ptr<EventNumbers> numbers;
  std::unordered_map<int, int> communicatorIndices;
};

} // namespace

Profile parseTextTrace(std::string_view text, const std::string &name) {
  return TextTraceParser(text, name).parse();
}

Profile readTextTrace(const std::string &name) {
  return parseTextTrace(readTextFile(name), name == "-" ? "<stdin>" : name);
}

} // namespace sendwright
