#include "halo.hpp"
void second() {
  const double values[] = {1};
  const int peers[] = {0};
  send_all(values, peers, 1);
}
