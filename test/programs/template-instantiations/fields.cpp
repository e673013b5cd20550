#include "exchange.hpp"

std::vector<unsigned char> meshFields(int rank) {
  std::vector<unsigned char> all;
  append(all, exchanged<double, 1>(5, rank));
  append(all, exchanged<double, 3>(6, rank));
  append(all, exchanged<float, 1>(7, rank));
  append(all, exchanged<float, 2>(8, rank));
  append(all, exchanged<int, 1>(9, rank)); // this one in two units
  append(all, exchanged<long double, 1>(10, rank));
  return all;
}
