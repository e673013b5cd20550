// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Profile files: one section for the run, then one for each rank.

#include "analysis/trace/Profile.h"

#include "analysis/file/Container.h"
#include "analysis/file/Escaping.h"
#include "analysis/file/FormatError.h"
#include "analysis/file/Limits.h"
#include "analysis/file/MatrixFile.h"
#include "analysis/file/Progress.h"
#include "analysis/trace/ProfileCodec.h"
#include "analysis/trace/ProfileRelations.h"
#include "analysis/trace/RelativeTags.h"

#include <set>
#include <string_view>

namespace sendwright {

namespace {

constexpr std::uint32_t profileVersion = 7;
constexpr FormatVersions readVersions{versionWithAllMembers, profileVersion};

// Section tags. The first number of a rank's key is the rank; the second is 0, or numbers the lists
// of members that the rank is the first to name.
enum : std::uint32_t { runTag = 1, rankTag = 2 };

std::string inBrackets(const std::string &instantiation) {
  return instantiation.empty() ? "" : " [" + instantiation + "]";
}

std::string_view lastComponent(std::string_view path) {
  return path.substr(path.rfind('/') + 1); // npos + 1 is 0
}

/// The sites that a rank's events refer to in `field` (for marked loops also what was left out);
/// the field's values become indices into the result.
std::vector<SiteIdentity> ownSites(RankProfile &rank, int Event::*field,
                                   const std::vector<SiteIdentity> &all) {
  std::vector<SiteIdentity> sites;
  std::vector<int> indices(all.size(), noSite);
  const auto replace = [&](int &site) {
    if (site == noSite)
      return;
    int &index = indices[static_cast<std::size_t>(site)];
    if (index == noSite) {
      index = static_cast<int>(sites.size());
      sites.push_back(all[static_cast<std::size_t>(site)]);
    }
    site = index;
  };
  for (Event &event : rank.events)
    replace(event.*field);
  if (field == &Event::site)
    for (LeftOutCalls &calls : rank.leftOut)
      replace(calls.site);
  return sites;
}

} // namespace

bool SiteIdentity::sameAs(const SiteIdentity &other) const {
  return sameLoopAs(other) && instantiation == other.instantiation;
}

bool SiteIdentity::sameLoopAs(const SiteIdentity &other) const {
  if (function.empty() && hash == 0) // from a text trace: nothing else distinguishes its sites
    return other.function.empty() && other.hash == 0 && line == other.line && file == other.file &&
           ordinal == other.ordinal;
  return hash == other.hash && ordinal == other.ordinal && function == other.function &&
         lastComponent(file) == lastComponent(other.file);
}

std::string SiteIdentity::display() const {
  return printable(file) + ":" + std::to_string(line) + inBrackets(printable(instantiation));
}

std::string SiteIdentity::displayFunction() const {
  return printable(function) + inBrackets(printable(instantiation));
}

namespace {

EncodedRank packRank(const RankProfile &rank, const EventSource &events,
                     const std::vector<SiteIdentity> &sites,
                     const std::vector<SiteIdentity> &callSites,
                     const std::vector<ProfiledUnit> &units, MemberWriter &lists) {
  SectionPacker packer;
  ByteWriter out([&packer](std::string_view bytes) { packer.add(bytes); });
  EncodedRank encoded;
  encoded.members = encodeRankContent(out, rank, events, sites, callSites, units, lists);
  packer.add(out.take());
  encoded.section = packer.finish();
  for (SharedMembers &list : encoded.members)
    list.section = packSection(list.section);
  return encoded;
}

} // namespace

EncodedRank encodeRankSection(const RankProfile &rank, const std::vector<SiteIdentity> &sites,
                              const std::vector<SiteIdentity> &callSites,
                              const std::vector<ProfiledUnit> &units, MemberWriter *lists) {
  MemberWriter own;
  return packRank(rank, eventsOf(rank), sites, callSites, units, lists ? *lists : own);
}

EncodedRank encodeRankSection(const RankProfile &rank, const EventSource &events,
                              const std::vector<SiteIdentity> &sites,
                              const std::vector<SiteIdentity> &callSites,
                              const std::vector<ProfiledUnit> &units) {
  MemberWriter own;
  return packRank(rank, events, sites, callSites, units, own);
}

struct ProfileFileWriter::State {
  State(const std::string &name, int ranks)
      : file(name, FileKind::Profile, profileVersion), name(name), ranks(ranks) {}

