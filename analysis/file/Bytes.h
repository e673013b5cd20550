// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers and text as bytes, and back. The bytes come from outside, so the reader never looks past
// the end, and it accepts no list longer than the remaining bytes could hold: a damaged length
// costs neither memory nor time.

#ifndef SENDWRIGHT_ANALYSIS_FILE_BYTES_H
#define SENDWRIGHT_ANALYSIS_FILE_BYTES_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace sendwright {

/// Appends to a string of bytes. Numbers are little-endian in groups of seven bits, signed ones
/// folded so that small magnitudes are short.
class ByteWriter {
public:
  /// Takes bytes in the order in which they were written.
  using Sink = std::function<void(std::string_view)>;

  ByteWriter() = default;
  /// Gives its bytes to `sink` now and then, so that it never holds many.
  explicit ByteWriter(Sink sink) : sink(std::move(sink)) {}
  void byte(std::uint8_t value) { bytes.push_back(static_cast<char>(value)); }
  void number(std::uint64_t value);
  void signedNumber(std::int64_t value);
  /// The eight bytes of an IEEE double, least significant first.
  void real(double value);
  void fixed32(std::uint32_t value);
  void fixed64(std::uint64_t value);
  /// Length, then bytes.
  void text(std::string_view value);
  /// What the sink has not got.
  std::string take() { return std::move(bytes); }
  /// The same, which stays here.
  std::string_view view() const { return bytes; }

private:
  static constexpr std::size_t mostHeld = std::size_t(1) << 16; ///< where there is a sink
  void pass();

  std::string bytes;
  Sink sink;
};

/// Memory for what is read from one file. A few compressed bytes can stand for any number of
/// elements, so every list asks here before it grows.
class MemoryBudget {
public:
  /// `name`: the file's name, for messages.
  MemoryBudget(std::string name, std::uint64_t bytes) : name(std::move(name)), all(bytes) {}
  /// Throws FormatError if fewer than `bytes` are left.
  void take(std::uint64_t bytes);

private:
  std::string name;
  std::uint64_t all, taken = 0;
};

/// Reads what ByteWriter wrote. Every function throws FormatError if the bytes end early or hold
/// something that the writer never writes; `where` names the file and its part in the message. The
/// bytes must outlive the reader.
class ByteReader {
public:
  /// `budget` pays for the lists and must outlive the reader. Null: their memory is not counted.
  ByteReader(std::string_view bytes, std::string where, MemoryBudget *budget = nullptr)
      : rest(bytes), where(std::move(where)), budget(budget) {}

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
  /// The length of a list. Each element takes at least `leastBytes` bytes in the file, and
  /// `memoryBytes` once it is read.
  std::size_t count(std::size_t leastBytes = 1, std::size_t memoryBytes = 0);
  /// The length of a list of Element.
  template <typename Element> std::size_t countOf(std::size_t leastBytes = 1) {
    return count(leastBytes, sizeof(Element));
  }
  /// Makes room in a vector for the list that follows.
  template <typename List> void resize(List &list, std::size_t leastBytes = 1) {
    list.resize(countOf<typename List::value_type>(leastBytes));
  }
  std::size_t remaining() const { return rest.size(); }
  /// Throws FormatError unless all bytes have been read.
  void expectEnd() const;
  [[noreturn]] void fail(const std::string &problem) const;

private:
  std::string_view take(std::size_t size);

  std::string_view rest;
  std::string where;
  MemoryBudget *budget;
};

} // namespace sendwright

#endif
