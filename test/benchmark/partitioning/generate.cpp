// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// generate KIND SIZE > MATRIX.mtx: a matrix in Matrix Market's format. The same words give the same
// bytes.
//
//     mesh SIDE          finite elements on a plate of SIDE times SIDE nodes
//     power-law ROWS     a network in which few nodes have very many neighbours
//     recursive LEVELS   a network of 2^LEVELS nodes with communities within communities
//     random ROWS        eight nonzeros anywhere in each row, not symmetric
//     circuit ROWS       a few nonzeros near the diagonal, and a few dense rows and columns
//     figures ROWS NONZEROS CV FAR
//                        a symmetric matrix with this many rows and nonzeros, in which the number
//                        of nonzeros of a row has this coefficient of variation; FAR of its
//                        nonzeros are anywhere, the others near the diagonal

#include "test/benchmark/partitioning/Twin.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

/// A quarter of the matrix is chosen for each bit of a position (D. Chakrabarti, Y. Zhan,
/// C. Faloutsos, 2004).
Matrix generateRecursive(int levels) {
  Matrix matrix;
  matrix.rows = 1 << levels;
  Numbers numbers;
  for (long k = 0; k < 8L * matrix.rows; ++k) {
    int row = 0, column = 0;
    for (int level = 0; level < levels; ++level) {
      const std::uint32_t part = numbers.below(100);
      row = 2 * row + (part >= 76 ? 1 : 0);
      column = 2 * column + ((part >= 57 && part < 76) || part >= 95 ? 1 : 0);
    }
    matrix.entries.push_back({row, column, 1});
  }
  return matrix;
}

Matrix generateRandom(int rows) {
  Matrix matrix;
  matrix.rows = rows;
  Numbers numbers;
  for (int row = 0; row < rows; ++row)
    for (int k = 0; k < 8; ++k)
      matrix.entries.push_back(
          {row, static_cast<int>(numbers.below(static_cast<std::uint32_t>(rows))), 1});
  return matrix;
}

Matrix generateCircuit(int rows) {
  Matrix matrix;
  matrix.rows = rows;
  Numbers numbers;
  const auto limit = static_cast<std::uint32_t>(rows);
  for (int row = 0; row < rows; ++row)
    for (int k = 0; k < 4; ++k)
      matrix.entries.push_back(
          {row, static_cast<int>((static_cast<std::uint32_t>(row) + numbers.below(9)) % limit), 1});
  for (int dense = 0; dense < 8; ++dense) {
    const int hub = static_cast<int>(numbers.below(limit));
    for (int k = 0; k < rows / 16; ++k) {
      matrix.entries.push_back({hub, static_cast<int>(numbers.below(limit)), 1});
      matrix.entries.push_back({static_cast<int>(numbers.below(limit)), hub, 1});
    }
  }
  return matrix;
}

void print(const Matrix &matrix) {
  std::printf("%%%%MatrixMarket matrix coordinate pattern general\n%d %d %zu\n", matrix.rows,
              matrix.rows, matrix.entries.size());
  for (const Entry &entry : matrix.entries)
    std::printf("%d %d\n", entry.row + 1, entry.column + 1);
}

Matrix generate(int argc, char **argv) {
  const std::string kind = argc > 2 ? argv[1] : "";
  const int size = argc > 2 ? std::atoi(argv[2]) : 0;
  if (size > 0 && kind == "mesh")
    return generateMesh(size);
  if (size > 0 && kind == "power-law")
    return generatePowerLaw(size);
  if (size > 0 && size < 25 && kind == "recursive")
    return generateRecursive(size);
  if (size > 0 && kind == "random")
    return generateRandom(size);
  if (size > 0 && kind == "circuit")
    return generateCircuit(size);
  if (size > 0 && kind == "figures" && argc == 6)
    return generateTwin({size, std::atol(argv[3]), std::atof(argv[4]), std::atof(argv[5])});
  throw std::runtime_error("usage: generate mesh|power-law|recursive|random|circuit SIZE, or "
                           "generate figures ROWS NONZEROS CV FAR");
}

} // namespace

int main(int argc, char **argv) {
  try {
    Matrix matrix = generate(argc, argv);
    compress(matrix);
    print(matrix);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