  ContainerWriter file;
  std::string name;
  int ranks;
  int added = 0;
  std::uint32_t lists = 0; // of the rank that was added last
  std::set<MembersDigest> written;
};

ProfileFileWriter::ProfileFileWriter(const std::string &name, const std::string &program, int ranks)
    : state(new State(name, ranks)) {
  try {
    ByteWriter run;
    run.text(program);
    run.number(static_cast<std::uint64_t>(ranks));
    state->file.add({runTag, 0, 0}, packSection(run.take()));
  } catch (...) {
    delete state;
    throw;
  }
}

ProfileFileWriter::~ProfileFileWriter() { delete state; }

void ProfileFileWriter::addSection(std::string_view section) {
  state->file.add({rankTag, static_cast<std::uint32_t>(state->added++), 0}, section);
  state->lists = 0;
}

void ProfileFileWriter::addMembers(const MembersDigest &digest, std::string_view section) {
  if (state->written.insert(digest).second)
    state->file.add({rankTag, static_cast<std::uint32_t>(state->added - 1), ++state->lists},
                    section);
}

void ProfileFileWriter::add(const EncodedRank &rank) {
  addSection(rank.section);
  for (const SharedMembers &list : rank.members)
    addMembers(list.digest, list.section);
}

void ProfileFileWriter::finish() {
  if (state->added != state->ranks)
    throw FormatError(state->name + ": " + std::to_string(state->added) +
                      " ranks were written, expected " + std::to_string(state->ranks));
  state->file.finish();
}

void writeProfile(const Profile &profile, const std::string &name) {
  ProfileFileWriter writer(name, profile.program, static_cast<int>(profile.ranks.size()));
  MemberWriter lists;
  for (const RankProfile &rank : profile.ranks) {
    // The first rank brings the complete lists, so that order and unused sites survive.
    if (&rank == profile.ranks.data()) {
      writer.add(encodeRankSection(rank, profile.sites, profile.callSites, profile.units, &lists));
      continue;
    }
    RankProfile own = rank;
    const std::vector<SiteIdentity> sites = ownSites(own, &Event::site, profile.sites);
    const std::vector<SiteIdentity> calls = ownSites(own, &Event::call, profile.callSites);
    writer.add(encodeRankSection(own, sites, calls, {}, &lists));
  }
  writer.finish();
}

Profile readProfile(const std::string &name) {
  const std::string bytes = readTextFile(name);
  return decodeProfile(bytes.data(), bytes.size(), name == "-" ? "<stdin>" : name);
}

namespace {

using Sections = std::vector<ContainerReader::Section>;

/// Reads the sections of one rank, which begin at `next`: the lists of members that it is the first
/// to name, then its own. Moves `next` behind them.
void readRank(const ContainerReader &file, std::uint32_t rank, std::size_t ranks,
              Sections::const_iterator &next, ProfileAssembler &assembler) {
  const auto end = file.sections().end();
  if (next == end || next->key != SectionKey{rankTag, rank, 0})
    file.fail("incomplete (no section about rank " + std::to_string(rank) + ")");
  const ContainerReader::Section own = *next;
  for (++next; next != end && next->key.tag == rankTag && next->key.first == rank; ++next) {
    const std::string list = file.content(*next);
    assembler.addMembers(ByteReader(list, file.where(*next), file.budget()), list, ranks);
  }
  const std::string content = file.content(own);
  assembler.add(ByteReader(content, file.where(own), file.budget()), ranks, file.version());
}

} // namespace

Profile decodeProfile(const void *data, std::size_t size, const std::string &name) {
  const ContainerReader file({static_cast<const char *>(data), size}, FileKind::Profile,
                             readVersions, name);
  const Sections &sections = file.sections();
  if (sections.empty() || sections.front().key != SectionKey{runTag, 0, 0})
    file.fail("incomplete (no section about the run)");
  const std::string runContent = file.content(sections.front());
  ByteReader in(runContent, file.where(sections.front()), file.budget());
  ProfileAssembler assembler;
  assembler.profile.program = in.text();
  const std::size_t ranks = in.number(sections.size(), "number of ranks");
  in.expectEnd();
  if (sections.size() < ranks + 1)
    file.fail("incomplete (" + std::to_string(sections.size() - 1) + " sections for " +
              std::to_string(ranks) + " ranks)");
  assembler.profile.ranks.reserve(ranks);
  Progress progress("ranks", ranks);
  auto next = sections.begin() + 1;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    readRank(file, rank, ranks, next, assembler);
    progress.advance();
  }
  if (next != sections.end())
    file.fail("damaged (a section of none of its " + std::to_string(ranks) + " ranks)");
  makeTagsAbsolute(assembler.profile, name, limits::eventsOfRelativeTags);
  checkRelations(assembler.profile, name);
  return std::move(assembler.profile);
}

} // namespace sendwright
