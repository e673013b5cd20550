// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parser walks over the text once, without copies: a million entries take a fraction of a
// second. A file from outside may name any rank, so the number of ranks is bounded before anything
// is allocated for them.

#include "analysis/file/MatrixFile.h"

#include "analysis/file/Escaping.h"
#include "analysis/file/FormatError.h"
#include "analysis/file/Limits.h"

#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>

namespace sendwright {

namespace {

constexpr std::uint64_t maximumRanks = 1u << 22; // more than any machine has; bounds memory

class MatrixParser {
public:
  MatrixParser(std::string_view text, const std::string &name) : text(text), name(name) {}

  CommunicationMatrix parse() {
    std::size_t begin = 0;
    while (begin < text.size()) {
      std::size_t end = std::min(text.find('\n', begin), text.size());
      ++lineNumber;
      parseLine(text.substr(begin, end - begin));
      begin = end + 1;
    }
    return std::move(matrix);
  }

private:
  [[noreturn]] void fail(const std::string &problem) const {
    throw FormatError(name + ":" + std::to_string(lineNumber) + ": " + problem);
  }

  void parseLine(std::string_view line) {
    std::size_t comment = line.find('#');
    if (comment != std::string_view::npos) {
      if (lineNumber == 1)
        readDeclaredSize(line.substr(comment));
      line = line.substr(0, comment);
    }
    rest = line;
    skipSpace();
    if (rest.empty())
      return;
    std::size_t sender = readRank("a sender's rank");
    expectColon("after the sender's rank");
    if (sender >= lineOfSender.size())
      lineOfSender.resize(sender + 1);
    if (lineOfSender[sender])
      fail("rank " + std::to_string(sender) + " has a line already (line " +
           std::to_string(lineOfSender[sender]) + "), expected one line per sender");
    lineOfSender[sender] = lineNumber;
    readEntries(sender);
  }

  void readEntries(std::size_t sender) {
    for (skipSpace(); !rest.empty(); skipSpace()) {
      std::size_t destination = readRank("a destination's rank");
      expectColon("after the destination's rank");
      std::uint64_t items = readNumber("a count of items");
      if (!rest.empty() && rest.front() != ' ' && rest.front() != '\t' && rest.front() != '\r')
        fail("found " + quoted(rest.substr(0, 1)) +
             " after a count, expected DEST:COUNT and a space");
      if (destination >= lineOfDestination.size())
        lineOfDestination.resize(destination + 1);
      if (lineOfDestination[destination] == lineNumber)
        fail("destination " + std::to_string(destination) + " is named twice, expected it once");
      lineOfDestination[destination] = lineNumber;
      if (items > 0)
        matrix.rows[sender].push_back({static_cast<int>(destination), items});
    }
  }

  void readDeclaredSize(std::string_view comment) {
    for (std::size_t at = comment.find("K="); at != std::string_view::npos;
         at = comment.find("K=", at + 1)) {
      bool startsWord = comment[at - 1] == ' ' || comment[at - 1] == '\t' || comment[at - 1] == '#';
      if (!startsWord)
        continue;
      rest = comment.substr(at + 2);
      std::uint64_t ranks = readNumber("a number of ranks after K=");
      if (ranks == 0 || ranks > maximumRanks)
        fail("K=" + std::to_string(ranks) + ", expected 1 to " + std::to_string(maximumRanks) +
             " ranks");
      // The rest of the comment is free text, but it must not continue the number.
      const std::string_view digit = rest.substr(rest.empty() || rest.front() != '.' ? 0 : 1, 1);
      if (!digit.empty() && std::isalnum(static_cast<unsigned char>(digit.front())))
        fail("found " + quoted(rest.substr(0, 1)) + " after K=" + std::to_string(ranks) +
             ", expected a whole number of ranks");
      matrix.rows.resize(ranks);
      matrix.sizeDeclared = true;
      return;
    }
  }

