// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of sparse matrices with a vector whose work is divided by nonzeros or by inner indices,
// not by rows: y = A x, each nonzero of A on a rank of its own choice, and y = A B x, A divided by
// columns and B by the rows that belong to them. Both need values of x before they compute, and
// send sums of y afterwards.

#ifndef ORDERING_PRODUCTS_HPP
#define ORDERING_PRODUCTS_HPP

#include "../spmv/matrix.hpp"

#include <cstddef>
#include <fstream>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// Which rank does what. A file holds a line `nonzeros RANKS` or `chain RANKS`, then the ranks of
/// the nonzeros, by row and column, or of the inner indices, then those of the entries of x and y.
struct Owners {
  bool chain = false;
  int ranks = 0;
  std::vector<int> work, vector;

  void write(const std::string &name) const {
    std::ofstream file(name);
    file << (chain ? "chain " : "nonzeros ") << ranks << "\n";
    for (const std::vector<int> *list : {&work, &vector})
      for (const int rank : *list)
        file << rank << "\n";
  }
};

inline Owners readOwners(const std::string &name, const Matrix &matrix) {
  std::ifstream file(name);
  std::string kind;
  Owners owners;
  if (!(file >> kind >> owners.ranks) || (kind != "nonzeros" && kind != "chain"))
    throw std::runtime_error(name + ": expected \"nonzeros RANKS\" or \"chain RANKS\"");
  owners.chain = kind == "chain";
  owners.vector.resize(static_cast<std::size_t>(matrix.rows));
  owners.work.resize(owners.chain ? owners.vector.size() : matrix.entries.size());
  for (std::vector<int> *list : {&owners.work, &owners.vector})
    for (int &rank : *list)
      if (!(file >> rank) || rank < 0 || rank >= owners.ranks)
        throw std::runtime_error(name + ": expected " +
                                 std::to_string(owners.work.size() + owners.vector.size()) +
                                 " ranks below " + std::to_string(owners.ranks));
  return owners;
}

/// One multiplication of a rank: target += value * source.
struct Term {
  int target, source;
  double value;
};

/// What one rank computes. For y = A x only `last` has terms, from x to y; for y = A B x `first`
/// leads from x to the inner vector, and `last` from there to y.
struct RankWork {
  std::vector<Term> first, last;
  std::size_t terms() const { return first.size() + last.size(); }
};

/// The work of all ranks. In a chain both A and B are `matrix`.
inline std::vector<RankWork> divideWork(const Matrix &matrix, const Owners &owners) {
  std::vector<RankWork> work(static_cast<std::size_t>(owners.ranks));
  const auto of = [&](std::size_t index) -> RankWork & {
    return work[static_cast<std::size_t>(owners.work[index])];
  };
  for (std::size_t k = 0; k < matrix.entries.size(); ++k) {
    const Entry &entry = matrix.entries[k];
    const Term term{entry.row, entry.column, entry.value};
    if (owners.chain) {
      of(static_cast<std::size_t>(entry.row)).first.push_back(term);
      of(static_cast<std::size_t>(entry.column)).last.push_back(term);
    } else {
      of(k).last.push_back(term);
    }
  }
  return work;
}

/// By sender and receiver: which entries of a vector the message holds, ascending.
using Messages = std::map<std::pair<int, int>, std::set<int>>;

/// The two phases: values of x to the ranks that need them, and sums of y to their owners.
struct Phases {
  Messages pre, post;
};

inline Phases findPhases(const std::vector<RankWork> &work, const Owners &owners) {
  Phases phases;
  const auto ownerOf = [&](int index) { return owners.vector[static_cast<std::size_t>(index)]; };
  for (int rank = 0; rank < owners.ranks; ++rank) {
    const RankWork &own = work[static_cast<std::size_t>(rank)];
    for (const Term &term : owners.chain ? own.first : own.last)
      if (ownerOf(term.source) != rank)
        phases.pre[{ownerOf(term.source), rank}].insert(term.source);
    for (const Term &term : own.last)
      if (ownerOf(term.target) != rank)
        phases.post[{rank, ownerOf(term.target)}].insert(term.target);
  }
  return phases;
}

#endif
