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

#include <string_view>

namespace sendwright {

namespace {

constexpr std::uint32_t profileVersion = 6;

// Section tags. The first number of a rank's key is the rank.
enum : std::uint32_t { runTag = 1, rankTag = 2 };

std::string inBrackets(const std::string &instantiation) {
  return instantiation.empty() ? "" : " [" + instantiation + "]";
}

std::string_view lastComponent(std::string_view path) {
  return path.substr(path.rfind('/') + 1); // npos + 1 is 0
}

/// The sites that a rank's events refer to in `field`; the field's values become indices into the
/// result.
std::vector<SiteIdentity> ownSites(RankProfile &rank, int Event::*field,
                                   const std::vector<SiteIdentity> &all) {
  std::vector<SiteIdentity> sites;
  std::vector<int> indices(all.size(), noSite);
  for (Event &event : rank.events) {
    int &site = event.*field;
    if (site == noSite)
      continue;
    int &index = indices[static_cast<std::size_t>(site)];
    if (index == noSite) {
      index = static_cast<int>(sites.size());
      sites.push_back(all[static_cast<std::size_t>(site)]);
    }
    site = index;
  }
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

std::string encodeRankSection(const RankProfile &rank, const std::vector<SiteIdentity> &sites,
                              const std::vector<SiteIdentity> &callSites,
                              const std::vector<ProfiledUnit> &units) {
  return packSection(encodeRankContent(rank, sites, callSites, units));
}

struct ProfileFileWriter::State {
  State(const std::string &name, int ranks)
      : file(name, FileKind::Profile, profileVersion), name(name), ranks(ranks) {}

  ContainerWriter file;
  std::string name;
  int ranks;
  int added = 0;
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

void ProfileFileWriter::add(const std::string &section) {
  state->file.add({rankTag, static_cast<std::uint32_t>(state->added++), 0}, section);
}

void ProfileFileWriter::finish() {
  if (state->added != state->ranks)
    throw FormatError(state->name + ": " + std::to_string(state->added) +
                      " ranks were written, expected " + std::to_string(state->ranks));
  state->file.finish();
}

void writeProfile(const Profile &profile, const std::string &name) {
  ProfileFileWriter writer(name, profile.program, static_cast<int>(profile.ranks.size()));
  for (const RankProfile &rank : profile.ranks) {
    // The first rank brings the complete lists, so that order and unused sites survive.
    if (&rank == profile.ranks.data()) {
      writer.add(encodeRankSection(rank, profile.sites, profile.callSites, profile.units));
      continue;
    }
    RankProfile own = rank;
    const std::vector<SiteIdentity> sites = ownSites(own, &Event::site, profile.sites);
    const std::vector<SiteIdentity> calls = ownSites(own, &Event::call, profile.callSites);
    writer.add(encodeRankSection(own, sites, calls, {}));
  }
  writer.finish();
}

Profile readProfile(const std::string &name) {
  const std::string bytes = readTextFile(name);
  return decodeProfile(bytes.data(), bytes.size(), name == "-" ? "<stdin>" : name);
}

Profile decodeProfile(const void *data, std::size_t size, const std::string &name) {
  const ContainerReader file({static_cast<const char *>(data), size}, FileKind::Profile,
                             profileVersion, name);
  const std::optional<ContainerReader::Section> run = file.find({runTag, 0, 0});
  if (!run)
    file.fail("incomplete (no section about the run)");
  const std::string runContent = file.content(*run);
  ByteReader in(runContent, file.where(*run), file.budget());
  ProfileAssembler assembler;
  assembler.profile.program = in.text();
  const std::size_t ranks = in.number(file.sections().size(), "number of ranks");
  in.expectEnd();
  if (file.sections().size() != ranks + 1)
    file.fail("incomplete (" + std::to_string(file.sections().size() - 1) + " sections for " +
              std::to_string(ranks) + " ranks)");
  Progress progress("ranks", ranks);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    const std::optional<ContainerReader::Section> section = file.find({rankTag, rank, 0});
    if (!section)
      file.fail("incomplete (no section about rank " + std::to_string(rank) + ")");
    const std::string content = file.content(*section);
    assembler.add(ByteReader(content, file.where(*section), file.budget()), ranks);
    progress.advance();
  }
  makeTagsAbsolute(assembler.profile, name, limits::eventsOfRelativeTags);
  checkRelations(assembler.profile, name);
  return std::move(assembler.profile);
}

} // namespace sendwright
