// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A profile: what every rank of one run did, call by call, compressed.
//
// Calls that are equal in everything but time share one Event; a rank's run is a sequence of event
// numbers, kept as a Grammar in which repetition costs nothing. The runtime writes profiles, text
// traces are imported into them, and every analysis reads them. A million iterations of one pattern
// are a few kilobytes; an analysis expands only as much as it needs (Grammar::forEach).

#ifndef SENDWRIGHT_ANALYSIS_TRACE_PROFILE_H
#define SENDWRIGHT_ANALYSIS_TRACE_PROFILE_H

#include "analysis/mpi/MpiFunctions.h"
#include "analysis/trace/Grammar.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sendwright {

// Values of Event::peer besides world ranks.
inline constexpr int anySource = -1;
inline constexpr int nullRank = -2; ///< MPI_PROC_NULL
inline constexpr int noPeer = -3;   ///< the call has none
inline constexpr int anyTag = -1;
inline constexpr int noSite = -1;

inline constexpr double longestSeconds = 1e12; ///< of any time in a profile

/// A place in the source, as the plugin identified it; in a template, in one instantiation.
/// Identity: file, function, hash, ordinal, instantiation; the line is for messages. Sites of text
/// traces have only file and line.
struct SiteIdentity {
  std::string file;     ///< as the compiler named it
  std::string function; ///< qualified, without template arguments
  unsigned line = 0;
  unsigned ordinal = 0;      ///< among the loops, or calls, of the function with this hash
  std::uint64_t hash = 0;    ///< of the loop's or call's normalised tokens
  std::string instantiation; ///< "Value = double, Stride = 1" (Instantiation.h); "" elsewhere

  /// Equal except for the line. Only the last component of the file counts, so that a build from
  /// another folder finds its sites. Sites of text traces are equal if file and line are.
  bool sameAs(const SiteIdentity &other) const;
  /// As sameAs(), for any instantiations.
  bool sameLoopAs(const SiteIdentity &other) const;
  /// "file:line", for messages; in a template "file:line [Value = double, Stride = 1]". The result,
  /// like that of displayFunction(), is safe to print (analysis/file/Escaping.h), whatever the
  /// names contain.
  std::string display() const;
  /// The function, for messages, with the instantiation as above.
  std::string displayFunction() const;
};

/// A message that a wildcard receive took; known when the receive completed.
struct WildcardMatch {
  int request = -1; ///< the receive's request number; -1: the call that holds this match
  int source = 0;   ///< world rank
  int tag = 0;
  std::uint64_t bytes = 0;
  bool operator==(const WildcardMatch &) const = default;
};

/// What one rank sends to another, or receives from it, in a redistribution; and what it has for
/// another rank, or itself, in MPI_Alltoallv and its kin.
struct MovedMessage {
  int peer = 0; ///< world rank
  bool received = false;
  std::uint64_t bytes = 0;
  std::uint64_t chunkBytes = 0; ///< it travels in chunks of this size; the last may be smaller
  bool operator==(const MovedMessage &) const = default;
};

enum class EventKind : std::uint8_t {
  Call,           ///< an MPI call
  Compute,        ///< computation of `seconds` (text traces only; recorded runs have statistics
                  ///< instead)
  SiteEnter,      ///< a marked loop that communicates in this execution begins (`site`)
  SiteLeave,      ///< that loop ends
  Redistribution, ///< a redistribute directive, on all ranks of `communicator`
  SiteSkip        ///< a marked loop that communicates in other executions does not in this
};

/// One kind of event of one rank. Ranks are world ranks.
///
/// Persistent sends and receives appear when they are started, as the non-blocking call of the same
/// mode. Failed tests are not events; successful tests are events like waits. Directly consecutive
/// Waitany, Waitsome and Test* calls are one event with all their requests, sorted.
struct Event {
  EventKind kind = EventKind::Call;
  MpiFunctionId function = MpiFunctionId::Send;
  int peer = noPeer; ///< destination, source, or root
  int tag = 0;
  int communicator = 0;      ///< index into RankProfile::communicators
  std::uint64_t bytes = 0;   ///< sent, or room to receive; for a collective, what this rank
                             ///< contributes
  int site = noSite;         ///< innermost marked loop: index into Profile::sites
  int call = noSite;         ///< the marked call: index into Profile::callSites
  std::vector<int> requests; ///< numbers from 0, reused when free: those created or completed here
  std::vector<WildcardMatch> matches;
  int receivePeer = noPeer; ///< Sendrecv: its receiving half
  int receiveTag = 0;
  std::uint64_t receiveBytes = 0;
  std::uint64_t address = 0;       ///< of the call: index into RankProfile::callers, plus 1
  double seconds = 0;              ///< Compute
  std::vector<MovedMessage> moved; ///< Redistribution: what this rank sends, in order, and what it
                                   ///< receives, in order. MPI_Alltoallv and its kin: the rank's
                                   ///< blocks, without empty ones; empty if most ranks get
                                   ///< something, or if these lists vary much
  double time = -1;                ///< text traces with t=: seconds since the rank's start;
                                   ///< otherwise -1
  bool relativeTag = false; ///< only in files: `tag` counts from the last such tag at its place,
                            ///< and the tag of Sendrecv's receive from `tag` (RelativeTags.h)
  bool operator==(const Event &) const = default;
};

