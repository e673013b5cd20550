// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symmetric sparse matrices: from Matrix Market files, or generated.

#ifndef SPMV_MATRIX_HPP
#define SPMV_MATRIX_HPP

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

struct Entry {
  int row, column;
  double value;
};

struct Matrix {
  int rows = 0;
  std::vector<Entry> entries; ///< by row and column; each position occurs once
};

/// Sorts the entries, and adds up entries with the same position.
inline void compress(Matrix &matrix) {
  std::vector<Entry> &entries = matrix.entries;
  std::sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) {
    return std::tie(a.row, a.column) < std::tie(b.row, b.column);
  });
  std::size_t kept = 0;
  for (const Entry &entry : entries)
    if (kept > 0 && entries[kept - 1].row == entry.row && entries[kept - 1].column == entry.column)
      entries[kept - 1].value += entry.value;
    else
      entries[kept++] = entry;
  entries.resize(kept);
}

/// Turns any square matrix into one that conjugate gradients can solve: (A + A^T) / 2 with a
/// diagonal that outweighs its row.
inline void makePositiveDefinite(Matrix &matrix) {
  const std::size_t given = matrix.entries.size();
  for (std::size_t k = 0; k < given; ++k) {
    Entry &entry = matrix.entries[k];
    entry.value /= 2;
    matrix.entries.push_back({entry.column, entry.row, matrix.entries[k].value});
  }
  for (int row = 0; row < matrix.rows; ++row)
    matrix.entries.push_back({row, row, 0});
  compress(matrix);
  std::vector<double> others(static_cast<std::size_t>(matrix.rows));
  for (const Entry &entry : matrix.entries)
    if (entry.row != entry.column)
      others[static_cast<std::size_t>(entry.row)] += std::abs(entry.value);
  for (Entry &entry : matrix.entries)
    if (entry.row == entry.column)
      entry.value = std::max(entry.value, 1.05 * others[static_cast<std::size_t>(entry.row)] + 0.1);
}

/// Each row gets an entry on the diagonal, so a short file must not ask for too many rows.
constexpr long mostRows = 10'000'000;

/// Reads one Matrix Market file line by line. Every error names its place.
class MatrixMarketReader {
public:
  explicit MatrixMarketReader(const std::string &name) : name(name), file(name) {
    if (!file)
      throw std::runtime_error(name + ": cannot be read");
  }

  Matrix read() {
    readHeader();
    do
      nextLine();
    while (text.empty() || text[0] == '%');
    long rows = 0, columns = 0, count = 0;
    std::istringstream sizes(text);
    if (!(sizes >> rows >> columns >> count) || rows < 1 || rows != columns || count < 0 ||
        rows > mostRows)
      fail("\"" + text + "\", expected ROWS COLUMNS ENTRIES of a square matrix of at most " +
           std::to_string(mostRows) + " rows");
    Matrix matrix;
    matrix.rows = static_cast<int>(rows);
    for (long k = 0; k < count; ++k) {
      nextLine();
      addEntry(matrix);
    }
    return matrix;
  }

private:
  [[noreturn]] void fail(const std::string &what) const {
    throw std::runtime_error(name + ":" + std::to_string(line) + ": " + what);
  }

  void nextLine() {
    ++line;
    if (!std::getline(file, text))
      fail("the file ends, expected more entries");
  }

  void readHeader() {
    nextLine();
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    std::istringstream words(text);
    std::string banner, object, format, field, symmetry;
    words >> banner >> object >> format >> field >> symmetry;
    if (banner != "%%matrixmarket" || object != "matrix" || format != "coordinate")
      fail("expected \"%%MatrixMarket matrix coordinate ...\"");
    if (field != "real" && field != "integer" && field != "pattern")
      fail("values of kind \"" + field + "\", expected real, integer or pattern");
    if (symmetry != "general" && symmetry != "symmetric" && symmetry != "skew-symmetric")
      fail("symmetry \"" + symmetry + "\", expected general, symmetric or skew-symmetric");
    hasValues = field != "pattern";
    mirrored = symmetry == "general" ? 0 : symmetry == "symmetric" ? 1 : -1;
  }

  void addEntry(Matrix &matrix) const {
    std::istringstream words(text);
    long row = 0, column = 0;
    double value = 1;
    if (!(words >> row >> column) || (hasValues && !(words >> value)) || row < 1 || column < 1 ||
        row > matrix.rows || column > matrix.rows)
      fail("\"" + text + "\", expected ROW COLUMN" + (hasValues ? " VALUE" : "") + " from 1 to " +
           std::to_string(matrix.rows));
    const Entry entry{static_cast<int>(row) - 1, static_cast<int>(column) - 1, value};
    matrix.entries.push_back(entry);
    if (mirrored != 0 && row != column)
      matrix.entries.push_back({entry.column, entry.row, mirrored * value});
  }

  std::string name, text;
  std::ifstream file;
  long line = 0;
  bool hasValues = true;
  int mirrored = 0; // 0, or the sign of the other half
};

/// A plate of finite elements: every node of a grid of `side` times `side` is coupled with the
/// eight around it, and in a few places with a more distant node, as where a mesh is refined.
inline Matrix generateMesh(int side) {
  Matrix matrix;
  matrix.rows = side * side;
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      const int node = y * side + x;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
          if (x + dx >= 0 && x + dx < side && y + dy >= 0 && y + dy < side)
            matrix.entries.push_back({node, node + dy * side + dx, dx || dy ? -1.0 : 9.0});
      if (node % 37 == 0 && x + 2 < side)
        matrix.entries.push_back({node, node + 2, -0.5});
    }
  return matrix;
}

/// The same numbers with any C++ library.
class Numbers {
public:
  std::uint32_t below(std::uint32_t limit) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::uint32_t>((state >> 33) % limit);
  }

private:
  std::uint64_t state = 20;
};

/// A network in which few nodes have very many neighbours: a new node is linked to four ends of
/// existing links (A.-L. Barabasi and R. Albert, 1999).
inline Matrix generatePowerLaw(int nodes) {
  Matrix matrix;
  matrix.rows = nodes;
  Numbers numbers;
  std::vector<int> ends{0};
  for (int node = 1; node < nodes; ++node)
    for (int link = 0; link < std::min(node, 4); ++link) {
      const int other = ends[numbers.below(static_cast<std::uint32_t>(ends.size()))];
      if (other == node)
        continue;
      matrix.entries.push_back({node, other, -1 - 0.125 * link});
      ends.push_back(other);
      ends.push_back(node);
    }
  return matrix;
}

#endif
