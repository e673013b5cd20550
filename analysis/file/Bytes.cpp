// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/file/Bytes.h"

#include "analysis/file/FormatError.h"

#include <cmath>
#include <cstring>

namespace sendwright {

void ByteWriter::number(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    byte(static_cast<std::uint8_t>(value | 0x80));
  byte(static_cast<std::uint8_t>(value));
  if (bytes.size() >= mostHeld && sink)
    pass();
}

void ByteWriter::pass() {
  sink(bytes);
  bytes.clear();
}

void ByteWriter::signedNumber(std::int64_t value) {
  auto bits = static_cast<std::uint64_t>(value);
  number((bits << 1) ^ (value < 0 ? ~std::uint64_t{0} : 0));
}

void ByteWriter::real(double value) {
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  fixed64(bits);
}

void ByteWriter::fixed32(std::uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8)
    byte(static_cast<std::uint8_t>(value >> shift));
}

void ByteWriter::fixed64(std::uint64_t value) {
  for (int shift = 0; shift < 64; shift += 8)
    byte(static_cast<std::uint8_t>(value >> shift));
}

void ByteWriter::text(std::string_view value) {
  number(value.size());
  bytes.append(value);
}

void MemoryBudget::take(std::uint64_t bytes) {
  if (bytes > all - taken)
    throw FormatError(name + ": what it holds needs more than " + std::to_string(all >> 20) +
                      " MiB of memory, expected at most " + std::to_string(all >> 20) +
                      " MiB for a file of its size");
  taken += bytes;
}

void ByteReader::fail(const std::string &problem) const {
  throw FormatError(where + ": " + problem);
}

std::string_view ByteReader::take(std::size_t size) {
  if (size > rest.size())
    fail(std::to_string(rest.size()) + " bytes are left, expected " + std::to_string(size));
  std::string_view taken = rest.substr(0, size);
  rest.remove_prefix(size);
  return taken;
}

std::uint8_t ByteReader::byte() { return static_cast<std::uint8_t>(take(1)[0]); }

std::uint64_t ByteReader::number() {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    std::uint64_t group = byte();
    if (shift == 63 && group > 1)
      break;
    value |= (group & 0x7f) << shift;
    if (group < 0x80)
      return value;
  }
  fail("a number has more than 64 bits, expected at most 64");
}

std::uint64_t ByteReader::number(std::uint64_t largest, const char *what) {
  std::uint64_t value = number();
  if (value > largest)
    fail(std::string(what) + " " + std::to_string(value) + ", expected at most " +
         std::to_string(largest));
  return value;
}

std::int64_t ByteReader::signedNumber(std::int64_t least, std::int64_t largest, const char *what) {
  std::uint64_t folded = number();
  auto value = static_cast<std::int64_t>((folded >> 1) ^ (folded & 1 ? ~std::uint64_t{0} : 0));
  if (value < least || value > largest)
    fail(std::string(what) + " " + std::to_string(value) + ", expected " + std::to_string(least) +
         " to " + std::to_string(largest));
  return value;
}

double ByteReader::real() {
  std::uint64_t bits = fixed64();
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

double ByteReader::finite(const char *what) {
  double value = real();
  if (!std::isfinite(value))
    fail(std::string(what) + " is not finite, expected a number");
  return value;
}

std::uint32_t ByteReader::fixed32() {
  std::uint32_t value = 0;
  std::string_view bytes = take(4);
  for (std::size_t i = 0; i < 4; ++i)
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  return value;
}

std::uint64_t ByteReader::fixed64() {
  std::uint64_t low = fixed32();
  return low | static_cast<std::uint64_t>(fixed32()) << 32;
}

std::string ByteReader::text() {
  std::size_t size = count();
  return std::string(take(size));
}

std::size_t ByteReader::count(std::size_t leastBytes, std::size_t memoryBytes) {
  std::uint64_t value = number();
  if (value > rest.size() / leastBytes)
    fail("a list of " + std::to_string(value) + ", expected at most " +
         std::to_string(rest.size() / leastBytes) + " in the bytes that are left");
  if (budget) // no overflow: there are at most as many elements as bytes
    budget->take(value * memoryBytes);
  return static_cast<std::size_t>(value);
}

void ByteReader::expectEnd() const {
  if (!rest.empty())
    fail(std::to_string(rest.size()) + " bytes too many, expected the end");
}

} // namespace sendwright
