// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One line for each event of the format: M names a track, X is a slice, s and f are the ends of a
// flow. Times are microseconds with three decimals. A flow binds to the slice of its track that
// contains its time: begin included, end excluded.

#include "tool/command/trace/ChromeTrace.h"

#include "analysis/replay/RunPlaces.h"
#include "analysis/simulation/RunMessages.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <vector>

namespace sendwright {

namespace {

std::string jsonString(const std::string &text) {
  return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

const char *categoryOf(const Event &event) {
  if (event.kind == EventKind::Redistribution)
    return "redistribution";
  const MpiRole role = mpiFunction(event.function).role;
  if (isSend(role))
    return "send";
  if (isReceive(role))
    return "receive";
  if (role == MpiRole::SendReceive)
    return "exchange";
  if (isCollective(role))
    return "collective";
  return endsRequests(role) ? "completion" : "other";
}

class ChromeTraceWriter {
public:
  ChromeTraceWriter(const Profile &profile, const Timeline &timeline, const TimedRun &times,
                    const std::function<void(std::string_view)> &write)
      : timeline(timeline), times(times), write(write), messages(timeline) {
    std::vector<SimulatedPlace> places;
    placeOf = numberPlaces(profile, places);
    for (const SimulatedPlace &place : places) {
      names.push_back(jsonString(place.function));
      quotedPlaces.push_back(place.place.empty() ? "" : jsonString(place.place));
    }
  }

  void run(const std::string &title) {
    text = "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"run\":" + jsonString(title) +
           "},\"traceEvents\":[\n"
           "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":0,\"tid\":0,\"args\":{\"name\":" +
           jsonString(title) + "}}";
    for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank)
      nameTrack(rank);
    for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank)
      writeRank(rank);
    text += "\n]}\n";
    write(text);
  }

private:
  void begin(const char *phase, std::size_t rank) {
    if (text.size() > 1 << 16) {
      write(text);
      text.clear();
    }
    text += ",\n{\"ph\":\"";
    text += phase;
    text += "\",\"pid\":0";
    number("tid", rank);
  }

  void number(const char *key, std::uint64_t value) {
    text += ",\"";
    text += key;
    text += "\":" + std::to_string(value);
  }

  void microseconds(const char *key, std::uint64_t nanoseconds) {
    number(key, nanoseconds / 1000);
    const std::string rest = std::to_string(1000 + nanoseconds % 1000);
    text += "." + rest.substr(1);
  }

  void nameTrack(std::size_t rank) {
    begin("M", rank);
    text += ",\"name\":\"thread_name\",\"args\":{\"name\":\"rank " + std::to_string(rank) + "\"}}";
    begin("M", rank);
    text +=
        ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":" + std::to_string(rank) + "}}";
  }

  void writeRank(std::size_t rank) {
    const RankTimeline &events = timeline.ranks[rank];
    std::uint32_t sent = messages.firstSentBy(rank);
    for (std::size_t position = 0; position < times.of(rank).size(); ++position) {
      if (isDrawn(events.at(position)))
        writeSlice(rank, position);
      for (; isSentBy(sent, rank, position); ++sent)
        writeFlow("s", sent, rank);
      const auto ignore = [](std::uint32_t) {};
      const auto received = [&](std::uint32_t index) { writeFlow("f", index, rank); };
      const auto posted = [&](std::uint32_t index) {
        if (timeline.messages[index].completion == noPosition)
          received(index);
      };
      messages.at(rank, position, posted, ignore, received);
    }
  }

  bool isSentBy(std::uint32_t index, std::size_t rank, std::size_t position) const {
    if (index >= timeline.messages.size())
      return false;
    const EventPosition &send = timeline.messages[index].send;
    return send.rank == rank && send.position == position;
  }

  void writeSlice(std::size_t rank, std::size_t position) {
    const EventTimes &time = times.of(rank)[position];
    const std::uint32_t place = placeOf[rank][timeline.ranks[rank].numbers[position]];
    const Event &event = timeline.ranks[rank].at(position);
    begin("X", rank);
    text += ",\"name\":" + names[place] + ",\"cat\":\"" + categoryOf(event) + "\"";
    microseconds("ts", time.begin);
    microseconds("dur", time.end - time.begin);
    text += ",\"args\":{";
    argumentsBegin = text.size();
    if (!quotedPlaces[place].empty())
      argument("place", quotedPlaces[place]);
    writeArguments(rank, position, event);
    text += "}}";
  }