/// Measurements over all occurrences of one Event, in seconds.
struct EventStatistics {
  std::uint64_t count = 0;
  double before = 0; ///< sum of the time outside MPI since the previous event of the rank
  double beforeMinimum = 0;
  double beforeMaximum = 0;
  double inside = 0; ///< sum of the time inside the call
};

/// World ranks, shared by all copies, because every rank of a run lists the members of
/// MPI_COMM_WORLD. Converts to a vector, which the list keeps.
class RankList {
public:
  RankList() = default;
  RankList(std::vector<int> ranks)
      : list(std::make_shared<const std::vector<int>>(std::move(ranks))) {}
  RankList(std::initializer_list<int> ranks) : RankList(std::vector<int>(ranks)) {}

  const std::vector<int> &vector() const {
    static const std::vector<int> none;
    return list ? *list : none;
  }
  operator const std::vector<int> &() const { return vector(); }
  std::vector<int>::const_iterator begin() const { return vector().begin(); }
  std::vector<int>::const_iterator end() const { return vector().end(); }
  std::size_t size() const { return vector().size(); }
  bool empty() const { return vector().empty(); }
  int operator[](std::size_t place) const { return vector()[place]; }
  int front() const { return vector().front(); }
  int back() const { return vector().back(); }
  bool operator==(const RankList &other) const {
    return list == other.list || vector() == other.vector();
  }

private:
  std::shared_ptr<const std::vector<int>> list;
};

/// A communicator as one rank saw it. For two ranks it is the same if both fields are equal.
struct Communicator {
  RankList members;      ///< world ranks in the communicator's order; for an intercommunicator, the
                         ///< local group
  unsigned instance = 0; ///< among the existing communicators with these members, by creation
  bool intercommunicator = false;
  bool operator==(const Communicator &) const = default;
};

/// How often a redistribute directive moved one-dimensional arrays from one list of blocks to
/// another, one block for each rank of the communicator.
struct RecordedRedistribution {
  SiteIdentity site;                       ///< the directive
  std::vector<std::int64_t> before, after; ///< elements of each block; the sums are equal
  std::uint64_t count = 0;
};

/// What consecutive rows of an array cost a rank.
struct RowsLoad {
  std::int64_t begin = 0, end = 0;
  double seconds = 0;
  bool operator==(const RowsLoad &) const = default;
};

/// What a rank computed between two directives for an array, or between more of them (LoadHistory.h
/// in analysis/redistribution).
struct LoadPeriod {
  std::vector<RowsLoad> rows; ///< that the rank owned, ascending; none twice
  std::uint64_t moved = 0;    ///< bytes that it then sent or received, whichever is more
  bool operator==(const LoadPeriod &) const = default;
};

/// The load of an array whose rows are divided into one block for each processor, as one rank
/// measured it up to each execution of a directive.
struct RecordedLoad {
  SiteIdentity site; ///< the directive
  std::string array;
  std::int64_t rows = 0;      ///< of all ranks, at most mostLoadRows
  std::uint64_t rowBytes = 0; ///< that move with a row, of all arrays
  int processors = 1;
  std::uint64_t executions = 0;     ///< of the directive
  std::uint64_t executionsEach = 1; ///< in a period; in the last one possibly fewer
  std::vector<LoadPeriod> periods;
};
inline constexpr std::int64_t mostLoadRows = std::int64_t{1} << 46;
inline constexpr std::uint64_t mostRowBytes = std::uint64_t{1} << 46;
/// How many periods a recorded load has at most, and how many parts a period.
inline constexpr std::size_t mostLoadPeriods = 64, mostLoadedParts = 64;

/// Calls at one place that a rank's sequence lacks, because recording had reached its limit on
/// memory.
struct LeftOutCalls {
  int site = noSite;         ///< innermost marked loop: index into Profile::sites
  std::uint64_t address = 0; ///< as Event::address
  std::uint64_t calls = 0;
  std::uint64_t uncounted = 0; ///< calls among these that no event's statistics count
  std::uint64_t bytes = 0;     ///< of the uncounted calls
  bool operator==(const LeftOutCalls &) const = default;
};

