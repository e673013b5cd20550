#include "patches.hpp"

Patches::Patches(const amr::Communicator &communicator, int count)
    : communicator(communicator), patches(count) {
  for (int p = 0; p < count; ++p) {
    patches[p].level = (communicator.rank() + p) % 3;
    patches[p].cells.assign(4u << patches[p].level, communicator.rank() + p / 4.0);
  }
  for (int other = 0; other < communicator.size(); ++other)
    if (other != communicator.rank() && (other + communicator.rank()) % 5 != 0)
      neighbours.push_back(other);
}

void Patches::describe() {
  std::vector<int> own(patches.size());
  for (std::size_t p = 0; p < patches.size(); ++p)
    own[p] = patches[p].level;
  const int *first = own.data();
  const std::size_t count = own.size();
  for (int neighbour : neighbours) // -> reordered
    communicator.send(first, count, neighbour, 1);
  levels.clear();
  for (int neighbour : neighbours)
    for (int level : communicator.receive<int>(neighbour, 1))
      levels.push_back(level);
}

void Patches::exchange() {
  std::vector<amr::Request> pending;
  pending.reserve(neighbours.size() * patches.size());
  for (std::size_t n = 0; n < neighbours.size(); ++n)       // -> reordered
    for (std::size_t p = n % 2; p < patches.size(); p += 2) // -> left: what is around it
      pending.push_back(
          communicator.post(patches[p].cells, neighbours[n], static_cast<int>(10 + p)));
  for (int neighbour : neighbours) {
    int index = 0;
    for (int other = 0; other < communicator.rank(); ++other)
      index += other != neighbour && (other + neighbour) % 5 != 0;
    for (std::size_t p = index % 2; p < patches.size(); p += 2) {
      const std::vector<double> theirs =
          communicator.receive<double>(neighbour, static_cast<int>(10 + p));
      for (double value : theirs)
        patches[p].cells.back() += value / 64;
    }
  }
}

void Patches::advance() {
  for (Patch &patch : patches)
    for (std::size_t c = patch.cells.size() - 1; c > 0; --c)
      patch.cells[c - 1] = 0.5 * (patch.cells[c - 1] + patch.cells[c]);
}

std::vector<double> Patches::cells() const {
  std::vector<double> all(levels.begin(), levels.end());
  for (const Patch &patch : patches)
    all.insert(all.end(), patch.cells.begin(), patch.cells.end());
  return all;
}
