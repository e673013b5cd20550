// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix Market files, as examples/spmv reads them.

#include "examples/spmv/matrix.hpp"
#include "test/fuzz/Commands.h"
#include "test/fuzz/Mutator.h"
#include "test/fuzz/Scratch.h"
#include "test/fuzz/TextMutations.h"

using namespace sendwright::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const std::string file = writeScratch("input.mtx", viewOf(data, size));
  Matrix matrix;
  try {
    matrix = MatrixMarketReader(file).read();
  } catch (const std::runtime_error &) {
    return 0;
  }
  makePositiveDefinite(matrix);
  for (const Entry &entry : matrix.entries)
    if (entry.row < 0 || entry.row >= matrix.rows || entry.column < 0 ||
        entry.column >= matrix.rows)
      finding("an entry is outside the matrix");
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t *data, std::size_t size,
                                               std::size_t mostSize, unsigned seed) {
  static const std::vector<std::string> words = {
      "%%MatrixMarket", "matrix",    "coordinate",     "real", "integer", "pattern",
      "general",        "symmetric", "skew-symmetric", "%",    "1",       "2",
      "-1e300",         "3 3 4",     "1 1 1.5"};
  return handOver(mutatedText(std::string(viewOf(data, size)), words, seed), data, size, mostSize);
}
