#include "grid.h"

double average(const Grid &grid) {
  double sum = 0;
  for (int cell = 0; cell < 100; ++cell)
    sum += grid.value(cell);
  return sum / 100;
}