  std::size_t readRank(const char *what) {
    std::uint64_t rank = readNumber(what);
    if (matrix.sizeDeclared && rank >= matrix.rows.size())
      fail("rank " + std::to_string(rank) +
           ", expected ranks below K=" + std::to_string(matrix.rows.size()));
    if (rank >= maximumRanks)
      fail("rank " + std::to_string(rank) + ", expected ranks below " +
           std::to_string(maximumRanks));
    if (rank >= matrix.rows.size())
      matrix.rows.resize(rank + 1);
    return rank;
  }

  std::uint64_t readNumber(const char *what) {
    std::uint64_t value = 0;
    auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (error != std::errc()) {
      std::string_view word = rest.substr(0, rest.find_first_of(" \t\r:"));
      fail("found " + (word.empty() ? "nothing" : quoted(word)) + ", expected " + what);
    }
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    return value;
  }

  void expectColon(const char *where) {
    if (rest.empty() || rest.front() != ':')
      fail(std::string("no ':' ") + where + ", expected SENDER: DEST:COUNT DEST:COUNT ...");
    rest.remove_prefix(1);
  }

  void skipSpace() {
    while (!rest.empty() && (rest.front() == ' ' || rest.front() == '\t' || rest.front() == '\r'))
      rest.remove_prefix(1);
  }

  std::string_view text;
  const std::string &name;
  std::size_t lineNumber = 0;
  std::string_view rest; // what is left of the current line
  CommunicationMatrix matrix;
  std::vector<std::size_t> lineOfSender;      // 0: not seen yet
  std::vector<std::size_t> lineOfDestination; // the last line that named it
};

} // namespace

/// Whether the file is a device, which may never end. Files and pipes are finite.
static bool isDevice(std::FILE *file) {
  struct stat status{};
  return fstat(fileno(file), &status) == 0 && S_ISCHR(status.st_mode);
}

std::string readTextFile(const std::string &name) {
  bool standardInput = name == "-";
  std::FILE *file = standardInput ? stdin : std::fopen(name.c_str(), "rb");
  if (!file)
    throw FormatError(name + ": cannot be read: " + std::strerror(errno) + ", expected a file");
  std::string text;
  char block[1 << 16];
  std::size_t size = sizeof block;
  const std::size_t most = isDevice(file) ? limits::bytesOfDevice : SIZE_MAX;
  while (size == sizeof block && text.size() <= most) { // a short block is the end, or an error
    size = std::fread(block, 1, sizeof block, file);
    text.append(block, size);
  }
  int problem = std::ferror(file) ? errno : 0;
  if (!standardInput)
    std::fclose(file);
  if (problem)
    throw FormatError(name + ": cannot be read: " + std::strerror(problem) + ", expected a file");
  if (text.size() > most)
    throw FormatError(name + ": a device that gives more than " + std::to_string(most >> 20) +
                      " MB, expected a file");
  return text;
}

CommunicationMatrix parseMatrix(std::string_view text, const std::string &name) {
  return MatrixParser(text, name).parse();
}

CommunicationMatrix readMatrix(const std::string &name) {
  return parseMatrix(readTextFile(name), name == "-" ? "<stdin>" : name);
}

void formatMatrix(const CommunicationMatrix &matrix, const std::string &comment,
                  const std::function<void(std::string_view)> &write) {
  // The size comes first: the comment may contain anything.
  std::string text = "# K=" + std::to_string(matrix.rows.size()) +
                     (comment.empty() ? "" : ": " + printable(comment)) + "\n";
  for (std::size_t sender = 0; sender < matrix.rows.size(); ++sender) {
    if (matrix.rows[sender].empty())
      continue;
    text += std::to_string(sender) + ":";
    for (const MatrixEntry &entry : matrix.rows[sender])
      text += " " + std::to_string(entry.destination) + ":" + std::to_string(entry.items);
    text += "\n";
    if (text.size() > (1 << 16)) {
      write(text);
      text.clear();
    }
  }
  write(text);
}

} // namespace sendwright
