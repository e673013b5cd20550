// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/file/Container.h"

#include "analysis/file/Bytes.h"
#include "analysis/file/FormatError.h"
#include "analysis/file/Hashing.h"
#include "analysis/file/Limits.h"

#include <algorithm>
#include <array>
#include <climits>
#include <new>
#include <utility>
#include <zlib.h>

namespace sendwright {

namespace {

// As in PNG: a byte outside ASCII, then line ends that a transfer in text mode would change.
constexpr std::string_view magic = "\x89SWT\r\n\x1a\n";
constexpr std::size_t headerSize = 56, tableEntrySize = 40;
constexpr std::uint64_t largestSection = std::uint64_t{1} << 30;
constexpr std::uint64_t largestRatio = 1032; // of the deflate format

std::uint64_t checksum(std::string_view bytes) { return XXH64(bytes.data(), bytes.size(), 0); }

const char *kindName(FileKind kind) { return kind == FileKind::Profile ? "profile" : "plan"; }

std::string encodeHeader(FileKind kind, std::uint32_t version, std::uint64_t length,
                         std::uint64_t sections, std::string_view table) {
  ByteWriter fields;
  fields.fixed32(version);
  fields.fixed32(static_cast<std::uint32_t>(kind));
  fields.fixed64(length);
  fields.fixed64(length - table.size());
  fields.fixed64(sections);
  fields.fixed64(checksum(table));
  std::string header = std::string(magic) + fields.take();
  ByteWriter end;
  end.fixed64(checksum(header));
  return header + end.take();
}

} // namespace

FileGuess guessFileKind(std::string_view bytes) {
  if (bytes.empty() || bytes[0] != magic[0])
    return FileGuess::Other;
  constexpr std::size_t kindAt = magic.size() + 4;
  if (!bytes.starts_with(magic) || bytes.size() < kindAt + 4)
    return FileGuess::Profile;
  ByteReader reader(bytes.substr(kindAt, 4), "");
  return reader.fixed32() == static_cast<std::uint32_t>(FileKind::Plan) ? FileGuess::Plan
                                                                        : FileGuess::Profile;
}

struct SectionPacker::State {
  State() {
    constexpr int level = 6;
    if (deflateInit(&stream, level) != Z_OK)
      throw std::bad_alloc();
  }
  ~State() { deflateEnd(&stream); }
  State(const State &) = delete;
  State &operator=(const State &) = delete;

  /// Compresses what is in `stream`, all of it if `flush` is Z_FINISH.
  void run(int flush) {
    std::array<Bytef, 16384> room;
    do {
      stream.next_out = room.data();
      stream.avail_out = static_cast<uInt>(room.size());
      deflate(&stream, flush);
      packed.append(reinterpret_cast<const char *>(room.data()), room.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  }

  z_stream stream{};
  std::string packed = std::string(sizeof(std::uint64_t), '\0'); // of the size, known at the end
  std::uint64_t size = 0;
};

SectionPacker::SectionPacker() : state(std::make_unique<State>()) {}

SectionPacker::~SectionPacker() = default;

void SectionPacker::add(std::string_view content) {
  state->size += content.size();
  while (!content.empty()) {
    const std::string_view part = content.substr(0, UINT_MAX);
    state->stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(part.data()));
    state->stream.avail_in = static_cast<uInt>(part.size());
    state->run(Z_NO_FLUSH);
    content.remove_prefix(part.size());
  }
}

std::string SectionPacker::finish() {
  state->run(Z_FINISH);
  ByteWriter size;
  size.fixed64(state->size);
  const std::string start = size.take();
  std::copy(start.begin(), start.end(), state->packed.begin());
  return std::move(state->packed);
}

std::string packSection(std::string_view content) {
  SectionPacker packer;
  packer.add(content);
  return packer.finish();
}

std::string unpackSection(std::string_view packed, const std::string &where) {
  ByteReader reader(packed, where);
  const std::uint64_t size = reader.fixed64();
  if (size > largestSection || size > packed.size() * largestRatio)
    reader.fail("(claims " + std::to_string(size) + " bytes), expected what its " +
                std::to_string(packed.size()) + " bytes can hold");
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK)
    throw std::bad_alloc();
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(packed.data() + 8));
  stream.avail_in = static_cast<uInt>(packed.size() - 8);
  std::string content;
  int status = Z_OK;
  // Grows with what the stream holds, not with the size that it claims. One byte more than claimed
  // is offered, so that a stream that holds more is noticed.
  while (status == Z_OK && content.size() <= size) {
    const std::size_t done = content.size();
    content.resize(std::min<std::size_t>(size + 1, std::max<std::size_t>(4096, 2 * done)));
    if (content.size() == done)
      break;
    stream.next_out = reinterpret_cast<Bytef *>(content.data() + done);
    stream.avail_out = static_cast<uInt>(content.size() - done);
    status = inflate(&stream, Z_NO_FLUSH);
    content.resize(content.size() - stream.avail_out);
  }
  const bool whole = status == Z_STREAM_END && stream.avail_in == 0 && content.size() == size;
  inflateEnd(&stream);
  if (!whole)
    reader.fail("(compressed data), expected " + std::to_string(size) + " bytes of content");
  return content;
}

