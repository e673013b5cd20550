// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers and text as bytes, and back. What is read comes from outside: the reader never looks
// behind the end, and a list can be no longer than the bytes that are left could hold, so that a
// damaged length costs neither memory nor time.

#ifndef SENDWRIGHT_ANALYSIS_FILE_BYTES_H
#define SENDWRIGHT_ANALYSIS_FILE_BYTES_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sendwright {

/// Appends to a string of bytes. Numbers are little-endian in groups of seven bits, signed ones
/// folded so that small magnitudes are short.
class ByteWriter {
public:
  void byte(std::uint8_t value) { bytes.push_back(static_cast<char>(value)); }
  void number(std::uint64_t value);
  void signedNumber(std::int64_t value);
  /// The eight bytes of an IEEE double, least significant first.
  void real(double value);
  void fixed32(std::uint32_t value);
  void fixed64(std::uint64_t value);
  /// Length, then bytes.
  void text(std::string_view value);
  std::string take() { return std::move(bytes); }

private:
  std::string bytes;
};

/// Reads what ByteWriter wrote. Each function throws FormatError where the bytes end early or hold
/// what the writer never writes; `where` names file and part in the message. The bytes must outlive
/// the reader.
class ByteReader {
public:
  ByteReader(std::string_view bytes, std::string where) : rest(bytes), where(std::move(where)) {}

  std::uint8_t byte();
  std::uint64_t number();
  /// A number of at most `largest`.
  std::uint64_t number(std::uint64_t largest, const char *what);
  /// A number from `least` to `largest`.
  std::int64_t signedNumber(std::int64_t least, std::int64_t largest, const char *what);
  double real();
  /// A real that is neither infinite nor NaN.
  double finite(const char *what);
  bool flag() { return number(1, "flag") != 0; }
  std::uint32_t fixed32();
  std::uint64_t fixed64();
  std::string text();
  /// The length of a list of which each element takes at least `leastBytes` bytes.
  std::size_t count(std::size_t leastBytes = 1);
  std::size_t remaining() const { return rest.size(); }
  /// All bytes have been read.
  void expectEnd() const;
  [[noreturn]] void fail(const std::string &problem) const;

private:
  std::string_view take(std::size_t size);

  std::string_view rest;
  std::string where;
};

} // namespace sendwright

#endif