struct RankProfile {
  std::vector<Event> events;
  std::vector<EventStatistics> statistics; ///< one for each event; empty for imported traces
  Grammar sequence;                        ///< over indices into `events`
  std::vector<Communicator> communicators; ///< 0 is MPI_COMM_WORLD
  std::vector<std::string> callers;        ///< "module+0x1234", or a source line if known
  std::vector<RecordedRedistribution> redistributions; ///< if this is the communicator's rank 0
  std::vector<RecordedLoad> loads;                     ///< a directive and array each
  std::string host;
  double seconds = 0;     ///< from MPI_Init to MPI_Finalize
  bool truncated = false; ///< recording of the sequence stopped at its limit; statistics went on
  std::vector<LeftOutCalls> leftOut; ///< by place; only if truncated
};

/// One translation unit that was compiled in generate mode.
struct ProfiledUnit {
  std::string file;
  std::string functions; ///< JSON (analysis/program/UnitSummary.h); may be empty
};

struct Profile {
  std::string program;                 ///< name of the executable, for messages
  std::vector<SiteIdentity> sites;     ///< marked loops
  std::vector<SiteIdentity> callSites; ///< marked calls, one for all instantiations
  std::vector<ProfiledUnit> units;
  std::vector<RankProfile> ranks;
};

/// Reads a profile file of this version or the one before. `name` is for messages ("-" reads
/// standard input). Throws FormatError when the file is missing, truncated, damaged or of another
/// version. Linear in the file's size.
Profile readProfile(const std::string &name);

/// The same from memory; `name` is for messages.
Profile decodeProfile(const void *data, std::size_t size, const std::string &name);

/// Writes beside `name` and renames ("-" writes standard output). Throws FormatError if this fails.
void writeProfile(const Profile &profile, const std::string &name);

// The parts, for the runtime: each rank encodes its own section, rank 0 joins them into one file.

/// Tells lists of members apart.
struct MembersDigest {
  std::uint64_t low = 0, high = 0;
  auto operator<=>(const MembersDigest &) const = default;
};

/// A list of members that the file has once for all ranks (MemberLists.h).
struct SharedMembers {
  MembersDigest digest;
  std::string section; ///< what is written
};

/// What one rank brings to a profile.
struct EncodedRank {
  std::string section;
  std::vector<SharedMembers> members; ///< that the section names
};

class MemberWriter; // MemberLists.h

/// One rank's part. Its site indices are the rank's own; `sites` and `callSites` list their
/// meaning. `lists`: one writer for all ranks that a process encodes; null for a single rank.
EncodedRank encodeRankSection(const RankProfile &rank, const std::vector<SiteIdentity> &sites,
                              const std::vector<SiteIdentity> &callSites,
                              const std::vector<ProfiledUnit> &units,
                              MemberWriter *lists = nullptr);

/// The events of a rank, one at a time: all Event objects together take several times the memory of
/// the table that the runtime keeps.
struct EventSource {
  std::size_t count = 0;
  /// Gives `event`, whatever it held, all fields of event `number`.
  std::function<void(std::size_t number, Event &event)> read;
};

/// The same for a single rank whose events are in `events`, in place of `rank.events`.
EncodedRank encodeRankSection(const RankProfile &rank, const EventSource &events,
                              const std::vector<SiteIdentity> &sites,
                              const std::vector<SiteIdentity> &callSites,
                              const std::vector<ProfiledUnit> &units);

/// Collects sections into a profile file, one at a time, so that rank 0 never holds all of them.
class ProfileFileWriter {
public:
  /// Opens a temporary file beside `name`. Throws FormatError.
  ProfileFileWriter(const std::string &name, const std::string &program, int ranks);
  ~ProfileFileWriter(); ///< removes the temporary file unless finish() succeeded
  ProfileFileWriter(const ProfileFileWriter &) = delete;
  ProfileFileWriter &operator=(const ProfileFileWriter &) = delete;
  /// Appends the part of the next rank (from 0). Throws FormatError.
  void add(const EncodedRank &rank);
  /// The same in pieces: the section of the next rank, then the lists that it names. Lists that the
  /// file has are left out.
  void addSection(std::string_view section);
  void addMembers(const MembersDigest &digest, std::string_view section);
  /// Completes the file and renames it. Throws FormatError.
  void finish();

private:
  struct State;
  State *state;
};

} // namespace sendwright

#endif
