// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file format around profiles and plans: sections that are compressed separately, so that a
// reader unpacks only what it needs. Each section has a checksum.
//
//     header   magic, version, kind, length of the file, place of the table, checksums of both
//     sections one after the other, without gaps: length of the content, content as a zlib stream
//     table    for each section its key, place, size and checksum
//
// The header holds the file's length, so a file that ends early is recognised wherever it was cut.
// Checksums detect accidents, not malice: whoever reads a section must validate its content.

#ifndef SENDWRIGHT_ANALYSIS_FILE_CONTAINER_H
#define SENDWRIGHT_ANALYSIS_FILE_CONTAINER_H

#include "analysis/file/Bytes.h"
#include "analysis/file/OutputFile.h"

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sendwright {

enum class FileKind : std::uint32_t { Profile = 1, Plan = 2 };

/// What the first bytes say about a file, for commands that accept any file. A damaged header of
/// ours may give either kind: reading the file then says what is wrong.
enum class FileGuess { Profile, Plan, Other };
FileGuess guessFileKind(std::string_view bytes);

/// Identifies a section: a tag defined by the kind of file, and up to two numbers (rank count,
/// rank).
struct SectionKey {
  std::uint32_t tag = 0, first = 0, second = 0;
  auto operator<=>(const SectionKey &) const = default;
};

/// Compresses the content of a section as it comes.
class SectionPacker {
public:
  /// Throws std::bad_alloc, as the others do.
  SectionPacker();
  ~SectionPacker();
  SectionPacker(const SectionPacker &) = delete;
  SectionPacker &operator=(const SectionPacker &) = delete;
  void add(std::string_view content);
  /// The section, once; it depends on the content and on how it was divided.
  std::string finish();

private:
  struct State;
  std::unique_ptr<State> state;
};

/// Compresses the content of a section. The result depends on the content alone. Throws
/// std::bad_alloc.
std::string packSection(std::string_view content);

/// The inverse of packSection. Throws FormatError with `where` if `packed` is damaged. Needs memory
/// in proportion to what the stream really holds, at most 1 GiB.
std::string unpackSection(std::string_view packed, const std::string &where);

/// Writes sections to a file as they come; only the table stays in memory.
class ContainerWriter {
public:
  /// Throws FormatError when `name` cannot be written ("-": standard output).
  ContainerWriter(const std::string &name, FileKind kind, std::uint32_t version);
  /// Appends a section made by packSection. Keys must ascend.
  void add(const SectionKey &key, std::string_view packed);
  /// Completes the file and gives it its name.
  void finish();

private:
  OutputFile output;
  FileKind kind;
  std::uint32_t version;
  std::uint64_t length;
  std::string table;
  std::uint64_t sections = 0;
};

/// The versions of a kind of file that a reader accepts.
struct FormatVersions {
  std::uint32_t oldest, newest;
  constexpr FormatVersions(std::uint32_t oldest, std::uint32_t newest)
      : oldest(oldest), newest(newest) {}
  constexpr FormatVersions(std::uint32_t only) : oldest(only), newest(only) {}
};

/// How much of a file a reader looks at.
enum class ContainerReading : std::uint8_t {
  Everything, ///< the whole table, which is checked
  AsNeeded    ///< of the table, what is searched and the entries beside it, which are checked: the
              ///< bytes read hardly depend on the number of sections. sections() is empty
};

/// The sections of a file in memory, which must outlive the reader. The constructor checks header,
/// length and table and throws FormatError; each section is checked when it is read.
class ContainerReader {
public:
  ContainerReader(std::string_view bytes, FileKind kind, FormatVersions versions, std::string name,
                  ContainerReading reading = ContainerReading::Everything);

  struct Section {
    SectionKey key;
    std::uint64_t offset = 0, size = 0, checksum = 0;
    std::uint64_t number = 0; ///< its place in the table, from 1
  };
  /// The file's version.
  std::uint32_t version() const { return foundVersion; }
  /// In ascending order of the key.
  const std::vector<Section> &sections() const { return list; }
  /// Nothing if there is no such section. Logarithmic. Throws FormatError if what it looks at is
  /// damaged.
  std::optional<Section> find(const SectionKey &key) const;
  /// All tags, each once, ascending. For each tag as long as find().
  std::vector<std::uint32_t> tags() const;
  /// The content of `section`. Throws FormatError if the section is damaged, or if all contents
  /// read so far exceed what a file of this size may hold (Limits.h).
  std::string content(const Section &section) const;
  /// How many bytes of the file were looked at so far: header, entries of the table, sections.
  std::uint64_t bytesRead() const { return looked; }
  /// The memory that all decoders of this file's contents share.
  MemoryBudget *budget() const { return &decoded; }
  /// "FILE: damaged in section N": how messages about a section's content begin.
  std::string where(const Section &section) const;
  /// Throws FormatError: "FILE: PROBLEM, expected an intact plan".
  [[noreturn]] void fail(const std::string &problem) const;

private:
  void readHeader(FormatVersions versions);
  void readTable();
  Section entry(std::uint64_t place) const;
  Section checkedEntry(std::uint64_t place) const;
  std::uint64_t firstNotBefore(const SectionKey &key) const;
  [[noreturn]] void failInTable(std::uint64_t place) const;

  std::string_view bytes;
  FileKind kind;
  std::string name;
  std::uint32_t foundVersion = 0;
  std::uint64_t tableOffset = 0, sectionCount = 0, tableChecksum = 0;
  std::vector<Section> list;
  mutable std::uint64_t looked = 0;
  mutable MemoryBudget unpacked, decoded;
};

/// A number that tells a file in memory from others with another content: of its header, whose
/// checksums cover all sections. Equal for equal files; other numbers for another `seed`. Constant
/// time.
std::uint64_t containerDigest(std::string_view bytes, std::uint64_t seed = 0) noexcept;
/// The bytes that this number stands for: the whole header, or the whole file if it is shorter.
std::string_view containerHeader(std::string_view bytes) noexcept;

/// Whether the table of a file in memory lists the section. This says only what the bytes say, even
/// if they are damaged. Needs no memory, so that all ranks that ask about the same bytes get the
/// same answer. Logarithmic in the number of sections.
bool listsSection(std::string_view bytes, const SectionKey &key) noexcept;
/// The same for any section with this tag.
bool listsTag(std::string_view bytes, std::uint32_t tag) noexcept;

} // namespace sendwright

#endif
