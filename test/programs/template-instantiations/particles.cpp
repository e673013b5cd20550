#include "exchange.hpp"

namespace {
struct Particle {
  std::array<float, 3> position;
  int name;
};
} // namespace

std::vector<unsigned char> particleFields(int rank) {
  std::vector<unsigned char> all;
  append(all, exchanged<Particle, 1>(1, rank));
  append(all, exchanged<Particle, 2>(2, rank));
  append(all, exchanged<std::array<float, 3>, 1>(3, rank));
  append(all, exchanged<int, 1>(4, rank));
  return all;
}