  void argument(const char *key, const std::string &value) {
    if (text.size() > argumentsBegin)
      text += ',';
    text += '"';
    text += key;
    text += "\":" + value;
  }

  void writeArguments(std::size_t rank, std::size_t position, const Event &event) {
    if (event.kind == EventKind::Redistribution) {
      std::uint64_t bytes = 0;
      for (const MovedMessage &message : event.moved)
        bytes += message.received ? 0 : message.bytes;
      argument("bytes", std::to_string(bytes));
      argument("communicator", communicator(rank, event));
      return;
    }
    const MpiFunction &function = mpiFunction(event.function);
    const bool isMessage =
        isSend(function.role) || isReceive(function.role) || function.role == MpiRole::SendReceive;
    if (isMessage || isCollective(function.role) || event.bytes > 0)
      argument("bytes", std::to_string(event.bytes));
    if (event.peer != noPeer)
      argument(isCollective(function.role) ? "root" : "peer",
               isReceive(function.role) ? source(rank, position, event.peer) : peer(event.peer));
    if (isMessage)
      argument("tag", tag(event.tag));
    if (function.role == MpiRole::SendReceive) {
      argument("source", source(rank, position, event.receivePeer));
      argument("receive_tag", tag(event.receiveTag));
      argument("receive_bytes", std::to_string(event.receiveBytes));
    }
    if (isMessage || isCollective(function.role))
      argument("communicator", communicator(rank, event));
    if (!event.requests.empty())
      argument("requests", requests(event));
  }

  static std::string peer(int rank) {
    return rank == anySource  ? "\"MPI_ANY_SOURCE\""
           : rank == nullRank ? "\"MPI_PROC_NULL\""
                              : std::to_string(rank);
  }

  /// The rank that a receive posted here takes its message from.
  std::string source(std::size_t rank, std::size_t position, int given) const {
    const auto ignore = [](std::uint32_t) {};
    if (given == anySource)
      messages.at(
          rank, position,
          [&](std::uint32_t index) {
            given = static_cast<int>(timeline.messages[index].send.rank);
          },
          ignore, ignore);
    return peer(given);
  }

  static std::string tag(int tag) {
    return tag == anyTag ? "\"MPI_ANY_TAG\"" : std::to_string(tag);
  }

  std::string communicator(std::size_t rank, const Event &event) const {
    const std::uint32_t number = timeline.communicators.of(rank, event.communicator);
    return number == CommunicatorNumbers::none ? "null" : std::to_string(number);
  }

  static std::string requests(const Event &event) {
    std::string list;
    for (const int request : event.requests)
      list += (list.empty() ? "[" : ",") + std::to_string(request);
    return list + "]";
  }

  void writeFlow(const char *phase, std::uint32_t index, std::size_t rank) {
    const MatchedMessage &message = timeline.messages[index];
    if (!times.isShown(message))
      return;
    const MessageTimes ends = times.timesOf(message);
    begin(phase, rank);
    text += ",\"name\":\"message\",\"cat\":\"message\"";
    number("id", index);
    if (*phase == 's') {
      microseconds("ts", ends.sent);
    } else {
      microseconds("ts", ends.received);
      text += ",\"bp\":\"e\"";
    }
    text += '}';
  }

  const Timeline &timeline;
  const TimedRun &times;
  const std::function<void(std::string_view)> &write;
  const RunMessages messages;
  std::vector<std::vector<std::uint32_t>> placeOf; // by rank and event number
  std::vector<std::string> names, quotedPlaces;    // by place
  std::string text;
  std::size_t argumentsBegin = 0;
};

} // namespace

void formatChromeTrace(const Profile &profile, const Timeline &timeline, const TimedRun &times,
                       const std::string &title,
                       const std::function<void(std::string_view)> &write) {
  ChromeTraceWriter(profile, timeline, times, write).run(title);
}

} // namespace sendwright
