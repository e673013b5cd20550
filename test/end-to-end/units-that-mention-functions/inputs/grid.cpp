#include "grid.h"

double Grid::value(int cell) const { return cells[cell]; }
