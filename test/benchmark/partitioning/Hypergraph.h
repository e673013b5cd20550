// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A hypergraph, divided by Zoltan's PHG so that its parts weigh about the same and its nets are in
// few parts: the sum over all nets of (parts that the net touches - 1) is small. For a product of a
// sparse matrix and a vector this sum is the number of values that are communicated (U. V.
// Catalyurek, C. Aykanat, 1999, 2001).

#ifndef SENDWRIGHT_TEST_BENCHMARK_PARTITIONING_HYPERGRAPH_H
#define SENDWRIGHT_TEST_BENCHMARK_PARTITIONING_HYPERGRAPH_H

#include <zoltan.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

struct Hypergraph {
  std::vector<float> weights; ///< by vertex
  std::vector<int> begin{0};  ///< where each net's pins begin; and the end
  std::vector<int> pins;      ///< vertices

  void addPin(int vertex) { pins.push_back(vertex); }
  /// Pins added since the last net are a net. A net of one vertex cannot be cut and is left out.
  void endNet() {
    if (pins.size() < static_cast<std::size_t>(begin.back()) + 2)
      pins.resize(static_cast<std::size_t>(begin.back()));
    else
      begin.push_back(static_cast<int>(pins.size()));
  }
};

namespace zoltan_callbacks {

inline const Hypergraph &of(void *data) { return *static_cast<const Hypergraph *>(data); }

inline int countVertices(void *data, int *error) {
  *error = ZOLTAN_OK;
  return static_cast<int>(of(data).weights.size());
}

inline void listVertices(void *data, int, int, ZOLTAN_ID_PTR global, ZOLTAN_ID_PTR, int,
                         float *weights, int *error) {
  *error = ZOLTAN_OK;
  std::iota(global, global + of(data).weights.size(), 0U);
  std::copy(of(data).weights.begin(), of(data).weights.end(), weights);
}

inline void sizes(void *data, int *nets, int *pins, int *format, int *error) {
  *error = ZOLTAN_OK;
  *nets = static_cast<int>(of(data).begin.size()) - 1;
  *pins = static_cast<int>(of(data).pins.size());
  *format = ZOLTAN_COMPRESSED_EDGE;
}

inline void listPins(void *data, int, int nets, int, int, ZOLTAN_ID_PTR names, int *begin,
                     ZOLTAN_ID_PTR pins, int *error) {
  *error = ZOLTAN_OK;
  std::iota(names, names + nets, 0U);
  std::copy(of(data).begin.begin(), of(data).begin.end() - 1, begin);
  std::copy(of(data).pins.begin(), of(data).pins.end(), pins);
}

} // namespace zoltan_callbacks

/// The part of each vertex. MPI must run with one rank. `slack`: how much heavier than the mean a
/// part may be. The same hypergraph gives the same parts. Throws if Zoltan fails.
inline std::vector<int> divide(Hypergraph &hypergraph, int parts, double slack) {
  float version = 0;
  if (Zoltan_Initialize(0, nullptr, &version) != ZOLTAN_OK)
    throw std::runtime_error("Zoltan cannot be initialised");
  Zoltan_Struct *zoltan = Zoltan_Create(MPI_COMM_SELF);
  const std::string count = std::to_string(parts), tolerance = std::to_string(1 + slack);
  const char *const settings[][2] = {{"DEBUG_LEVEL", "0"},
                                     {"LB_METHOD", "HYPERGRAPH"},
                                     {"HYPERGRAPH_PACKAGE", "PHG"},
                                     {"LB_APPROACH", "PARTITION"},
                                     {"NUM_GLOBAL_PARTS", count.c_str()},
                                     {"IMBALANCE_TOL", tolerance.c_str()},
                                     {"OBJ_WEIGHT_DIM", "1"},
                                     {"EDGE_WEIGHT_DIM", "0"},
                                     {"RETURN_LISTS", "PARTS"},
                                     {"SEED", "1"}};
  for (const auto &[name, value] : settings)
    Zoltan_Set_Param(zoltan, name, value);
  Zoltan_Set_Num_Obj_Fn(zoltan, zoltan_callbacks::countVertices, &hypergraph);
  Zoltan_Set_Obj_List_Fn(zoltan, zoltan_callbacks::listVertices, &hypergraph);
  Zoltan_Set_HG_Size_CS_Fn(zoltan, zoltan_callbacks::sizes, &hypergraph);
  Zoltan_Set_HG_CS_Fn(zoltan, zoltan_callbacks::listPins, &hypergraph);

  int changed = 0, globalSize = 0, localSize = 0, imported = 0, exported = 0;
  ZOLTAN_ID_PTR importGlobal = nullptr, importLocal = nullptr, global = nullptr, local = nullptr;
  int *importRanks = nullptr, *importParts = nullptr, *ranks = nullptr, *found = nullptr;
  const int status = Zoltan_LB_Partition(zoltan, &changed, &globalSize, &localSize, &imported,
                                         &importGlobal, &importLocal, &importRanks, &importParts,
                                         &exported, &global, &local, &ranks, &found);
  std::vector<int> part(hypergraph.weights.size(), 0);
  for (int k = 0; k < exported; ++k)
    part[global[k]] = found[k];
  Zoltan_LB_Free_Part(&importGlobal, &importLocal, &importRanks, &importParts);
  Zoltan_LB_Free_Part(&global, &local, &ranks, &found);
  Zoltan_Destroy(&zoltan);
  if (status != ZOLTAN_OK && status != ZOLTAN_WARN)
    throw std::runtime_error("Zoltan cannot divide the hypergraph");
  return part;
}

#endif
