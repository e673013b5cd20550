#include "random.h"

static unsigned long long state;
int random_drawn;

void random_seed(unsigned long long seed) { state = seed * 2 + 1; }

double random_next(void) {
  ++random_drawn;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (double)(state >> 11) / 9007199254740992.0;
}
