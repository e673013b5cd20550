#ifndef PATCHES_HPP
#define PATCHES_HPP
#include "communicator.hpp"

struct Patch {
  int level = 0;
  std::vector<double> cells;
};

/// This rank's patches; each touches one patch of some other ranks.
class Patches {
public:
  Patches(const amr::Communicator &communicator, int count);
  void describe();
  void exchange();
  void advance();
  std::vector<double> cells() const;

private:
  const amr::Communicator &communicator;
  std::vector<Patch> patches;
  std::vector<int> neighbours;
  std::vector<int> levels; ///< of the neighbours' patches
};
#endif