ContainerWriter::ContainerWriter(const std::string &name, FileKind kind, std::uint32_t version)
    : output(name), kind(kind), version(version), length(headerSize) {
  output.write(std::string(headerSize, '\0'));
}

void ContainerWriter::add(const SectionKey &key, std::string_view packed) {
  ByteWriter entry;
  entry.fixed32(key.tag);
  entry.fixed32(key.first);
  entry.fixed32(key.second);
  entry.fixed32(0);
  entry.fixed64(length);
  entry.fixed64(packed.size());
  entry.fixed64(checksum(packed));
  table += entry.take();
  output.write(packed);
  length += packed.size();
  ++sections;
}

void ContainerWriter::finish() {
  output.write(table);
  output.rewriteStart(encodeHeader(kind, version, length + table.size(), sections, table));
  output.commit();
}

ContainerReader::ContainerReader(std::string_view bytes, FileKind kind, FormatVersions versions,
                                 std::string name, ContainerReading reading)
    : bytes(bytes), kind(kind), name(std::move(name)),
      unpacked(this->name, limits::unpacked.of(bytes.size())),
      decoded(this->name, limits::decoded.of(bytes.size())) {
  readHeader(versions);
  if (reading == ContainerReading::Everything)
    readTable();
}

void ContainerReader::fail(const std::string &problem) const {
  throw FormatError(name + ": " + problem + ", expected an intact " + kindName(kind));
}

void ContainerReader::readHeader(FormatVersions versions) {
  if (bytes.empty())
    throw FormatError(name + ": is empty, expected a " + kindName(kind));
  if (bytes.substr(0, magic.size()) != magic.substr(0, bytes.size()))
    throw FormatError(name + ": not a Sendwright " + kindName(kind) +
                      ", expected a file that Sendwright wrote");
  if (bytes.size() < headerSize)
    throw FormatError(name + ": ends after " + std::to_string(bytes.size()) +
                      " bytes, expected at least " + std::to_string(headerSize));
  ByteReader reader(bytes.substr(magic.size(), headerSize - magic.size()), name);
  foundVersion = reader.fixed32();
  std::uint32_t foundKind = reader.fixed32();
  for (FileKind other : {FileKind::Profile, FileKind::Plan})
    if (foundKind == static_cast<std::uint32_t>(other) && other != kind)
      throw FormatError(name + ": is a " + kindName(other) + ", expected a " + kindName(kind));
  if (foundVersion < versions.oldest || foundVersion > versions.newest) {
    std::string readable = std::to_string(versions.newest);
    if (versions.oldest < versions.newest)
      readable = std::to_string(versions.oldest) + " to " + readable;
    throw FormatError(name + ": version " + std::to_string(foundVersion) + ", expected version " +
                      readable + " as this build reads");
  }
  std::uint64_t length = reader.fixed64();
  tableOffset = reader.fixed64();
  sectionCount = reader.fixed64();
  tableChecksum = reader.fixed64();
  if (reader.fixed64() != checksum(bytes.substr(0, headerSize - 8)) ||
      foundKind != static_cast<std::uint32_t>(kind))
    fail("damaged in its header (checksum differs)");
  if (length != bytes.size())
    throw FormatError(name + ": " + (bytes.size() < length ? "ends after " : "has ") +
                      std::to_string(bytes.size()) + " bytes, expected " + std::to_string(length));
  if (tableOffset < headerSize || tableOffset > length ||
      sectionCount != (length - tableOffset) / tableEntrySize ||
      (length - tableOffset) % tableEntrySize != 0)
    fail("damaged in its header (place of the table)");
  looked = headerSize;
}

void ContainerReader::failInTable(std::uint64_t place) const {
  fail("damaged in its table of sections (entry " + std::to_string(place + 1) + ")");
}

ContainerReader::Section ContainerReader::entry(std::uint64_t place) const {
  looked += tableEntrySize;
  ByteReader reader(bytes.substr(tableOffset + place * tableEntrySize, tableEntrySize), name);
  Section section;
  section.key.tag = reader.fixed32();
  section.key.first = reader.fixed32();
  section.key.second = reader.fixed32();
  const std::uint32_t reserved = reader.fixed32();
  section.offset = reader.fixed64();
  section.size = reader.fixed64();
  section.checksum = reader.fixed64();
  section.number = place + 1;
  if (reserved != 0 || section.offset < headerSize || section.offset > tableOffset ||
      section.size > tableOffset - section.offset)
    failInTable(place);
  return section;
}

