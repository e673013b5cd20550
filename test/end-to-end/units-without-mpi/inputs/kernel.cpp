#include "transport.h"
#include <numeric>
#include <vector>

double packed(double value, int to) {
  std::vector<double> values(4, value);
  for (int each = 0; each < 4; ++each)
    values[each] *= each + to;
  return std::accumulate(values.begin(), values.end(), 0.0);
}
