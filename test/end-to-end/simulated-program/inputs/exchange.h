double exchange(double value, int rank, int size);
