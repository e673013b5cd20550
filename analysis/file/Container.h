// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file around profiles and plans: sections that are compressed one by one, so that a reader
// takes out only what it needs, each under a checksum.
//
//     header   magic, version, kind, length of the file, place of the table, checksums of both
//     sections one after the other, without gaps: length of the content, content as a zlib stream
//     table    per section its key, place, size and checksum
//
// The header tells the length, so that a file which ends early is recognised at any byte. Checksums
// find accidents, not malice: what a section holds must be validated by whoever reads it.

#ifndef SENDWRIGHT_ANALYSIS_FILE_CONTAINER_H
#define SENDWRIGHT_ANALYSIS_FILE_CONTAINER_H

#include "analysis/file/Bytes.h"
#include "analysis/file/OutputFile.h"

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sendwright {

enum class FileKind : std::uint32_t { Profile = 1, Plan = 2 };

/// What the first bytes say of a file, for commands that take any. Where they are those of a
/// damaged file of ours, either kind: reading it tells what is wrong.
enum class FileGuess { Profile, Plan, Other };
FileGuess guessFileKind(std::string_view bytes);

/// Which section: a tag that the kind of file defines, and up to two numbers (rank count, rank).
struct SectionKey {
  std::uint32_t tag = 0, first = 0, second = 0;
  auto operator<=>(const SectionKey &) const = default;
};

/// Compresses the content of a section. The result depends on the content alone.
std::string packSection(std::string_view content);

/// The inverse. Throws FormatError with `where` when `packed` is damaged; needs memory in
/// proportion to what the stream really holds, at most 1 GiB.
std::string unpackSection(std::string_view packed, const std::string &where);

/// Writes sections to a file as they come; only the table stays in memory.
class ContainerWriter {
public:
  /// Throws FormatError when `name` cannot be written ("-": standard output).
  ContainerWriter(const std::string &name, FileKind kind, std::uint32_t version);
  /// Appends a section made by packSection. Keys must ascend.
  void add(const SectionKey &key, std::string_view packed);
  /// Completes the file under its name.
  void finish();

private:
  OutputFile output;
  FileKind kind;
  std::uint32_t version;
  std::uint64_t length;
  std::string table;
  std::uint64_t sections = 0;
};

/// The sections of a file in memory, which must outlive this. The constructor checks header, length
/// and table and throws FormatError; a section is checked when it is read.
class ContainerReader {
public:
  ContainerReader(std::string_view bytes, FileKind kind, std::uint32_t version, std::string name);

  struct Section {
    SectionKey key;
    std::uint64_t offset = 0, size = 0, checksum = 0;
  };
  /// In ascending order of the key.
  const std::vector<Section> &sections() const { return list; }
  /// Null where there is none. Logarithmic.
  const Section *find(const SectionKey &key) const;
  /// The content of `section`. Throws FormatError where it is damaged, or all that was asked for
  /// is more than a file of this size may hold (Limits.h).
  std::string content(const Section &section) const;
  /// For readers of contents: it pays for what all of them read.
  MemoryBudget *budget() const { return &decoded; }
  /// "FILE: damaged in section N", the start of messages on what a section holds.
  std::string where(const Section &section) const;
  /// Throws FormatError: "FILE: PROBLEM, expected an intact plan".
  [[noreturn]] void fail(const std::string &problem) const;

private:
  void readHeader(std::uint32_t version);
  void readTable();

  std::string_view bytes;
  FileKind kind;
  std::string name;
  std::uint64_t tableOffset = 0, sectionCount = 0;
  std::vector<Section> list;
  mutable MemoryBudget unpacked, decoded;
};

/// Whether the table of a file in memory lists the section: what the bytes say, damaged or not.
/// Needs no memory, so it cannot fail for one of those who ask it of the same bytes. Linear in the
/// sections.
bool listsSection(std::string_view bytes, const SectionKey &key) noexcept;

} // namespace sendwright

#endif
