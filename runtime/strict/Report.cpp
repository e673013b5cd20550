// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/strict/Report.h"

#include <cstring>
#include <type_traits>

namespace sendwright::strict {

namespace {

/// Reading and writing visit the same fields.
class Writer {
public:
  void operator()(std::int64_t value) {
    text.append(reinterpret_cast<const char *>(&value), sizeof value);
  }
  void operator()(const std::string &value) {
    (*this)(std::int64_t(value.size()));
    text += value;
  }
  std::size_t size(std::size_t elements) {
    (*this)(std::int64_t(elements));
    return elements;
  }
  static constexpr bool reads = false;
  std::string text;
};

class Reader {
public:
  explicit Reader(const std::string &text) : text(text) {}
  void operator()(std::int64_t &value) {
    std::memcpy(&value, text.data() + at, sizeof value);
    at += sizeof value;
  }
  void operator()(std::string &value) {
    const std::size_t length = size(0);
    value = text.substr(at, length);
    at += length;
  }
  std::size_t size(std::size_t) {
    std::int64_t elements = 0;
    (*this)(elements);
    return std::size_t(elements);
  }
  static constexpr bool reads = true;

private:
  const std::string &text;
  std::size_t at = 0;
};

template <typename Archive, typename Element, typename Visit>
void list(Archive &archive, std::vector<Element> &elements, Visit visit) {
  elements.resize(archive.size(elements.size()));
  for (Element &element : elements)
    visit(element);
}

template <typename Archive>
void counts(Archive &archive, std::map<std::int64_t, std::int64_t> &map) {
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs(map.begin(), map.end());
  list(archive, pairs, [&](auto &pair) {
    archive(pair.first);
    archive(pair.second);
  });
  if constexpr (Archive::reads)
    map = {pairs.begin(), pairs.end()};
}

template <typename Archive> void walk(Archive &archive, Place &place) {
  archive(place.function);
  archive(place.address);
}

template <typename Archive> void walk(Archive &archive, WaitItem &item) {
  for (std::int64_t *field :
       {&item.kind, &item.peer, &item.tag, &item.communicator, &item.number, &item.wholeWorld})
    archive(*field);
  list(archive, item.members, [&](std::int64_t &member) { archive(member); });
  walk(archive, item.origin);
}

template <typename Archive> void tickets(Archive &archive, std::vector<Ticket> &all) {
  list(archive, all, [&](Ticket &ticket) {
    archive(ticket.rank);
    archive(ticket.number);
  });
}

template <typename Archive> void walk(Archive &archive, RankReport &report) {
  for (std::int64_t *field : {&report.question, &report.rank, &report.calls, &report.blocked,
                              &report.any, &report.buffers, &report.receivesUncounted})
    archive(*field);
  walk(archive, report.call);
  list(archive, report.items, [&](WaitItem &item) { walk(archive, item); });
  list(archive, report.sends, [&](PendingSend &send) {
    for (std::int64_t *field :
         {&send.number, &send.destination, &send.tag, &send.communicator, &send.limited})
      archive(*field);
  });
  list(archive, report.receives, [&](ReportedReceive &receive) {
    for (std::int64_t *field : {&receive.source, &receive.tag, &receive.communicator})
      archive(*field);
  });
  tickets(archive, report.holders);
  tickets(archive, report.waiting);
  counts(archive, report.matchedTo);
  counts(archive, report.receivedFrom);
  counts(archive, report.toldTo);
  counts(archive, report.toldBy);
  counts(archive, report.collectives);
}

} // namespace

std::string RankReport::write() const {
  Writer writer;
  RankReport copy = *this;
  walk(writer, copy);
  return std::move(writer.text);
}

RankReport RankReport::read(const std::string &text) {
  RankReport report;
  Reader reader(text);
  walk(reader, report);
  return report;
}

} // namespace sendwright::strict
