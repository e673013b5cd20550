#include "send_to.hpp"
void send_rest(const int *to, int n, const long long *values) { send_to(to, n, values); }
