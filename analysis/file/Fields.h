// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a struct is in a file, described once: a function that names each field with its bounds, in
// the order of the bytes. It writes with a FieldWriter and reads with a FieldReader.
//
//     template <typename Fields>
//     void describeMatch(Fields fields, Described<Fields, WildcardMatch> &match) {
//       fields.signedNumber(match.request, -1, INT_MAX, "request");
//       fields.number(match.bytes);
//     }
//     describeMatch(FieldWriter(out), match);
//     describeMatch(FieldReader(in), match);
//
// Bounds are for the reader, which throws FormatError as ByteReader does. The writer takes what
// there is.

#ifndef SENDWRIGHT_ANALYSIS_FILE_FIELDS_H
#define SENDWRIGHT_ANALYSIS_FILE_FIELDS_H

#include "analysis/file/Bytes.h"

#include <optional>
#include <string>
#include <type_traits>

namespace sendwright {

/// A struct that is read, or written.
template <typename Fields, typename Struct>
using Described = std::conditional_t<Fields::reads, Struct, const Struct>;

class FieldWriter {
public:
  static constexpr bool reads = false;
  explicit FieldWriter(ByteWriter &out) : out(out) {}

  /// A number of an unsigned or enumeration type, or one that is never negative.
  template <typename Number>
  void number(Number value, std::uint64_t = UINT64_MAX, const char * = "") {
    out.number(static_cast<std::uint64_t>(value));
  }
  void signedNumber(std::int64_t value, std::int64_t, std::int64_t, const char *) {
    out.signedNumber(value);
  }
  /// A number from `least` to `largest`, as its difference to `before`, a number near to it.
  void relativeNumber(std::int64_t value, std::int64_t before, std::int64_t, std::int64_t,
                      const char *) {
    out.signedNumber(value - before);
  }
  void flag(bool value) { out.number(value); }
  void finite(double value, const char *) { out.real(value); }
  void fixed64(std::uint64_t value) { out.fixed64(value); }
  void text(std::string_view value) { out.text(value); }
  /// The length of a list, whose elements are described after it; each takes at least so many
  /// bytes.
  template <typename List> void length(const List &list, std::size_t = 1) {
    out.number(list.size());
  }
  /// The same for a list whose memory somebody else counts.
  template <typename List> void uncountedLength(const List &list) { out.number(list.size()); }
  /// `describe(*value)`, where there is a value.
  template <typename Value, typename Describe>
  void optional(const std::optional<Value> &value, Describe &&describe) {
    flag(value.has_value());
    if (value)
      describe(*value);
  }
  /// What else must hold of fields that were read; else `problem()` says what is wrong.
  template <typename Problem> void expect(bool, Problem &&) {}

private:
  ByteWriter &out;
};

class FieldReader {
public:
  static constexpr bool reads = true;
  explicit FieldReader(ByteReader &in) : in(in) {}

  template <typename Number>
  void number(Number &value, std::uint64_t largest = UINT64_MAX, const char *what = "") {
    value = static_cast<Number>(in.number(largest, what));
  }
  template <typename Number>
  void signedNumber(Number &value, std::int64_t least, std::int64_t largest, const char *what) {
    value = static_cast<Number>(in.signedNumber(least, largest, what));
  }
  template <typename Number>
  void relativeNumber(Number &value, std::int64_t before, std::int64_t least, std::int64_t largest,
                      const char *what) {
    value = static_cast<Number>(before + in.signedNumber(least - before, largest - before, what));
  }
  void flag(bool &value) { value = in.flag(); }
  void finite(double &value, const char *what) { value = in.finite(what); }
  void fixed64(std::uint64_t &value) { value = in.fixed64(); }
  void text(std::string &value) { value = in.text(); }
  template <typename List> void length(List &list, std::size_t leastBytes = 1) {
    in.resize(list, leastBytes);
  }
  template <typename List> void uncountedLength(List &list) { list.resize(in.count()); }
  template <typename Value, typename Describe>
  void optional(std::optional<Value> &value, Describe &&describe) {
    if (in.flag())
      describe(value.emplace());
  }
  template <typename Problem> void expect(bool holds, Problem &&problem) {
    if (!holds)
      in.fail(problem());
  }

private:
  ByteReader &in;
};

/// An index below `count`, which `what` names. A writer does not look at `count`.
template <typename Fields, typename Index>
void describeIndex(Fields fields, Index &index, std::size_t count, const char *what) {
  fields.number(index, UINT32_MAX, what);
  fields.expect(static_cast<std::size_t>(index) < count, [&] {
    return std::string(what) + " " + std::to_string(index) + ", expected one of " +
           std::to_string(count);
  });
}

} // namespace sendwright

#endif