void ContainerReader::readTable() {
  if (checksum(bytes.substr(tableOffset)) != tableChecksum)
    fail("damaged in its table of sections (checksum differs)");
  std::uint64_t expectedOffset = headerSize;
  for (std::uint64_t place = 0; place < sectionCount; ++place) {
    const Section section = entry(place);
    if (section.offset != expectedOffset || (!list.empty() && section.key <= list.back().key))
      failInTable(place);
    expectedOffset += section.size;
    list.push_back(section);
  }
  if (expectedOffset != tableOffset)
    fail("damaged in its table of sections (bytes that belong to no section)");
}

/// An entry that fits to the next one: a wrong key, place or size is noticed although the checksum
/// of the table was not compared.
ContainerReader::Section ContainerReader::checkedEntry(std::uint64_t place) const {
  const Section section = entry(place);
  const bool isLast = place + 1 == sectionCount;
  const Section next = isLast ? section : entry(place + 1);
  if (section.offset + section.size != (isLast ? tableOffset : next.offset) ||
      (!isLast && next.key <= section.key))
    failInTable(place);
  return section;
}

/// The place of the first entry whose key is not less.
std::uint64_t ContainerReader::firstNotBefore(const SectionKey &key) const {
  std::uint64_t first = 0, count = sectionCount;
  while (count > 0) {
    const std::uint64_t half = count / 2;
    if (entry(first + half).key < key) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return first;
}

std::optional<ContainerReader::Section> ContainerReader::find(const SectionKey &key) const {
  const std::uint64_t place = firstNotBefore(key);
  if (place > 0)
    checkedEntry(place - 1); // that the section is not there is as sure as that it is
  if (place == sectionCount)
    return std::nullopt;
  const Section section = checkedEntry(place);
  return section.key == key ? std::optional(section) : std::nullopt;
}

std::vector<std::uint32_t> ContainerReader::tags() const {
  std::vector<std::uint32_t> result;
  for (std::uint64_t place = 0; place < sectionCount;) {
    const std::uint32_t tag = checkedEntry(place).key.tag;
    if (!result.empty() && tag <= result.back())
      failInTable(place);
    result.push_back(tag);
    if (tag == UINT32_MAX)
      break;
    place = firstNotBefore({tag + 1, 0, 0});
  }
  return result;
}

std::string ContainerReader::where(const Section &section) const {
  return name + ": damaged in section " + std::to_string(section.number);
}

std::string ContainerReader::content(const Section &section) const {
  std::string_view packed = bytes.substr(section.offset, section.size);
  looked += packed.size();
  if (checksum(packed) != section.checksum)
    throw FormatError(where(section) + " (checksum differs), expected an intact " + kindName(kind));
  if (packed.size() >= 8) // the size that it claims; unpackSection fails if there is more
    unpacked.take(ByteReader(packed.substr(0, 8), name).fixed64());
  return unpackSection(packed, where(section));
}

std::string_view containerHeader(std::string_view bytes) noexcept {
  return bytes.substr(0, std::min(bytes.size(), headerSize));
}

std::uint64_t containerDigest(std::string_view bytes, std::uint64_t seed) noexcept {
  const std::string_view header = containerHeader(bytes);
  return XXH64(header.data(), header.size(), seed);
}

namespace {

/// The key of the first entry whose key is not less, in the table of a file in memory, damaged or
/// not. False if there is none.
bool findListed(std::string_view bytes, const SectionKey &key, SectionKey &found) noexcept {
  const auto number = [&](std::size_t at, std::size_t width) {
    std::uint64_t value = 0;
    for (std::size_t byte = width; byte-- > 0;)
      value = value << 8 | static_cast<unsigned char>(bytes[at + byte]);
    return value;
  };
  constexpr std::size_t tableAt = magic.size() + 16; // after version, kind and length
  if (bytes.size() < headerSize)
    return false;
  const std::uint64_t table = number(tableAt, 8);
  if (table >= bytes.size())
    return false;
  const auto keyAt = [&](std::uint64_t place) {
    const std::size_t at = table + place * tableEntrySize;
    return SectionKey{static_cast<std::uint32_t>(number(at, 4)),
                      static_cast<std::uint32_t>(number(at + 4, 4)),
                      static_cast<std::uint32_t>(number(at + 8, 4))};
  };
  const std::uint64_t sections = (bytes.size() - table) / tableEntrySize;
  std::uint64_t first = 0, count = sections;
  while (count > 0) {
    const std::uint64_t half = count / 2;
    if (keyAt(first + half) < key) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  if (first == sections)
    return false;
  found = keyAt(first);
  return true;
}

} // namespace

bool listsSection(std::string_view bytes, const SectionKey &key) noexcept {
  SectionKey found;
  return findListed(bytes, key, found) && found == key;
}

bool listsTag(std::string_view bytes, std::uint32_t wanted) noexcept {
  SectionKey found;
  return findListed(bytes, {wanted, 0, 0}, found) && found.tag == wanted;
}

} // namespace sendwright
